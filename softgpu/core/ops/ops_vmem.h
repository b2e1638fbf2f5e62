/* Vector memory instructions: FLAT, GLOBAL, SCRATCH, MUBUF, MTBUF. They first compute and check all addresses
 * (ops_vmem_address.h), then move the data through host pointers, one per lane. */
#ifndef SOFTGPU_CORE_OPS_OPS_VMEM_H
#define SOFTGPU_CORE_OPS_OPS_VMEM_H

#include "softgpu/core/ops/ops_lane_data.h"
#include "softgpu/core/ops/ops_vmem_address.h"
#include "softgpu/core/memory/window/store_overlay.h"

/* Byte n of the access of a misaligned lane. */
static uint8_t *misaligned_byte(const struct memory_access *x, unsigned l, unsigned n)
{
	unsigned into = x->at[l] & 3, at = into + n;

	return x->host[l] - into + (size_t)(at >> 2) * x->apart + (at & 3);
}

static void zero_lanes_outside(const struct wave *w, const struct memory_access *x, uint32_t *d, unsigned dwords)
{
	unsigned l;

	EACH_LANE(l, active_lanes(w) & ~(x->memory | x->lds))
	for (unsigned k = 0; k < dwords; k++)
		d[k * LANES + l] = 0;
}

/* Stores to memory, or where the wave's cluster keeps what it stores. */
static void store_bytes(struct wave *w, bool private, uint8_t *to, const void *from, uint32_t bytes)
{
	struct store_overlay *o = overlay_to_write(w);

	if (!o)
		memcpy(to, from, bytes);
	else if (private)
		overlay_write_private(o, to, from, bytes);
	else
		overlay_write(o, to, from, bytes);
}

/* Loads what the cluster sees. */
static void load_bytes(const struct wave *w, const uint8_t *from, void *to, uint32_t bytes)
{
	const struct store_overlay *o = overlay_to_ask(w);

	if (o)
		overlay_read(o, from, to, bytes);
	else
		memcpy(to, from, bytes);
}

/* The elements of a lane, in a row, where memory is not all that counts. */
static __attribute__((noinline)) void load_lane_bytes(
	const struct wave *w, const struct memory_access *x, unsigned l, void *to)
{
	const bool odd = x->odd >> l & 1;
	const uint32_t bytes = x->elements * x->bytes, inside = odd ? access_bytes_inside(x, l) : bytes,
		       piece = odd    ? 1
		: x->step == x->bytes ? bytes
				      : x->bytes;
	const uint8_t *from = access_host_pointer(x, l);

	memset(to, 0, bytes);
	for (uint32_t n = 0; n < inside; n += piece)
		load_bytes(w, odd ? misaligned_byte(x, l, n) : from + n / x->bytes * (size_t)x->step, (uint8_t *)to + n,
			piece);
}

static __attribute__((noinline)) void store_lane_bytes(
	struct wave *w, const struct uop *i, const struct memory_access *x, unsigned l, const void *from)
{
	const bool odd = x->odd >> l & 1, private = access_is_private(w, i, x);
	const uint32_t bytes = x->elements * x->bytes, inside = odd ? access_bytes_inside(x, l) : bytes,
		       piece = odd    ? 1
		: x->step == x->bytes ? bytes
				      : x->bytes;
	uint8_t *to = access_host_pointer(x, l);

	for (uint32_t n = 0; n < inside; n += piece)
		store_bytes(w, private, odd ? misaligned_byte(x, l, n) : to + n / x->bytes * (size_t)x->step,
			(const uint8_t *)from + n, piece);
}

/* Loads the elements of a lane, which are not contiguous in swizzled buffers and scratch. */
FORCE_INLINE void load_strided(
	const struct memory_access *x, const uint8_t *from, uint32_t *d, unsigned n, unsigned bytes, bool sign)
{
	if (x->step == bytes)
		load_lane(from, d, n, bytes, sign);
	else
		for (unsigned k = 0; k < n; k++)
			load_lane(from + k * (size_t)x->step, d + k * LANES, 1, bytes, sign);
}

FORCE_INLINE void store_strided(
	const struct memory_access *x, uint8_t *to, const uint32_t *d, unsigned n, unsigned bytes, unsigned shift)
{
	if (x->step == bytes)
		store_lane(to, d, n, bytes, shift);
	else
		for (unsigned k = 0; k < n; k++)
			store_lane(to + k * (size_t)x->step, d + k * LANES, 1, bytes, shift);
}

/* Lanes whose addresses are not those of a recorded pattern. */
FORCE_INLINE void load_each_lane(
	struct wave *w, const struct uop *i, uint32_t *d, unsigned n, unsigned bytes, bool sign)
{
	struct memory_access x;
	uint8_t cell[MAX_LANE_ELEMENTS * 4];
	unsigned l;

	if (!access_begin(w, i, &x, n, bytes, VM_READ))
		return;
	const uint64_t apart = overlay_to_ask(w) ? x.memory : x.odd;
	if (x.memory == ALL_LANES && x.window && !apart) {
		for (l = 0; l < LANES; l++)
			load_strided(&x, (const uint8_t *)(uintptr_t)x.to_host + x.at[l], d + l, n, bytes, sign);
		return;
	}
	EACH_LANE(l, x.memory & ~apart)
	load_strided(&x, access_host_pointer(&x, l), d + l, n, bytes, sign);
	EACH_LANE(l, apart)
	{
		load_lane_bytes(w, &x, l, cell);
		load_lane(cell, d + l, n, bytes, sign);
	}
	EACH_LANE(l, x.lds)
	load_lane(x.host[l], d + l, n, bytes, sign);
	zero_lanes_outside(w, &x, d, n);
}

/* Accesses with the recorded pattern, which the overlay takes part in. */
static __attribute__((noinline)) void load_overlaid(const struct store_overlay *o, const struct lane_pattern *p,
	const uint8_t *base, uint32_t *d, unsigned n, unsigned bytes, bool sign)
{
	const int32_t *relative = (const int32_t *)p->relative;
	uint8_t cell[MAX_LANE_ELEMENTS * 4];
	unsigned l;

	EACH_LANE(l, p->exec)
	{
		overlay_read(o, base + relative[l], cell, n * bytes);
		load_lane(cell, d + l, n, bytes, sign);
	}
}

static __attribute__((noinline)) void store_overlaid(struct store_overlay *o, const struct lane_pattern *p,
	uint8_t *base, const uint32_t *d, unsigned n, unsigned bytes, unsigned shift)
{
	const int32_t *relative = (const int32_t *)p->relative;
	uint8_t cell[16 * MAX_LANE_ELEMENTS * 4];
	unsigned l;

	if (p->exec == ALL_LANES && p->whole == WAVE_SHAPE_CONTIGUOUS) {
		for (unsigned g = 0; g < LANES; g += 16) {
			store_contiguous(cell, d + g, 16, n, bytes, shift);
			overlay_write(o, base + relative[g], cell, 16 * n * bytes);
		}
		return;
	}
	EACH_LANE(l, p->exec)
	{
		store_lane(cell, d + l, n, bytes, shift);
		overlay_write(o, base + relative[l], cell, n * bytes);
	}
}

FORCE_INLINE void load_memory(
	struct wave *w, const struct uop *i, unsigned n, unsigned bytes, bool sign, lane_load_fn *load_pattern)
{
	uint32_t *d = vgpr_data(w, i->d.dst);
	const uint8_t *base = access_may_defer(w, i) ? NULL : memory_fast_address(w, i, n, bytes, MEMORY_LOAD);
	const struct memory_memo *memo = base ? memory_memo_of(w, i) : NULL;
	const struct store_overlay *o = overlay_to_ask(w);

	if (base && o && overlay_has_line(o, base, memo->line, memo->count))
		load_overlaid(o, &memo->lanes, base, d, n, bytes, sign);
	else if (base)
		load_pattern(&memo->lanes, base, d);
	else if (w->in_run_ahead)
		w->run_ahead_blocked = true;
	else
		load_each_lane(w, i, d, n, bytes, sign);
}
#define LOAD(ctype, n) load_memory(w, i, n, sizeof(ctype), IS_SIGNED(ctype), load_lanes_##ctype##_##n)

/* Loads half of a register; the other half stays, or is cleared. */
FORCE_INLINE void load_half(struct wave *w, const struct uop *i, unsigned bytes, bool sign, unsigned shift)
{
	struct memory_access x;
	uint32_t *d = vgpr_data(w, i->d.dst);
	const uint32_t stays = model_clears_other_half(&w->m->model) ? 0 : UINT32_MAX;
	unsigned l;

	if (!access_begin(w, i, &x, 1, bytes, VM_READ))
		return;
	EACH_LANE(l, active_lanes(w))
	{
		uint8_t cell[2] = {0};
		if (x.memory >> l & 1)
			load_lane_bytes(w, &x, l, cell);
		else if (x.lds >> l & 1)
			memcpy(cell, x.host[l], bytes);
		d[l] = replace_half(d[l] & stays, load_one_element(cell, bytes, sign), shift);
	}
}
#define LOAD_D16(ctype, hi) load_half(w, i, sizeof(ctype), IS_SIGNED(ctype), (hi)*16)

FORCE_INLINE void store_each_lane(
	struct wave *w, const struct uop *i, const uint32_t *d, unsigned n, unsigned bytes, unsigned shift)
{
	struct memory_access x;
	uint8_t cell[MAX_LANE_ELEMENTS * 4];
	unsigned l;

	if (!access_begin(w, i, &x, n, bytes, VM_WRITE))
		return;
	const struct store_overlay *o = overlay_to_write(w);
	const uint64_t apart = o && (o->line.count || !access_is_private(w, i, &x)) ? x.memory : x.odd;
	EACH_LANE(l, x.memory & ~apart)
	store_strided(&x, access_host_pointer(&x, l), d + l, n, bytes, shift);
	EACH_LANE(l, apart)
	{
		store_lane(cell, d + l, n, bytes, shift);
		store_lane_bytes(w, i, &x, l, cell);
	}
	EACH_LANE(l, x.lds)
	store_lane(x.host[l], d + l, n, bytes, shift);
}

FORCE_INLINE void store_memory(
	struct wave *w, const struct uop *i, unsigned n, unsigned bytes, unsigned shift, lane_store_fn *store_pattern)
{
	const uint32_t *d = access_data(w, vgpr_data(w, store_data(i)));
	uint8_t *base = access_may_defer(w, i) ? NULL : memory_fast_address(w, i, n, bytes, MEMORY_STORE);
	const struct memory_memo *memo = base ? memory_memo_of(w, i) : NULL;
	struct store_overlay *o = overlay_to_write(w);

	if (base && o)
		store_overlaid(o, &memo->lanes, base, d, n, bytes, shift);
	else if (base)
		store_pattern(&memo->lanes, base, d);
	else
		store_each_lane(w, i, d, n, bytes, shift);
}
#define STORE(ctype, n) store_memory(w, i, n, sizeof(ctype), 0, store_lanes_##ctype##_##n##_0)
#define STORE_HI(ctype) store_memory(w, i, 1, sizeof(ctype), 16, store_lanes_##ctype##_1_16)

/* Copies a value from registers, and back. */
static inline void cell_read(const uint32_t *d, unsigned l, void *out, unsigned bytes)
{
	uint32_t pair[2] = {d[l], bytes > 4 ? d[LANES + l] : 0};

	memcpy(out, pair, bytes);
}

static inline void cell_write(uint32_t *d, unsigned l, const void *in, unsigned bytes)
{
	uint32_t pair[2];

	memcpy(pair, in, bytes);
	d[l] = pair[0];
	if (bytes > 4)
		d[LANES + l] = pair[1];
}

/* Host threads may also access the cell (signals), so this is a real atomic operation. */
static inline bool cell_swap(void *cell, const void *old, const void *new, unsigned bytes)
{
	if (bytes == 4)
		return __sync_bool_compare_and_swap((dword *)cell, *(const dword *)old, *(const dword *)new);
	return __sync_bool_compare_and_swap((qword *)cell, *(const qword *)old, *(const qword *)new);
}

/* "Atomics must be aligned to the data size, or triggers a MEMVIOL" (RDNA3 ISA 9.5; Vega ISA, memory violations).
 */
static __attribute__((noinline)) void report_misaligned_atomic(
	struct wave *w, const struct uop *i, unsigned l, unsigned bytes)
{
	const struct deferred_access *applied = access_applied(w);
	struct memory_access x;

	if (applied)
		access_copy(&x, &applied->x);
	else
		compute_addresses(w, i, &x, 1, bytes);
	machine_halt_misaligned(w, i, l, x.at[l], bytes);
}

#define ATOMIC(ctype, new)                                                                        \
	do {                                                                                      \
		struct memory_access x;                                                           \
		unsigned l;                                                                       \
		if (!access_begin(w, i, &x, 1, sizeof(ctype), VM_READ | VM_WRITE))                \
			break;                                                                    \
		const uint32_t *s = access_data(w, vgpr_data(w, store_data(i)));                  \
		const bool two = i->sources & 0x80; /* compare and swap: the data is two cells */ \
		EACH_LANE(l, x.memory | x.lds)                                                    \
		{                                                                                 \
			ctype A UNUSED, B UNUSED = 0, OLD, after;                                 \
			cell_read(s, l, &A, sizeof A);                                            \
			if (two)                                                                  \
				cell_read(s + sizeof(ctype) / 4 * LANES, l, &B, sizeof B);        \
			uint8_t *cell = access_host_pointer(&x, l);                               \
			if ((uintptr_t)cell % sizeof(ctype)) {                                    \
				report_misaligned_atomic(w, i, l, sizeof(ctype));                 \
				break;                                                            \
			}                                                                         \
			do {                                                                      \
				memcpy(&OLD, cell, sizeof OLD);                                   \
				after = (new);                                                    \
			} while (!cell_swap(cell, &OLD, &after, sizeof OLD));                     \
			if (i->d.flags & FLAG_GLC && i->d.dst != ISA_NONE)                        \
				cell_write(vgpr_data(w, i->d.dst), l, &OLD, sizeof OLD);          \
		}                                                                                 \
		if (i->d.flags & FLAG_GLC && i->d.dst != ISA_NONE)                                \
			zero_lanes_outside(w, &x, vgpr_data(w, i->d.dst), sizeof(ctype) / 4);     \
	} while (0)

#define BUFFER_WBINVL1 memory_invalidate_l1(w)

#define VECTOR_MEMORY(name, td, td2, t0, t1, t2, rate, traits, ...)              \
	static void op_##name(struct wave *w UNUSED, const struct uop *i UNUSED) \
	{                                                                        \
		__VA_ARGS__;                                                     \
	}

#endif
