#include "softgpu/driver/check/allocations.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/driver/check/host_stack.h"

#define PAGE UINT64_C(4096)
enum { FORGET_AT_ONCE = 4096 };

struct record {
	struct allocation a;
	uint32_t number;
	bool by_program;   /* freed by the program itself */
	uint64_t from, to; /* with the gaps on both sides */
	uint64_t host;
	uint64_t freed_nth; /* how many were freed before it */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record *records; /* in the order of the addresses; none overlap */
static size_t count, capacity;
static size_t forgettable; /* freed by the program */
static size_t registered;  /* live ones with a host address */
static uint32_t last_number;
static uint64_t freed_count;

/* The child has no device memory. Another thread may have been changing the table. */
static void reset_in_child(void)
{
	pthread_mutex_init(&lock, NULL);
	host_stacks_reset_in_child();
	records = NULL;
	count = capacity = forgettable = registered = 0;
}

static void set_fork_handler(void)
{
	pthread_atfork(NULL, NULL, reset_in_child);
}

/* --- searches, under the lock --- */
static uint64_t end_of(const struct record *r)
{
	return r->a.address + r->a.bytes;
}

/* The first record behind `va`. */
static size_t find_next(uint64_t va)
{
	size_t low = 0, high = count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (records[middle].a.address <= va)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct record *find_number(uint32_t number)
{
	for (size_t i = 0; number && i < count; i++)
		if (records[i].number == number)
			return &records[i];
	return NULL;
}

static struct record *find_at(uint64_t address)
{
	const size_t next = find_next(address);

	return next && records[next - 1].a.address == address ? &records[next - 1] : NULL;
}

static void set_gap(struct check_extent *out, uint64_t from, uint64_t to, uint32_t number)
{
	*out = (struct check_extent){from, to - from, EXTENT_GAP, number};
}

/* Of two neighbors, the nearer one has the gap. Either may be NULL. */
static bool find_gap(const struct record *before, const struct record *after, uint64_t va, struct check_extent *out)
{
	const bool near_before = before && va < before->to, near_after = after && va >= after->from;

	if (near_before && near_after) {
		const uint64_t start = end_of(before), end = after->a.address, middle = start + (end - start + 1) / 2;

		if (va < middle)
			set_gap(out, start, middle, before->number);
		else
			set_gap(out, middle, end, after->number);
	} else if (near_before) {
		set_gap(out, end_of(before), after && after->from < before->to ? after->from : before->to,
			before->number);
	} else if (near_after) {
		set_gap(out, before && before->to > after->from ? before->to : after->from, after->a.address,
			after->number);
	}
	return near_before || near_after;
}

bool allocations_find_extent(uint64_t va, struct check_extent *out)
{
	const struct record *before, *after;
	bool found = true;
	size_t next;

	pthread_mutex_lock(&lock);
	next = find_next(va);
	before = next ? &records[next - 1] : NULL;
	after = next < count ? &records[next] : NULL;
	if (before && va < end_of(before))
		*out = (struct check_extent){before->a.address, before->a.bytes,
			before->a.freed ? EXTENT_FREED : EXTENT_LIVE, before->number};
	else
		found = find_gap(before, after, va, out);
	pthread_mutex_unlock(&lock);
	if (!found)
		*out = (struct check_extent){va & ~(PAGE - 1), PAGE, EXTENT_UNKNOWN, 0};
	return found;
}

bool allocations_get(uint32_t number, struct allocation *out)
{
	const struct record *r;

	pthread_mutex_lock(&lock);
	r = find_number(number);
	if (r)
		*out = r->a;
	pthread_mutex_unlock(&lock);
	return r != NULL;
}

size_t allocations_list_leaks(uint32_t *out, size_t max, uint64_t *bytes)
{
	size_t found = 0;

	*bytes = 0;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < count; i++) {
		if (records[i].by_program)
			continue;
		if (found < max)
			out[found] = records[i].number;
		found++;
		*bytes += records[i].a.bytes;
	}
	pthread_mutex_unlock(&lock);
	return found;
}

size_t allocations_list_live(struct allocation *out, size_t max)
{
	size_t found = 0;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < count; i++) {
		if (records[i].a.freed)
			continue;
		if (found < max)
			out[found] = records[i].a;
		found++;
	}
	pthread_mutex_unlock(&lock);
	return found;
}

struct live_allocation allocations_find_live(uint64_t address)
{
	struct live_allocation found = {0};
	const struct record *r;

	pthread_mutex_lock(&lock);
	r = find_at(address);
	if (r && !r->a.freed)
		found = (struct live_allocation){address, r->number};
	pthread_mutex_unlock(&lock);
	return found;
}

struct live_allocation allocations_find_registered(uint64_t host)
{
	struct live_allocation found = {0};

	pthread_mutex_lock(&lock);
	for (size_t i = 0; registered && i < count && !found.number; i++)
		if (records[i].host == host && !records[i].a.freed)
			found = (struct live_allocation){records[i].a.address, records[i].number};
	pthread_mutex_unlock(&lock);
	return found;
}

/* --- changes, under the lock --- */
static void count_state(const struct record *r, int by)
{
	forgettable += r->by_program ? (size_t)by : 0;
	registered += r->host && !r->a.freed ? (size_t)by : 0;
}

static void remove_records(size_t at, size_t n)
{
	for (size_t i = at; i < at + n; i++)
		count_state(&records[i], -1);
	memmove(&records[at], &records[at + n], (count - at - n) * sizeof *records);
	count -= n;
}

/* Those that were freed first. */
static void forget_oldest(void)
{
	const uint64_t until = freed_count - FREED_ALLOCATIONS_MAX;
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (records[i].by_program && records[i].freed_nth < until)
			count_state(&records[i], -1);
		else
			records[kept++] = records[i];
	}
	count = kept;
}

static bool reserve_record(void)
{
	const size_t more = capacity ? 2 * capacity : 256;
	struct record *grown;

	if (count < capacity)
		return true;
	grown = realloc(records, more * sizeof *grown);
	if (!grown)
		return false;
	records = grown;
	capacity = more;
	return true;
}

static struct record make_record(const struct new_allocation *n)
{
	const uint64_t end = (n->address + n->bytes + PAGE - 1) & ~(PAGE - 1),
		       guard = n->own_addresses ? ALLOCATION_GUARD : 0;
	const uint64_t start = n->address & ~(PAGE - 1);

	return (struct record){
		.a = {n->address, n->bytes, n->how ? n->how : "", n->stack, 0, false},
		.number = ++last_number,
		.from = start - guard,
		.to = end + guard,
		.host = n->host,
	};
}

static void insert_record(const struct record *r)
{
	size_t at = find_next(r->a.address), first = at;

	while (first && end_of(&records[first - 1]) > r->a.address)
		first--;
	while (at < count && records[at].a.address < end_of(r))
		at++;
	remove_records(first, at - first);
	memmove(&records[first + 1], &records[first], (count - first) * sizeof *records);
	records[first] = *r;
	count++;
	count_state(r, 1);
}

uint32_t allocations_add(const struct new_allocation *n)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct record r = {0};

	pthread_once(&once, set_fork_handler);
	pthread_mutex_lock(&lock);
	if (reserve_record()) {
		r = make_record(n);
		insert_record(&r);
	}
	pthread_mutex_unlock(&lock);
	return r.number;
}

static void set_freed(struct record *r, bool freed, uint32_t stack, bool by_program)
{
	count_state(r, -1);
	r->a.freed = freed;
	r->a.freed_by = stack;
	r->by_program = by_program;
	r->freed_nth = freed_count;
	count_state(r, 1);
}

void allocations_free(struct live_allocation which, uint32_t stack, bool by_program)
{
	struct record *r;

	pthread_mutex_lock(&lock);
	r = find_at(which.address);
	if (r && r->number == which.number && !r->a.freed) {
		set_freed(r, true, stack, by_program);
		freed_count++;
		if (forgettable > FREED_ALLOCATIONS_MAX + FORGET_AT_ONCE)
			forget_oldest();
	}
	pthread_mutex_unlock(&lock);
}

void allocations_revive(struct live_allocation which)
{
	struct record *r;

	pthread_mutex_lock(&lock);
	r = find_at(which.address);
	if (r && r->number == which.number)
		set_freed(r, false, 0, false);
	pthread_mutex_unlock(&lock);
}

void allocations_forget_all(void)
{
	pthread_mutex_lock(&lock);
	remove_records(0, count);
	pthread_mutex_unlock(&lock);
}
