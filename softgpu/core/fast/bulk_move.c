#include "softgpu/core/fast/bulk_move.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/min_max.h"
#include "softgpu/core/fast/line_prefetch.h"

/* Consecutive bytes of one row of work-items. `phase`: bytes from the row's first item. */
struct piece {
	uint64_t to, from, bytes, phase;
};
typedef bool piece_visitor(struct launch *n, const struct piece *p, void *data);

/* --- which bytes --- */
/* The row at y and z of the work-items from x to `end`. */
static struct piece piece_of_row(const struct bulk_move *b, uint64_t x, uint64_t end, uint64_t y, uint64_t z)
{
	return (struct piece){b->to + x * b->bytes + y * b->to_pitch[0] + z * b->to_pitch[1],
		b->from + x * b->bytes + y * b->from_pitch[0] + z * b->from_pitch[1], (end - x) * b->bytes, 0};
}

/* The rows of `groups` workgroups that follow one another in x. */
static bool visit_groups_in_line(
	struct launch *n, const uint64_t group[3], uint64_t groups, piece_visitor *visit, void *data)
{
	const struct dispatch *d = n->d;
	const struct bulk_move *b = &d->move;
	uint64_t first[3], end[3];

	for (unsigned k = 0; k < 3; k++) {
		first[k] = group[k] * d->workgroup[k];
		end[k] = min_u64(b->items[k], first[k] + (k ? 1 : groups) * d->workgroup[k]);
	}
	if (first[0] >= end[0])
		return true;
	for (uint64_t z = first[2]; z < end[2]; z++)
		for (uint64_t y = first[1]; y < end[1]; y++) {
			const struct piece p = piece_of_row(b, first[0], end[0], y, z);
			if (!visit(n, &p, data))
				return false;
		}
	return true;
}

static bool visit_groups(struct launch *n, uint64_t first, uint64_t end, piece_visitor *visit, void *data)
{
	const uint32_t *grid = n->grid;

	while (first < end) {
		const uint64_t line = first / grid[0], group[3] = {first % grid[0], line % grid[1], line / grid[1]},
			       groups = min_u64(end - first, grid[0] - group[0]);
		if (!visit_groups_in_line(n, group, groups, visit, data))
			return false;
		first += groups;
	}
	return true;
}

/* Where the first bytes are in host memory; NULL: not mapped so. Lowers *bytes to those of the same mapping. */
static uint8_t *find_host_bytes(struct launch *n, uint64_t va, uint64_t *bytes, unsigned access)
{
	const struct vm_region *r = vm_find(&n->m->vm, va, 1, access);

	if (!r)
		return NULL;
	*bytes = min_u64(*bytes, r->size - (va - r->va));
	return r->host + (va - r->va);
}

static void advance_piece(struct piece *p, uint64_t bytes)
{
	p->to += bytes;
	p->from += bytes;
	p->phase += bytes;
	p->bytes -= bytes;
}

/* --- memory --- */
/* The kernel handles pages that this process has not used yet, sixteen at a time; each would be a page fault else,
 * which takes longer than to copy it. Where the kernel may not or cannot (pages that the program protects), the access
 * itself shows why. */
enum { BY_KERNEL = 1 << 14 };

static void write_host_bytes(void *to, const void *from, size_t bytes)
{
	const struct iovec here = {(void *)from, bytes}, there = {to, bytes};

	if (bytes < BY_KERNEL || process_vm_writev(getpid(), &here, 1, &there, 1, 0) != (ssize_t)bytes)
		memcpy(to, from, bytes);
}

static void read_host_bytes(void *to, const void *from, size_t bytes)
{
	const struct iovec here = {to, bytes}, there = {(void *)from, bytes};

	if (bytes < BY_KERNEL || process_vm_readv(getpid(), &here, 1, &there, 1, 0) != (ssize_t)bytes)
		memcpy(to, from, bytes);
}

/* What is written: the pattern, repeated in whole, or the last bytes read. */
enum { BLOCK = 1 << 16 };
struct source {
	uint8_t block[BLOCK];
	uint64_t size;
};

static void repeat_pattern(struct source *s, const struct bulk_move *b)
{
	for (s->size = 0; s->size + b->bytes <= BLOCK; s->size += b->bytes)
		memcpy(s->block + s->size, b->pattern, b->bytes);
}

/* The bytes that belong at the begin of the piece, or fewer; NULL: not mapped. */
static const uint8_t *find_source_bytes(struct launch *n, struct source *s, const struct piece *p, uint64_t *bytes)
{
	if (!n->d->move.copies) {
		const uint64_t at = p->phase % s->size;
		*bytes = min_u64(*bytes, s->size - at);
		return s->block + at;
	}
	*bytes = min_u64(*bytes, BLOCK);
	const uint8_t *from = find_host_bytes(n, p->from, bytes, VM_READ);
	if (from)
		read_host_bytes(s->block, from, *bytes);
	return from ? s->block : NULL;
}

static bool write_piece(struct launch *n, const struct piece *piece, void *data)
{
	for (struct piece p = *piece; p.bytes;) {
		uint64_t bytes = p.bytes;
		uint8_t *to = find_host_bytes(n, p.to, &bytes, VM_WRITE);
		const uint8_t *from = find_source_bytes(n, data, &p, &bytes);
		if (!to || !from)
			return false;
		write_host_bytes(to, from, bytes);
		advance_piece(&p, bytes);
	}
	return true;
}

static bool compare_piece(struct launch *n, const struct piece *piece, void *data)
{
	for (struct piece p = *piece; p.bytes;) {
		uint64_t bytes = p.bytes;
		const uint8_t *to = find_host_bytes(n, p.to, &bytes, VM_WRITE);
		const uint8_t *from = find_source_bytes(n, data, &p, &bytes);
		if (!to || !from || memcmp(to, from, bytes))
			return false;
		advance_piece(&p, bytes);
	}
	return true;
}

static bool visit_with_pattern(struct launch *n, uint64_t first, uint64_t end, piece_visitor *visit)
{
	struct source s;

	repeat_pattern(&s, &n->d->move);
	return visit_groups(n, first, end, visit, &s);
}

bool bulk_move_perform(struct launch *n, uint64_t first, uint64_t end)
{
	return visit_with_pattern(n, first, end, write_piece);
}

bool bulk_move_is_done(struct launch *n, uint64_t first, uint64_t end)
{
	return visit_with_pattern(n, first, end, compare_piece);
}

/* --- lines --- */
struct requests {
	cycle_t t;
	uint64_t count;
};

/* The physical address of the first bytes. They are mapped (bulk_move_is_plain), or else have none: 0. */
static uint64_t find_physical_bytes(struct launch *n, uint64_t va, uint64_t *bytes)
{
	const struct vm_region *r = vm_find(&n->m->vm, va, 1, 0);

	if (!r)
		return 0;
	*bytes = min_u64(*bytes, r->size - (va - r->va));
	return r->phys + (va - r->va);
}

/* L1 reads whole lines of its own, and stores those of 64 bytes (l1.c). */
static void request_loads(struct launch *n, uint64_t va, uint64_t left, struct requests *q)
{
	for (uint64_t bytes; left; left -= bytes, va += bytes) {
		bytes = left;
		const uint64_t phys = find_physical_bytes(n, va, &bytes), last = (phys + bytes - 1) >> LINE_BITS;
		for (uint64_t line = phys >> LINE_BITS >> n->m->l1_shift; line <= last >> n->m->l1_shift;
			line++, q->count++) {
			prefetch_line(n->m, (line << n->m->l1_shift) + PREFETCH_LINES, true);
			l2_load(n->m, line << n->m->l1_shift, q->t, NULL);
		}
	}
}

static void request_stores(struct launch *n, uint64_t va, uint64_t left, struct requests *q)
{
	for (uint64_t bytes; left; left -= bytes, va += bytes) {
		bytes = left;
		const uint64_t phys = find_physical_bytes(n, va, &bytes), last = (phys + bytes - 1) >> LINE_BITS;
		for (uint64_t line = phys >> LINE_BITS; line <= last; line++, q->count++) {
			if (!(line & n->m->l2_shift))
				prefetch_line(n->m, line + PREFETCH_LINES, false);
			l2_store(n->m, line, q->t, n->m->model.l2_line_cycles, NULL);
		}
	}
}

static bool request_piece(struct launch *n, const struct piece *p, void *data)
{
	if (n->d->move.copies)
		request_loads(n, p->from, p->bytes, data);
	request_stores(n, p->to, p->bytes, data);
	return true;
}

uint64_t bulk_move_request_lines(struct launch *n, uint64_t first, uint64_t end, cycle_t t)
{
	struct requests q = {t, 0};

	visit_groups(n, first, end, request_piece, &q);
	return q.count;
}

/* --- which launches --- */
/* The end of what the work-items reach from `start` on; 0: it does not fit into an address. */
static uint64_t end_of_range(const struct bulk_move *b, uint64_t start, const uint64_t pitch[2])
{
	uint64_t end, y, z;

	if (!b->items[0] || !b->items[1] || !b->items[2] || __builtin_mul_overflow(b->items[0], b->bytes, &end) ||
		__builtin_mul_overflow(b->items[1] - 1, pitch[0], &y) ||
		__builtin_mul_overflow(b->items[2] - 1, pitch[1], &z) || __builtin_add_overflow(end, y, &end) ||
		__builtin_add_overflow(end, z, &end) || __builtin_add_overflow(end, start, &end))
		return 0;
	return end;
}

/* Physical addresses, from the lowest to the end of the highest. */
struct physical_range {
	uint64_t low, high;
};

/* False: not all of it is mapped so, or some is not in the GPU's memory. */
static bool find_physical_range(
	struct launch *n, uint64_t va, uint64_t end, unsigned access, struct physical_range *out)
{
	*out = (struct physical_range){UINT64_MAX, 0};
	while (va < end) {
		const struct vm_region *r = vm_find(&n->m->vm, va, 1, access);
		if (!r || r->phys >= LAUNCH_PHYS)
			return false;
		const uint64_t into = va - r->va, bytes = min_u64(r->size - into, end - va);
		out->low = min_u64(out->low, r->phys + into);
		out->high = max_u64(out->high, r->phys + into + bytes);
		va += bytes;
	}
	return true;
}

bool bulk_move_is_plain(struct launch *n)
{
	const struct bulk_move *b = &n->d->move;
	const uint64_t to_end = end_of_range(b, b->to, b->to_pitch), from_end = end_of_range(b, b->from, b->from_pitch);
	struct physical_range to, from;

	if (!to_end || !find_physical_range(n, b->to, to_end, VM_WRITE, &to))
		return false;
	if (!b->copies)
		return true;
	return from_end && find_physical_range(n, b->from, from_end, VM_READ, &from) &&
		(from.high <= to.low || to.high <= from.low);
}

/* The lines of workgroups along x whose waves all have active work-items: those that are whole in y, and also the last
 * one if each wave has all of its y. */
static uint64_t count_active_lines(const struct launch *n)
{
	const uint64_t items = n->d->move.items[1];
	const uint16_t *size = n->d->workgroup;

	return n->lanes % (size[0] * size[1]) || items <= (uint64_t)(n->grid[1] - 1) * size[1]
		? min_u64(items / size[1], n->grid[1])
		: n->grid[1];
}

/* A wave without active work-items leaves the kernel at once. In a grid of several dimensions, a wave has whole rows of
 * its workgroup, so its work-items in x need not all be active. */
uint64_t bulk_move_uniform_groups(const struct launch *n)
{
	const uint64_t *items = n->d->move.items, planes = items[2] / n->d->workgroup[2];
	const uint16_t *size = n->d->workgroup;

	if (n->grid[1] == 1 && n->grid[2] == 1)
		return min_u64(items[0] / size[0], n->grid[0]);
	if (n->lanes % size[0] || items[0] <= (uint64_t)(n->grid[0] - 1) * size[0])
		return 0;
	const uint64_t lines = count_active_lines(n);
	if (lines < n->grid[1])
		return planes ? lines * n->grid[0] : 0;
	return lines * n->grid[0] * min_u64(planes, n->grid[2]);
}
