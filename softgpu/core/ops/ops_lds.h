/* DS instructions. A lane that accesses any byte outside of the LDS allocated to the workgroup reads 0, and its stores
 * and atomics do nothing: "if any part of the LDS-address is out of range, the entire instruction returns zero" (RDNA3
 * ISA 3.3.4.1). The guides of gfx9 leave open what happens to an access that is partly outside (CDNA4 ISA), so it
 * is the same there. Each of the two addresses of an instruction counts for itself. M0 does not limit addresses on
 * these targets (LLVM, AMDGPUSubtarget: ldsRequiresM0Init). The sum of address and offset wraps at 32 bits (LLVM,
 * hasUsableDSOffset). Loads and stores may be misaligned, in the mode that amdkfd sets; atomics may not (12.7). */
#ifndef SOFTGPU_CORE_OPS_OPS_LDS_H
#define SOFTGPU_CORE_OPS_OPS_LDS_H

#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/memory/lds_timing.h"
#include "softgpu/core/ops/ops_vmem.h"
#include "softgpu/core/issue/global_wave_sync.h"
#include "softgpu/core/state/crossbar.h"

static inline unsigned bytes_to_dwords(uint32_t bytes)
{
	return (bytes + 3) / 4;
}

/* The address pattern of an access with two or more lanes. It is stored with the instruction while it stays the same.
 */
static const struct lds_memo *lds_lookup_pattern(
	struct wave *w, const struct uop *i, const uint32_t *at, uint64_t e, uint32_t bytes, bool atomic)
{
	struct lds_memo *memo = i->lds;
	uint32_t align = at[__builtin_ctzll(e)] & 3;

	if (!lane_pattern_matches(w->m, &memo->lanes, at, e) || memo->align != align) {
		lane_pattern_record(&memo->lanes, LANES, at, e, bytes);
		memo->align = align;
		memo->cycles = lds_bank_cycles(&w->m->model, at, e, bytes_to_dwords(bytes), atomic, &memo->conflict);
	}
	return memo;
}

/* Whether two or more lanes access elements of `bytes` bytes at a + offset in the recorded pattern, all inside LDS. */
static inline bool lds_pattern_repeats(
	struct wave *w, const struct uop *i, const uint32_t *a, uint32_t offset, uint32_t bytes)
{
	struct lds_memo *memo = i->lds;
	const uint64_t e = active_lanes(w);

	if (!(e & (e - 1)) || machine_is_observed(w->m) || !lane_pattern_matches(w->m, &memo->lanes, a, e))
		return false;
	uint32_t first = a[__builtin_ctzll(e)] + offset, lowest = first + memo->lanes.low;
	if (memo->align != (first & 3) || (uint64_t)lowest + memo->lanes.reach + bytes > w->lds_bytes)
		return false;
	memo->misses = 0;
	return true;
}

static __attribute__((noinline)) void lds_record_untimed(
	struct lds_memo *memo, const uint32_t *at, uint64_t e, uint32_t bytes)
{
	if (!lane_pattern_count_miss(&memo->misses))
		return;
	lane_pattern_record(&memo->lanes, LANES, at, e, bytes);
	memo->align = at[__builtin_ctzll(e)] & 3;
}

static uint32_t lds_access_cycles(struct wave *w, const struct uop *i, const uint32_t *at, uint64_t e, uint32_t bytes,
	bool atomic, uint32_t *conflict)
{
	if (!(e & (e - 1))) {
		*conflict = 0;
		return bytes > 4 && (at[__builtin_ctzll(e)] & 3) ? 2 : 1;
	}
	if (!w->m->model.timing) {
		lds_record_untimed(i->lds, at, e, bytes);
		return *conflict = 0;
	}
	const struct lds_memo *memo = lds_lookup_pattern(w, i, at, e, bytes, atomic);
	*conflict = memo->conflict;
	return memo->cycles;
}

/* Computes the byte address of each lane's element. Returns the lanes whose element is inside LDS. */
static inline uint64_t lds_lane_addresses(
	struct wave *w, const struct uop *i, uint32_t offset, uint32_t bytes, uint32_t *at)
{
	const uint32_t *a = vector_source(w, i, 0);
	uint64_t e = active_lanes(w), inside = e;
	uint32_t high = 0;

	if (e && !(e & (e - 1))) {
		unsigned l = __builtin_ctzll(e);
		at[l] = a[l] + offset;
		return at[l] <= w->lds_bytes - bytes && bytes <= w->lds_bytes ? e : 0;
	}
	for (unsigned l = 0; l < LANES; l++) {
		at[l] = a[l] + offset;
		high = at[l] > high ? at[l] : high;
	}
	if (bytes > w->lds_bytes)
		return 0;
	if (high > w->lds_bytes - bytes)
		for (unsigned l = 0; l < LANES; l++)
			inside &= ~((uint64_t)(at[l] > w->lds_bytes - bytes) << l);
	return inside;
}

static void lds_issue_access(
	struct wave *w, const struct uop *i, const uint32_t *at, uint32_t bytes, bool atomic, bool returns)
{
	if (machine_is_profiled(w->m))
		profiler_record_banks(w, at, active_lanes(w), bytes_to_dwords(bytes), atomic);
	uint64_t e = active_lanes(w);
	uint32_t conflict = 0, cycles = e ? lds_access_cycles(w, i, at, e, bytes, atomic, &conflict) : 0;

	lds_schedule_access(w, i, cycles, conflict, e, returns);
}

/* Stops the kernel if an active lane's atomic is not aligned to its size: an LDS alignment error is a memory violation
 * (Vega ISA, RDNA3 ISA 12.7). */
static __attribute__((noinline)) void report_misaligned_lds(
	struct wave *w, const struct uop *i, const uint32_t *at, uint32_t bytes)
{
	unsigned l;

	EACH_LANE(l, active_lanes(w))
	if (at[l] % bytes)
		machine_halt_misaligned(w, i, l, at[l], bytes);
}

static inline void lds_check_alignment(struct wave *w, const struct uop *i, const uint32_t *at, uint32_t bytes)
{
	const uint64_t e = active_lanes(w);
	uint32_t any = 0;

	if (!(e & (e - 1))) /* only this lane's address is known */
		any = e ? at[__builtin_ctzll(e)] : 0;
	else
		for (unsigned l = 0; l < LANES; l++)
			any |= at[l];
	if (any % bytes)
		report_misaligned_lds(w, i, at, bytes);
}

/* The address of the first lane's element if the pattern repeats, and times the access; otherwise NULL. */
static inline uint8_t *lds_fast_address(struct wave *w, const struct uop *i, uint32_t bytes, bool returns)
{
	const uint32_t *a = vector_source(w, i, 0),
		       first = a[__builtin_ctzll(active_lanes(w) | UINT64_C(1) << (LANES - 1))];

	if (!lds_pattern_repeats(w, i, a, i->d.imm, bytes))
		return NULL;
	lds_schedule_or_defer(w, i, i->lds->cycles, i->lds->conflict, active_lanes(w), returns);
	return w->lds + (uint32_t)(first + (uint32_t)i->d.imm);
}

static inline void lds_check_load(
	struct wave *w, const struct uop *i, const uint32_t *at, uint32_t bytes, uint32_t element, unsigned part)
{
	if (machine_is_checked(w->m))
		checker_access_lds(w, i,
			&(struct checked_lds){.at = at, .bytes = bytes, .element = element, .part = part},
			active_lanes(w));
}

static inline void lds_check_store(struct wave *w, const struct uop *i, const uint32_t *at, const uint32_t *data,
	uint32_t bytes, uint32_t element, uint32_t shift, unsigned part)
{
	if (machine_is_checked(w->m))
		checker_access_lds(w, i,
			&(struct checked_lds){.at = at,
				.data = data,
				.bytes = bytes,
				.element = element,
				.shift = shift,
				.part = part},
			active_lanes(w));
}

static inline void lds_check_atomic(struct wave *w, const struct uop *i, const uint32_t *at, uint32_t bytes,
	bool returns, unsigned part, uint64_t lanes)
{
	if (machine_is_checked(w->m))
		checker_access_lds(w, i,
			&(struct checked_lds){
				.at = at, .bytes = bytes, .part = part, .atomic = true, .returns = returns},
			lanes);
}

/* Computes the addresses of an access of one element for each lane, and times it. Returns the lanes inside LDS. */
static __attribute__((noinline)) uint64_t lds_begin_access(
	struct wave *w, const struct uop *i, uint32_t bytes, bool returns, uint32_t *at)
{
	const uint64_t inside = lds_lane_addresses(w, i, i->d.imm, bytes, at);

	lds_issue_access(w, i, at, bytes, false, returns);
	return inside;
}

FORCE_INLINE void lds_load(
	struct wave *w, const struct uop *i, unsigned n, unsigned bytes, bool sign, lane_load_fn *load_pattern)
{
	uint32_t at[LANES], *d = vgpr_data(w, i->d.dst);
	const uint8_t *base = lds_fast_address(w, i, n * bytes, true);
	unsigned l;

	if (base) {
		load_pattern(&i->lds->lanes, base, d);
		return;
	}
	const uint64_t inside = lds_begin_access(w, i, n * bytes, true, at);
	lds_check_load(w, i, at, n * bytes, bytes, 0);
	EACH_LANE(l, active_lanes(w))
	for (unsigned k = 0; k < n; k++)
		d[k * LANES + l] = inside >> l & 1 ? load_one_element(w->lds + at[l] + k * bytes, bytes, sign) : 0;
}
#define DS_LOAD(ctype, n) lds_load(w, i, n, sizeof(ctype), IS_SIGNED(ctype), load_lanes_##ctype##_##n)

FORCE_INLINE void lds_load_half(struct wave *w, const struct uop *i, unsigned bytes, bool sign, unsigned shift)
{
	uint32_t at[LANES], *d = vgpr_data(w, i->d.dst);
	const uint64_t inside = lds_begin_access(w, i, bytes, true, at);
	const uint32_t stays = model_clears_other_half(&w->m->model) ? 0 : UINT32_MAX;
	unsigned l;

	lds_check_load(w, i, at, bytes, bytes, 0);
	EACH_LANE(l, active_lanes(w))
	d[l] = replace_half(d[l] & stays, inside >> l & 1 ? load_one_element(w->lds + at[l], bytes, sign) : 0, shift);
}
#define DS_LOAD_D16(ctype, hi) lds_load_half(w, i, sizeof(ctype), IS_SIGNED(ctype), (hi)*16)

FORCE_INLINE void lds_store(
	struct wave *w, const struct uop *i, unsigned n, unsigned bytes, unsigned shift, lane_store_fn *store_pattern)
{
	const uint32_t *d = vgpr_data(w, i->d.src[1]);
	uint8_t *base = lds_fast_address(w, i, n * bytes, false);
	uint32_t at[LANES];
	unsigned l;

	if (base) {
		store_pattern(&i->lds->lanes, base, d);
		return;
	}
	const uint64_t inside = lds_begin_access(w, i, n * bytes, false, at);
	lds_check_store(w, i, at, d, n * bytes, bytes, shift, 0);
	EACH_LANE(l, inside)
	store_lane(w->lds + at[l], d + l, n, bytes, shift);
}
#define DS_STORE(ctype, n) lds_store(w, i, n, sizeof(ctype), 0, store_lanes_##ctype##_##n##_0)
#define DS_STORE_HI(ctype) lds_store(w, i, 1, sizeof(ctype), 16, store_lanes_##ctype##_1_16)

/* --- two elements per lane, at offsets in units of `unit` bytes --- */
/* The addresses of both parts, and the cycles of both: the instruction uses the banks twice. */
struct lds_pair {
	uint32_t cycles, conflict;
	uint32_t at[2][LANES];
	uint64_t inside[2];
};

static __attribute__((noinline)) void lds_begin_pair(
	struct wave *w, const struct uop *i, uint32_t unit, uint32_t bytes, struct lds_pair *p)
{
	const uint64_t e = active_lanes(w);
	uint32_t conflict;

	p->cycles = p->conflict = 0;
	for (unsigned part = 0; part < 2; part++) {
		uint32_t offset = (part ? i->d.offset1 : (uint32_t)i->d.imm) * unit;
		p->inside[part] = lds_lane_addresses(w, i, offset, bytes, p->at[part]);
		if (e) {
			p->cycles += lds_access_cycles(w, i, p->at[part], e, bytes, false, &conflict);
			p->conflict += conflict;
		}
		if (machine_is_profiled(w->m))
			profiler_record_banks(w, p->at[part], e, bytes_to_dwords(bytes), false);
	}
}

/* Executes a pair access inside LDS whose pattern repeats, which is the usual case; otherwise returns false. A
 * destination may overlap the address register. */
FORCE_INLINE bool lds_pair_repeats(struct wave *w, const struct uop *i, uint32_t unit, unsigned dwords, bool store)
{
	const uint32_t *a = vector_source(w, i, 0),
		       first = a[__builtin_ctzll(active_lanes(w) | UINT64_C(1) << (LANES - 1))],
		       low = i->lds->lanes.low;
	uint32_t offset[2] = {(uint32_t)i->d.imm * unit, i->d.offset1 * unit};
	uint32_t last = offset[0] > offset[1] ? offset[0] : offset[1], least = offset[0] + offset[1] - last;

	if (!lds_pattern_repeats(w, i, a, last, 4 * dwords) || first + least + low > first + last + low)
		return false;
	for (unsigned part = 0; part < 2; part++) {
		uint8_t *base = w->lds + (uint32_t)(first + offset[part]);
		uint32_t *d = store ? vgpr_data(w, i->d.src[1 + part]) : vgpr_data(w, i->d.dst) + part * dwords * LANES;
		if (store)
			(dwords == 1 ? store_lanes_uint32_t_1_0 : store_lanes_uint32_t_2_0)(&i->lds->lanes, base, d);
		else
			(dwords == 1 ? load_lanes_uint32_t_1 : load_lanes_uint32_t_2)(&i->lds->lanes, base, d);
	}
	lds_schedule_or_defer(w, i, 2 * i->lds->cycles, 2 * i->lds->conflict, active_lanes(w), !store);
	return true;
}

/* A destination may overlap the address register and the data, so nothing is written before both parts are read. */
static __attribute__((noinline)) void lds_write_pair(
	struct wave *w, const struct uop *i, const uint32_t *cells, unsigned dwords)
{
	unsigned l;

	EACH_LANE(l, active_lanes(w))
	for (unsigned k = 0; k < 2 * dwords; k++)
		vgpr_data(w, i->d.dst)[k * LANES + l] = cells[k * LANES + l];
}

FORCE_INLINE void lds_load_pair(struct wave *w, const struct uop *i, uint32_t unit, unsigned dwords)
{
	uint32_t cells[4 * LANES];
	struct lds_pair p;
	unsigned l;

	if (lds_pair_repeats(w, i, unit, dwords, false))
		return;
	lds_begin_pair(w, i, unit, 4 * dwords, &p);
	for (unsigned part = 0; part < 2; part++)
		lds_check_load(w, i, p.at[part], 4 * dwords, 4, part);
	for (unsigned part = 0; part < 2; part++)
		EACH_LANE(l, active_lanes(w))
		{
			uint32_t *cell = cells + part * dwords * LANES + l;
			if (p.inside[part] >> l & 1)
				load_lane(w->lds + p.at[part][l], cell, dwords, 4, false);
			else
				for (unsigned k = 0; k < dwords; k++)
					cell[k * LANES] = 0;
		}
	lds_schedule_access(w, i, p.cycles, p.conflict, active_lanes(w), true);
	lds_write_pair(w, i, cells, dwords);
}
#define DS_LOAD2(ctype, mul) lds_load_pair(w, i, (mul) * sizeof(ctype), sizeof(ctype) / 4)

FORCE_INLINE void lds_store_pair(struct wave *w, const struct uop *i, uint32_t unit, unsigned dwords)
{
	struct lds_pair p;
	unsigned l;

	if (lds_pair_repeats(w, i, unit, dwords, true))
		return;
	lds_begin_pair(w, i, unit, 4 * dwords, &p);
	for (unsigned part = 0; part < 2; part++)
		lds_check_store(w, i, p.at[part], vgpr_data(w, i->d.src[1 + part]), 4 * dwords, 4, 0, part);
	for (unsigned part = 0; part < 2; part++)
		EACH_LANE(l, p.inside[part])
	store_lane(w->lds + p.at[part][l], vgpr_data(w, i->d.src[1 + part]) + l, dwords, 4, 0);
	lds_schedule_access(w, i, p.cycles, p.conflict, active_lanes(w), false);
}
#define DS_STORE2(ctype, mul) lds_store_pair(w, i, (mul) * sizeof(ctype), sizeof(ctype) / 4)

/* Exchanges: the second part finds what the first one has stored. */
FORCE_INLINE void lds_exchange_pair(struct wave *w, const struct uop *i, uint32_t unit, unsigned dwords)
{
	uint32_t cells[4 * LANES] = {0};
	struct lds_pair p;
	unsigned l;

	lds_begin_pair(w, i, unit, 4 * dwords, &p);
	for (unsigned part = 0; part < 2; part++)
		lds_check_atomic(w, i, p.at[part], 4 * dwords, true, part, active_lanes(w));
	for (unsigned part = 0; part < 2; part++)
		EACH_LANE(l, p.inside[part])
		{
			uint8_t *cell = w->lds + p.at[part][l];
			if (p.at[part][l] % (4 * dwords))
				machine_halt_misaligned(w, i, l, p.at[part][l], 4 * dwords);
			load_lane(cell, cells + part * dwords * LANES + l, dwords, 4, false);
			store_lane(cell, vgpr_data(w, i->d.src[1 + part]) + l, dwords, 4, 0);
		}
	lds_schedule_access(w, i, p.cycles, p.conflict, active_lanes(w), true);
	lds_write_pair(w, i, cells, dwords);
}
#define DS_XCHG2(ctype, mul) lds_exchange_pair(w, i, (mul) * sizeof(ctype), sizeof(ctype) / 4)

static __attribute__((noinline)) uint64_t lds_begin_atomic(
	struct wave *w, const struct uop *i, uint32_t bytes, bool returns, uint32_t *at)
{
	const uint64_t inside = lds_lane_addresses(w, i, i->d.imm, bytes, at);

	lds_check_atomic(w, i, at, bytes, returns, 0, active_lanes(w));
	lds_check_alignment(w, i, at, bytes);
	lds_issue_access(w, i, at, bytes, true, returns);
	return inside;
}

#define DS_ATOMIC(ctype, new)                                                               \
	do {                                                                                \
		uint32_t at[LANES];                                                         \
		unsigned l;                                                                 \
		const bool returns = i->d.dst != ISA_NONE;                                  \
		const uint64_t inside = lds_begin_atomic(w, i, sizeof(ctype), returns, at); \
		EACH_LANE(l, active_lanes(w))                                               \
		{                                                                           \
			ctype A UNUSED = 0, B UNUSED = 0, OLD = 0;                          \
			cell_read(vgpr_data(w, i->d.src[1]), l, &A, sizeof A);              \
			if (i->d.src[2] != ISA_NONE)                                        \
				cell_read(vgpr_data(w, i->d.src[2]), l, &B, sizeof B);      \
			if (inside >> l & 1) {                                              \
				OLD = READ_AT(ctype, w->lds + at[l]);                       \
				WRITE_AT(ctype, w->lds + at[l], (new));                     \
			}                                                                   \
			if (returns)                                                        \
				cell_write(vgpr_data(w, i->d.dst), l, &OLD, sizeof OLD);    \
		}                                                                           \
	} while (0)

/* The address of the second cell. Its distance in dwords is in 15 bits of the offset or, if bit 15 of the offset is
 * set, in bits 17-31 of the address. Vega ISA 12.13, DS_ADD_SRC2_U32. */
static inline uint32_t lds_src2_address(const struct uop *i, uint32_t *address)
{
	int32_t distance = (int32_t)((uint32_t)i->d.imm << 17) >> 17;

	if (i->d.imm & 0x8000) {
		distance = (int32_t)*address >> 17;
		*address &= 0x1ffff;
	}
	return *address + 4 * (uint32_t)distance;
}

static __attribute__((noinline)) void lds_begin_src2(
	struct wave *w, const struct uop *i, uint32_t bytes, uint32_t *at, uint32_t *from)
{
	const uint32_t *a = vector_source(w, i, 0);

	for (unsigned l = 0; l < LANES; l++) {
		at[l] = a[l];
		from[l] = lds_src2_address(i, &at[l]);
	}
	lds_check_load(w, i, from, bytes, bytes, 0);
	lds_check_atomic(w, i, at, bytes, false, 0, active_lanes(w));
	lds_check_alignment(w, i, at, bytes);
	lds_issue_access(w, i, at, 2 * bytes, true, false);
}

#define DS_SRC2(ctype, new)                                                               \
	do {                                                                              \
		uint32_t at[LANES], from[LANES];                                          \
		const uint32_t last = w->lds_bytes - (uint32_t)sizeof(ctype);             \
		unsigned l;                                                               \
		lds_begin_src2(w, i, sizeof(ctype), at, from);                            \
		EACH_LANE(l, active_lanes(w))                                             \
		{                                                                         \
			if (w->lds_bytes < sizeof(ctype) || at[l] > last)                 \
				continue;                                                 \
			ctype A = from[l] <= last ? READ_AT(ctype, w->lds + from[l]) : 0, \
			      OLD UNUSED = READ_AT(ctype, w->lds + at[l]);                \
			WRITE_AT(ctype, w->lds + at[l], (new));                           \
		}                                                                         \
	} while (0)

/* --- across lanes: these use the crossbar of LDS, but not its memory --- */
static void lds_issue_crossbar(struct wave *w, const struct uop *i)
{
	lds_schedule_access(w, i, 2, 0, active_lanes(w), true);
}

#define DS_SWIZZLE                                                 \
	do {                                                       \
		const uint32_t *a = vector_source(w, i, 0);        \
		uint32_t old[LANES], *d = vgpr_data(w, i->d.dst);  \
		uint64_t e = active_lanes(w);                      \
		unsigned l;                                        \
		memcpy(old, a, sizeof old);                        \
		EACH_LANE(l, e)                                    \
		{                                                  \
			unsigned from = swizzle_lane(i->d.imm, l); \
			d[l] = e >> from & 1 ? old[from] : 0;      \
		}                                                  \
		lds_issue_crossbar(w, i);                          \
	} while (0)

#if GFX11
#define PERMUTED_LANES 32
#else
#define PERMUTED_LANES LANES
#endif

#define DS_PERMUTE                                                                          \
	do {                                                                                \
		const uint32_t *a = vector_source(w, i, 0), *s = vgpr_data(w, i->d.src[1]); \
		uint32_t out[LANES] = {0}, *d = vgpr_data(w, i->d.dst);                     \
		unsigned l;                                                                 \
		EACH_LANE(l, active_lanes(w))                                               \
		out[permuted_lane(PERMUTED_LANES, l, a[l] + (uint32_t)i->d.imm)] = s[l];    \
		EACH_LANE(l, active_lanes(w))                                               \
		d[l] = out[l];                                                              \
		lds_issue_crossbar(w, i);                                                   \
	} while (0)

#define DS_BPERMUTE                                                                                  \
	do {                                                                                         \
		const uint32_t *a = vector_source(w, i, 0), *s = vgpr_data(w, i->d.src[1]);          \
		uint32_t out[LANES], *d = vgpr_data(w, i->d.dst);                                    \
		uint64_t e = active_lanes(w);                                                        \
		unsigned l;                                                                          \
		for (l = 0; l < LANES; l++) {                                                        \
			unsigned from = permuted_lane(PERMUTED_LANES, l, a[l] + (uint32_t)i->d.imm); \
			out[l] = e >> from & 1 ? s[from] : 0;                                        \
		}                                                                                    \
		EACH_LANE(l, e)                                                                      \
		d[l] = out[l];                                                                       \
		lds_issue_crossbar(w, i);                                                            \
	} while (0)

/* --- addresses from M0 --- */
#define ADDTID(l) ((M0 & 0xffff) + (uint32_t)i->d.imm + (l)*4)
static inline void lds_addtid_addresses(const struct wave *w, const struct uop *i, uint32_t *at)
{
	for (unsigned l = 0; l < LANES; l++)
		at[l] = ADDTID(l);
}

#define DS_ADDTID_LOAD                                                                                                 \
	do {                                                                                                           \
		unsigned l;                                                                                            \
		uint32_t at[LANES];                                                                                    \
		lds_addtid_addresses(w, i, at);                                                                        \
		lds_check_load(w, i, at, 4, 4, 0);                                                                     \
		EACH_LANE(l, active_lanes(w))                                                                          \
		vgpr_data(w, i->d.dst)[l] = ADDTID(l) + 4 <= w->lds_bytes ? READ_AT(uint32_t, w->lds + ADDTID(l)) : 0; \
		lds_schedule_access(w, i, 2, 0, active_lanes(w), true);                                                \
	} while (0)
#define DS_ADDTID_STORE                                                                       \
	do {                                                                                  \
		unsigned l;                                                                   \
		uint32_t at[LANES];                                                           \
		lds_addtid_addresses(w, i, at);                                               \
		lds_check_store(w, i, at, vgpr_data(w, i->d.src[1]), 4, 4, 0, 0);             \
		EACH_LANE(l, active_lanes(w))                                                 \
		if (ADDTID(l) + 4 <= w->lds_bytes)                                            \
			WRITE_AT(uint32_t, w->lds + ADDTID(l), vgpr_data(w, i->d.src[1])[l]); \
		lds_schedule_access(w, i, 2, 0, active_lanes(w), false);                      \
	} while (0)

static void lds_append_consume(struct wave *w, const struct uop *i, int sign)
{
	uint32_t at = (w->s[ISA_M0] >> 16) + (uint32_t)i->d.imm, old = 0;
	uint64_t e = active_lanes(w);
	uint32_t all[LANES];
	unsigned l;

	all[e ? __builtin_ctzll(e) : 0] = at;
	lds_check_atomic(w, i, all, 4, true, 0, e & -e);
	if (at + 4 <= w->lds_bytes) {
		memcpy(&old, w->lds + at, 4);
		uint32_t new = old + sign *__builtin_popcountll(e);
		memcpy(w->lds + at, &new, 4);
	}
	EACH_LANE(l, e)
	vgpr_data(w, i->d.dst)[l] = old;
	lds_schedule_access(w, i, 1, 0, e, true);
}
#define DS_APPEND  lds_append_consume(w, i, 1)
#define DS_CONSUME lds_append_consume(w, i, -1)

/* --- global wave sync: the value is that of the first active lane --- */
#define GWS(operation) gws_##operation(w, i, 0)
#define GWS_VALUE(operation) \
	gws_##operation(w, i, vector_source(w, i, 0)[active_lanes(w) ? __builtin_ctzll(active_lanes(w)) : 0])

#define LDS_OP(name, td, td2, t0, t1, t2, rate, traits, ...)                     \
	static void op_##name(struct wave *w UNUSED, const struct uop *i UNUSED) \
	{                                                                        \
		__VA_ARGS__;                                                     \
	}

#endif
