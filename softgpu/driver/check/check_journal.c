#include "softgpu/driver/check/check_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "softgpu/driver/capture/code_objects.h"
#include "softgpu/driver/check/allocations.h"
#include "softgpu/driver/check/report_fields.h"
#include "softgpu/driver/interpose/strbuf.h"
#include "softgpu/driver/probe/driver_trace.h"
#include "softgpu/driver/queues/launch_slots.h"

enum { PLACES_MAX = 4096, NAMES_MAX = 1000, KERNELS_MAX = 4096, LEAKS_MAX = 1024 };
enum { CLOSED = -1, NOT_WANTED = -2 };

/* A place that has a line. A kernel that is loaded again elsewhere is another place here; the reader joins them. */
static struct place {
	enum check_kind kind;
	uint64_t pc, other_pc;
	uint32_t allocation;
} places[PLACES_MAX];
static size_t place_count;
static int file = CLOSED;
static uint64_t checked_launches, left_out;
static uint64_t kernels[KERNELS_MAX]; /* hashes of names that have a line */
static const char *folder;

void check_journal_prepare(void)
{
	folder = getenv("SOFTGPU_CHECK_FOLDER");
	code_objects_find_list();
}

/* --- the file --- */
/* A process that executes another program, or that gets the number of an earlier one, finds a file: PID-2.check... */
static int create_file(char *path, size_t size)
{
	int created = -1;

	for (int k = 1; k <= NAMES_MAX && created < 0; k++) {
		const int length = snprintf(path, size, "%s/%d", folder, (int)getpid());
		if (length < 0 || (size_t)length >= size)
			break;
		snprintf(path + length, size - (size_t)length, k == 1 ? ".check" : "-%d.check", k);
		created = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (created < 0 && errno != EEXIST)
			break;
	}
	return created;
}

static void close_after_error(void)
{
	close(file);
	file = NOT_WANTED;
}

/* The first line has the number of checked launches, and of accesses without a place. It always has the same length, so
 * that it can change: it is true however the process ends. */
static void write_counts(void)
{
	char line[96];
	const int length = snprintf(line, sizeof line, "{\"launches\":%20llu,\"left_out\":%20llu}\n",
		(unsigned long long)checked_launches, (unsigned long long)left_out);

	if (pwrite(file, line, (size_t)length, 0) != length)
		close_after_error();
	else if (!checked_launches)
		lseek(file, length, SEEK_SET);
}

static bool open_journal(void)
{
	char path[4096] = "";

	if (file != CLOSED || !folder || !*folder)
		return file >= 0;
	file = create_file(path, sizeof path);
	checked_launches = left_out = 0;
	if (file < 0) {
		driver_warn("cannot write what the checks found to %s: %s", path, strerror(errno));
		file = NOT_WANTED;
	} else {
		write_counts();
	}
	return file >= 0;
}

/* A line in one piece. The journal ends with the first line that cannot be written. */
static void write_line(struct strbuf *line)
{
	strbuf_append(line, "\n", 1);
	if (line->data && write(file, line->data, line->length) != (ssize_t)line->length)
		close_after_error();
	strbuf_free(line);
}

/* --- places --- */
/* The number of its place, from 1 on. *is_new: it has no line yet. 0: there are too many. */
static size_t find_place(const struct check_report *f, bool *is_new)
{
	const struct place here = {f->kind, f->at.pc, f->has_other ? f->other.pc : 0, f->allocation};

	*is_new = false;
	for (size_t k = 0; k < place_count; k++) {
		const struct place *p = &places[k];
		if (p->kind == here.kind && p->pc == here.pc && p->other_pc == here.other_pc &&
			p->allocation == here.allocation)
			return k + 1;
	}
	if (place_count == PLACES_MAX)
		return 0;
	places[place_count] = here;
	*is_new = true;
	return ++place_count;
}

/* --- lines --- */
/* The mapping with the code of the kernel; false: not found. */
static bool find_code(struct gpu *g, uint64_t object, uint64_t *base, uint64_t *size)
{
	const size_t count = gpu_list_mappings(g, NULL, 0);
	struct gpu_mapping *list = calloc(count + 1, sizeof *list);
	bool found = false;

	if (list)
		gpu_list_mappings(g, list, count);
	for (size_t k = 0; list && k < count && !found; k++)
		if (object - list[k].va < list[k].size) {
			*base = list[k].va;
			*size = list[k].size;
			found = true;
		}
	free(list);
	return found;
}

void check_journal_keep_code(const struct active_launch *r, char name[CODE_NAME_BYTES])
{
	uint64_t base, size;

	*name = 0;
	if (folder && find_code(r->gpu, r->dispatch.kernel_object, &base, &size))
		code_object_keep(base, size, folder, name, CODE_NAME_BYTES);
}

static void describe_place(struct strbuf *t, size_t place, const struct checked_launch *l, const struct check_report *f)
{
	char code[CODE_NAME_BYTES];

	strbuf_printf(t, "{\"place\":%zu,\"launch\":%llu,", place, (unsigned long long)l->number);
	report_append_fields(t, l->kernel, l->dispatch, f);
	if (!l->code)
		check_journal_keep_code(l->running, code);
	report_append_string(t, "code", l->code ? l->code : code);
	strbuf_append(t, "}", 1);
}

void check_journal_add(const struct checked_launch *l, const struct check_report *found)
{
	struct strbuf line = {0};
	bool is_new;
	const size_t place = find_place(found, &is_new);

	if (!place)
		check_journal_count_left_out(found->count);
	if (!open_journal() || !place)
		return;
	if (is_new)
		describe_place(&line, place, l, found);
	else
		strbuf_printf(&line, "{\"place\":%zu,\"launch\":%llu,\"count\":%llu}", place,
			(unsigned long long)l->number, (unsigned long long)found->count);
	write_line(&line);
}

/* --- kernels --- */
/* FNV-1a; never 0. */
static uint64_t hash_kernel_name(const char *name)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
	return hash | 1;
}

/* A kernel of more than the table has room for may get several lines. */
static bool is_new_kernel(const char *name)
{
	const uint64_t hash = hash_kernel_name(name);
	uint64_t *at = &kernels[hash / 2 % KERNELS_MAX];

	if (*at == hash)
		return false;
	*at = hash;
	return true;
}

void check_journal_count_launch(const struct active_launch *r)
{
	struct strbuf line = {0};

	if (!open_journal())
		return;
	checked_launches++;
	write_counts();
	if (file < 0 || !is_new_kernel(r->kernel))
		return;
	strbuf_printf(&line, "{\"version\":%d", 1);
	report_append_string(&line, "launched", r->kernel);
	strbuf_append(&line, "}", 1);
	write_line(&line);
}

/* --- leaks --- */
/* Allocations with the same stack are one place: the first is described, the others are counted. */
static void describe_leak(size_t place, uint32_t number, uint64_t count, uint64_t bytes)
{
	struct strbuf line = {0};

	strbuf_printf(&line, "{\"place\":%zu,", place);
	report_append_leak(&line, number, count, bytes);
	strbuf_append(&line, "}", 1);
	write_line(&line);
}

static bool is_described(const uint32_t *numbers, size_t before, const struct allocation *a)
{
	struct allocation other;

	for (size_t k = 0; k < before; k++)
		if (allocations_get(numbers[k], &other) && other.allocated_by == a->allocated_by)
			return true;
	return false;
}

static void add_leaks_of_stack(const uint32_t *numbers, size_t first, size_t count)
{
	struct allocation a, other;
	uint64_t times = 0, bytes = 0;

	if (!allocations_get(numbers[first], &a) || is_described(numbers, first, &a))
		return;
	for (size_t k = first; k < count; k++)
		if (allocations_get(numbers[k], &other) && other.allocated_by == a.allocated_by) {
			times++;
			bytes += other.bytes;
		}
	describe_leak(++place_count, numbers[first], times, bytes);
}

void check_journal_add_leaks(void)
{
	static uint32_t numbers[LEAKS_MAX];
	uint64_t bytes;
	const size_t all = allocations_list_leaks(numbers, LEAKS_MAX, &bytes),
		     count = all < LEAKS_MAX ? all : LEAKS_MAX;

	if (!count || !open_journal())
		return;
	for (size_t k = 0; k < count && file >= 0; k++)
		add_leaks_of_stack(numbers, k, count);
}

void check_journal_count_left_out(uint64_t accesses)
{
	if (!accesses || !open_journal())
		return;
	left_out += accesses;
	write_counts();
}

void check_journal_reset_in_child(void)
{
	if (file >= 0)
		close(file);
	file = CLOSED;
	place_count = 0;
	memset(kernels, 0, sizeof kernels);
}
