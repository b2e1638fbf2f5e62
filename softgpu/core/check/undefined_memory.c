#include "softgpu/core/check/undefined_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/check/races/number_map.h"
#include "softgpu/core/check/stored_origins.h"

enum { PAGE_SHIFT = 12, PAGE = 1 << PAGE_SHIFT, NEIGHBORS = 16 };

struct memory_page {
	uint64_t number;     /* its address / PAGE */
	uint64_t epoch;      /* of the address space, when the next two were found */
	uint32_t allocation; /* 0: none of the program's device memory: defined */
	const uint8_t *host;
	uint64_t written[PAGE / 64], undefined[PAGE / 64]; /* bit per byte; undefined: what was written is */
	struct stored_origins *origins;                    /* of what is undefined; NULL: none is known */
};

struct undefined_memory {
	struct number_map pages; /* by number */
	struct memory_page *last;
};

void undefined_memory_close(struct undefined_memory *u)
{
	for (size_t k = 0; u && k < u->pages.slots; k++)
		if (u->pages.slot[k].value)
			stored_origins_close(((struct memory_page *)u->pages.slot[k].value)->origins);
	if (u)
		number_map_free_values(&u->pages);
	free(u);
}

struct undefined_memory *undefined_memory_open(void)
{
	return calloc(1, sizeof(struct undefined_memory));
}

/* --- pages --- */
/* The page of this number, if it was looked at before; else NULL. */
static struct memory_page *known_page(struct undefined_memory *u, uint64_t number)
{
	if (!u->last || u->last->number != number)
		u->last = number_map_find(&u->pages, number);
	return u->last;
}

/* Which allocation the page belongs to now. Another one begins undefined. */
static void update_page(struct machine *m, struct memory_page *p)
{
	const uint64_t va = p->number << PAGE_SHIFT;
	const struct vm_region *r = vm_find(&m->vm, va, 1, 0);
	struct check_extent e = {0};
	uint32_t allocation = 0;

	p->epoch = m->vm.epoch;
	p->host = r ? r->host + (va - r->va) : NULL;
	if (r && !(r->phys & VM_SYSTEM) && m->checks->find && m->checks->find(va, &e) && e.state == EXTENT_LIVE)
		allocation = e.allocation;
	if (allocation == p->allocation)
		return;
	p->allocation = allocation;
	memset(p->written, 0, sizeof p->written);
	memset(p->undefined, 0, sizeof p->undefined);
	stored_origins_close(p->origins);
	p->origins = NULL;
}

/* NULL: out of memory. */
static struct memory_page *add_memory_page(struct machine *m, uint64_t number)
{
	struct memory_page *p = calloc(1, sizeof *p);

	if (!p || !number_map_add(&m->checks->memory->pages, number, p)) {
		free(p);
		return NULL;
	}
	p->number = number;
	p->epoch = m->vm.epoch - 1;
	return m->checks->memory->last = p;
}

/* NULL: out of memory. */
static struct memory_page *find_page(struct machine *m, uint64_t number)
{
	struct memory_page *p = known_page(m->checks->memory, number);

	if (!p && !(p = add_memory_page(m, number)))
		return NULL;
	if (p->epoch != m->vm.epoch)
		update_page(m, p);
	return p;
}

/* --- bytes --- */
static uint64_t bits_below(unsigned n)
{
	return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

static uint64_t known_writes_around(const struct memory_page *p, unsigned byte)
{
	return p->written[byte / 64] >> (byte & ~(NEIGHBORS - 1u)) % 64 & bits_below(NEIGHBORS);
}

/* Bytes without a known write are defined if something around them is not zero that no known write has left: then the
 * host has written there directly. `known`: bytes with a known write. */
static void look_at_contents(struct memory_page *p, unsigned byte, uint64_t known)
{
	const unsigned first = byte & ~(NEIGHBORS - 1u);

	for (unsigned k = 0; k < NEIGHBORS; k++)
		if (p->host[first + k] && !(known >> k & 1)) {
			p->written[first / 64] |= bits_below(NEIGHBORS) << first % 64;
			return;
		}
}

/* A kernel is about to write there, which may remove what the host has left. */
static void look_before_write(struct memory_page *p, unsigned byte)
{
	const uint64_t known = known_writes_around(p, byte);

	if (p->host && known != bits_below(NEIGHBORS))
		look_at_contents(p, byte, known);
}

static bool is_byte_undefined(struct memory_page *p, unsigned byte)
{
	if (!(p->written[byte / 64] >> byte % 64 & 1))
		look_at_contents(p, byte, known_writes_around(p, byte));
	return !(p->written[byte / 64] >> byte % 64 & 1) || (p->undefined[byte / 64] >> byte % 64 & 1);
}

/* The bytes are in one word of the page's bits, and all are known to be defined. */
static bool is_known_defined(const struct memory_page *p, unsigned at, uint32_t bytes)
{
	const uint64_t all = bits_below(bytes) << at % 64;

	return at % 64 + bytes <= 64 && (p->written[at / 64] & all) == all && !(p->undefined[at / 64] & all);
}

uint32_t undefined_memory_read(struct machine *m, uint64_t va, uint32_t bytes)
{
	uint32_t undefined = 0;

	for (uint32_t k = 0; k < bytes; k++) {
		struct memory_page *p = find_page(m, (va + k) >> PAGE_SHIFT);
		const unsigned at = (unsigned)((va + k) % PAGE);
		if (p && (!p->allocation || !p->host || (!k && at + bytes <= PAGE && is_known_defined(p, at, bytes)))) {
			if (at + bytes - k <= PAGE)
				break;
			continue;
		}
		undefined |= (uint32_t)(p && is_byte_undefined(p, at)) << k;
	}
	return undefined;
}

static void set_undefined_byte(struct memory_page *p, unsigned at, const struct stored_origin *from)
{
	p->undefined[at / 64] |= UINT64_C(1) << at % 64;
	stored_origins_note(&p->origins, at / 4, from);
}

void undefined_memory_write(
	struct machine *m, uint64_t va, uint32_t bytes, uint32_t undefined, const struct stored_origin *from)
{
	for (uint32_t k = 0; k < bytes; k++) {
		struct memory_page *p = find_page(m, (va + k) >> PAGE_SHIFT);
		const unsigned at = (unsigned)((va + k) % PAGE);
		const uint64_t bit = UINT64_C(1) << at % 64;
		if (!p || !p->allocation)
			continue;
		look_before_write(p, at);
		p->written[at / 64] |= bit;
		if (undefined >> k & 1)
			set_undefined_byte(p, at, from);
		else
			p->undefined[at / 64] &= ~bit;
	}
}

/* The bytes have their new values already. What they had before is unknown, so they count for those around them. */
static void define_bytes(struct memory_page *p, unsigned from, unsigned to)
{
	if (to - from == PAGE) {
		memset(p->written, 0xff, sizeof p->written);
		memset(p->undefined, 0, sizeof p->undefined);
		return;
	}
	for (unsigned k = from; k < to; k++) {
		p->written[k / 64] |= UINT64_C(1) << k % 64;
		p->undefined[k / 64] &= ~(UINT64_C(1) << k % 64);
	}
	if (p->host && from < to) {
		look_at_contents(p, from, 0);
		look_at_contents(p, to - 1, 0);
	}
}

void undefined_memory_define(struct machine *m, uint64_t va, uint64_t bytes)
{
	for (uint64_t at = va, end = va + bytes; at < end;) {
		struct memory_page *p = find_page(m, at >> PAGE_SHIFT);
		const uint64_t next = min_u64((at | (PAGE - 1)) + 1, end);
		if (p && p->allocation)
			define_bytes(p, at % PAGE, at % PAGE + (unsigned)(next - at));
		at = next;
	}
}

/* --- what the host reads --- */
/* The undefined bytes of a dword of the page, a bit each. */
static unsigned undefined_in_dword(const struct memory_page *p, unsigned dword)
{
	return p->undefined[dword / 16] >> dword % 16 * 4 & 15;
}

/* Its bytes count as defined from now on. */
static void take_dword(struct memory_page *p, unsigned dword, unsigned bytes, const struct undefined_reader *r)
{
	struct stored_origin from;

	bytes &= undefined_in_dword(p, dword);
	if (!bytes || !stored_origins_find(p->origins, dword, &from))
		return;
	p->undefined[dword / 16] &= ~((uint64_t)bytes << dword % 16 * 4);
	from.store.address = (p->number << PAGE_SHIFT) + 4 * dword + (unsigned)__builtin_ctz(bytes);
	r->found(r->context, &from, p->allocation);
}

void undefined_memory_take(struct machine *m, uint64_t va, uint64_t bytes, const struct undefined_reader *r)
{
	for (uint64_t at = va, end = va + bytes; at < end;) {
		struct memory_page *p = known_page(m->checks->memory, at >> PAGE_SHIFT);
		const uint64_t next = min_u64((at | (PAGE - 1)) + 1, end), base = at & ~(uint64_t)(PAGE - 1);
		if (p && p->epoch != m->vm.epoch)
			update_page(m, p);
		for (uint64_t d = at & ~UINT64_C(3); p && p->origins && d < next; d += 4) {
			const unsigned before = d < at ? (unsigned)(at - d) : 0,
				       after = d + 4 > next ? (unsigned)(d + 4 - next) : 0;
			take_dword(p, (unsigned)(d - base) / 4, 15u << before & 15u >> after, r);
		}
		at = next;
	}
}

bool undefined_memory_is_host(struct machine *m, uint64_t va)
{
	const struct vm_region *r = vm_find(&m->vm, va, 1, 0);

	return r && r->phys & VM_SYSTEM;
}
