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

	if (!(e & (e - 1)) || machine_is_profiled(w->m) || !lane_pattern_matches(w->m, &memo->lanes, a, e))
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

#define DS_LOAD(ctype, n)                                                                                           \
	do {                                                                                                        \
		uint32_t at[LANES];                                                                                 \
		unsigned l;                                                                                         \
		uint32_t *d = vgpr_data(w, i->d.dst);                                                               \
		const uint8_t *base = lds_fast_address(w, i, sizeof(ctype) * (n), true);                            \
		if (base) {                                                                                         \
			load_lanes(&i->lds->lanes, base, d, n, sizeof(ctype), (ctype)-1 < 1);                       \
			break;                                                                                      \
		}                                                                                                   \
		uint64_t inside = lds_lane_addresses(w, i, i->d.imm, sizeof(ctype) * (n), at);                      \
		lds_issue_access(w, i, at, sizeof(ctype) * (n), false, true);                                       \
		EACH_LANE(l, active_lanes(w))                                                                       \
		for (unsigned k = 0; k < (n); k++)                                                                  \
			d[k * LANES + l] =                                                                          \
				inside >> l & 1 ? (uint32_t)READ_AT(ctype, w->lds + at[l] + k * sizeof(ctype)) : 0; \
	} while (0)

#define DS_LOAD_D16(ctype, hi)                                                                       \
	do {                                                                                         \
		uint32_t at[LANES];                                                                  \
		unsigned l;                                                                          \
		uint64_t inside = lds_lane_addresses(w, i, i->d.imm, sizeof(ctype), at);             \
		uint32_t *d = vgpr_data(w, i->d.dst);                                                \
		lds_issue_access(w, i, at, sizeof(ctype), false, true);                              \
		EACH_LANE(l, active_lanes(w))                                                        \
		{                                                                                    \
			uint16_t v = inside >> l & 1 ? (uint16_t)READ_AT(ctype, w->lds + at[l]) : 0; \
			d[l] = (hi) ? (d[l] & 0xffff) | (uint32_t)v << 16 : (d[l] & 0xffff0000) | v; \
		}                                                                                    \
	} while (0)

#define DS_STORE_SHIFTED(ctype, n, shift)                                                                 \
	do {                                                                                              \
		uint32_t at[LANES];                                                                       \
		unsigned l;                                                                               \
		const uint32_t *d = vgpr_data(w, i->d.src[1]);                                            \
		uint8_t *base = lds_fast_address(w, i, sizeof(ctype) * (n), false);                       \
		if (base) {                                                                               \
			store_lanes(&i->lds->lanes, base, d, n, sizeof(ctype), shift);                    \
			break;                                                                            \
		}                                                                                         \
		uint64_t inside = lds_lane_addresses(w, i, i->d.imm, sizeof(ctype) * (n), at);            \
		lds_issue_access(w, i, at, sizeof(ctype) * (n), false, false);                            \
		EACH_LANE(l, inside)                                                                      \
		for (unsigned k = 0; k < (n); k++)                                                        \
			WRITE_AT(ctype, w->lds + at[l] + k * sizeof(ctype), d[k * LANES + l] >> (shift)); \
	} while (0)
#define DS_STORE(ctype, n) DS_STORE_SHIFTED(ctype, n, 0)
#define DS_STORE_HI(ctype) DS_STORE_SHIFTED(ctype, 1, 16)

/* Two elements per lane, at offsets in units of mul elements. One instruction that uses the banks twice. */
#define DS_PAIR(ctype, mul, returns, ...)                                                                             \
	do {                                                                                                          \
		uint32_t cycles = 0, conflict = 0, c;                                                                 \
		unsigned l;                                                                                           \
		for (unsigned part = 0; part < 2; part++) {                                                           \
			uint32_t at[LANES];                                                                           \
			uint32_t offset = (part ? i->d.offset1 : (uint32_t)i->d.imm) * (mul) * sizeof(ctype);         \
			uint64_t inside = lds_lane_addresses(w, i, offset, sizeof(ctype), at);                        \
			if (active_lanes(w))                                                                          \
				cycles += lds_access_cycles(w, i, at, active_lanes(w), sizeof(ctype), false, &c),     \
					conflict += c;                                                                \
			if (machine_is_profiled(w->m))                                                                \
				profiler_record_banks(w, at, active_lanes(w), bytes_to_dwords(sizeof(ctype)), false); \
			EACH_LANE(l, active_lanes(w))                                                                 \
			{                                                                                             \
				uint8_t *cell = inside >> l & 1 ? w->lds + at[l] : NULL;                              \
				__VA_ARGS__;                                                                          \
			}                                                                                             \
		}                                                                                                     \
		lds_schedule_access(w, i, cycles, conflict, active_lanes(w), returns);                                \
	} while (0)
/* Executes a pair access inside LDS whose pattern repeats, which is the usual case; otherwise returns false. A
 * destination may overlap the address register. */
static inline bool lds_pair_repeats(struct wave *w, const struct uop *i, uint32_t unit, unsigned dwords, bool store)
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
		if (store)
			store_lanes(&i->lds->lanes, base, vgpr_data(w, i->d.src[1 + part]), dwords, 4, 0);
		else
			load_lanes(
				&i->lds->lanes, base, vgpr_data(w, i->d.dst) + part * dwords * LANES, dwords, 4, false);
	}
	lds_schedule_or_defer(w, i, 2 * i->lds->cycles, 2 * i->lds->conflict, active_lanes(w), !store);
	return true;
}

/* A destination may overlap the address register, so nothing is written before both halves are read. */
#define DS_LOAD2(ctype, mul)                                                                                   \
	do {                                                                                                   \
		uint32_t first[2 * LANES], second[2 * LANES];                                                  \
		if (lds_pair_repeats(w, i, (mul) * sizeof(ctype), sizeof(ctype) / 4, false))                   \
			break;                                                                                 \
		DS_PAIR(ctype, mul, true, {                                                                    \
			ctype v = cell ? READ_AT(ctype, cell) : 0;                                             \
			cell_write(part ? second : first, l, &v, sizeof v);                                    \
		});                                                                                            \
		EACH_LANE_SIMPLE(l2, active_lanes(w))                                                          \
		for (unsigned k = 0; k < sizeof(ctype) / 4; k++) {                                             \
			vgpr_data(w, i->d.dst)[k * LANES + l2] = first[k * LANES + l2];                        \
			vgpr_data(w, i->d.dst)[(k + sizeof(ctype) / 4) * LANES + l2] = second[k * LANES + l2]; \
		}                                                                                              \
	} while (0)
#define EACH_LANE_SIMPLE(l, mask)            \
	for (unsigned l = 0; l < LANES; l++) \
		if ((mask) >> l & 1)
#define DS_STORE2(ctype, mul)                                                               \
	do {                                                                                \
		if (lds_pair_repeats(w, i, (mul) * sizeof(ctype), sizeof(ctype) / 4, true)) \
			break;                                                              \
		DS_PAIR(ctype, mul, false, {                                                \
			ctype v;                                                            \
			cell_read(vgpr_data(w, i->d.src[1 + part]), l, &v, sizeof v);       \
			if (cell)                                                           \
				WRITE_AT(ctype, cell, v);                                   \
		});                                                                         \
	} while (0)
#define DS_XCHG2(ctype, mul)                                                                                   \
	do {                                                                                                   \
		uint32_t first[2 * LANES], second[2 * LANES];                                                  \
		DS_PAIR(ctype, mul, true, {                                                                    \
			if (cell && at[l] % sizeof(ctype))                                                     \
				machine_halt_misaligned(w, i, l, at[l], sizeof(ctype));                        \
			ctype v, old = cell ? READ_AT(ctype, cell) : 0;                                        \
			cell_read(vgpr_data(w, i->d.src[1 + part]), l, &v, sizeof v);                          \
			if (cell)                                                                              \
				WRITE_AT(ctype, cell, v);                                                      \
			cell_write(part ? second : first, l, &old, sizeof old);                                \
		});                                                                                            \
		EACH_LANE_SIMPLE(l2, active_lanes(w))                                                          \
		for (unsigned k = 0; k < sizeof(ctype) / 4; k++) {                                             \
			vgpr_data(w, i->d.dst)[k * LANES + l2] = first[k * LANES + l2];                        \
			vgpr_data(w, i->d.dst)[(k + sizeof(ctype) / 4) * LANES + l2] = second[k * LANES + l2]; \
		}                                                                                              \
	} while (0)

#define DS_ATOMIC(ctype, new)                                                            \
	do {                                                                             \
		uint32_t at[LANES];                                                      \
		unsigned l;                                                              \
		uint64_t inside = lds_lane_addresses(w, i, i->d.imm, sizeof(ctype), at); \
		lds_check_alignment(w, i, at, sizeof(ctype));                            \
		const bool returns = i->d.dst != ISA_NONE;                               \
		lds_issue_access(w, i, at, sizeof(ctype), true, returns);                \
		EACH_LANE(l, active_lanes(w))                                            \
		{                                                                        \
			ctype A UNUSED = 0, B UNUSED = 0, OLD = 0;                       \
			cell_read(vgpr_data(w, i->d.src[1]), l, &A, sizeof A);           \
			if (i->d.src[2] != ISA_NONE)                                     \
				cell_read(vgpr_data(w, i->d.src[2]), l, &B, sizeof B);   \
			if (inside >> l & 1) {                                           \
				OLD = READ_AT(ctype, w->lds + at[l]);                    \
				WRITE_AT(ctype, w->lds + at[l], (new));                  \
			}                                                                \
			if (returns)                                                     \
				cell_write(vgpr_data(w, i->d.dst), l, &OLD, sizeof OLD); \
		}                                                                        \
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

#define DS_SRC2(ctype, new)                                                                                \
	do {                                                                                               \
		uint32_t at[LANES], from[LANES];                                                           \
		unsigned l;                                                                                \
		const uint32_t *a = vector_source(w, i, 0), last = w->lds_bytes - (uint32_t)sizeof(ctype); \
		for (l = 0; l < LANES; l++) {                                                              \
			at[l] = a[l];                                                                      \
			from[l] = lds_src2_address(i, &at[l]);                                             \
		}                                                                                          \
		lds_check_alignment(w, i, at, sizeof(ctype));                                              \
		lds_issue_access(w, i, at, 2 * sizeof(ctype), true, false);                                \
		EACH_LANE(l, active_lanes(w))                                                              \
		{                                                                                          \
			if (w->lds_bytes < sizeof(ctype) || at[l] > last)                                  \
				continue;                                                                  \
			ctype A = from[l] <= last ? READ_AT(ctype, w->lds + from[l]) : 0,                  \
			      OLD UNUSED = READ_AT(ctype, w->lds + at[l]);                                 \
			WRITE_AT(ctype, w->lds + at[l], (new));                                            \
		}                                                                                          \
	} while (0)

/* --- across lanes: these use the crossbar of LDS, but not its memory --- */
static void lds_issue_crossbar(struct wave *w, const struct uop *i)
{
	lds_schedule_access(w, i, 2, 0, active_lanes(w), true);
}

/* Vega ISA 12.13, DS_SWIZZLE_B32: bit 15 of the offset selects a quad permutation; otherwise and, or and xor masks
 * permute within 32 lanes. */
static unsigned swizzle_lane(uint32_t offset, unsigned l)
{
	if (offset & 0x8000)
		return (l & ~3u) | (offset >> 2 * (l & 3) & 3);
	return (l & 32) | ((((l & 31) & (offset & 31)) | (offset >> 5 & 31)) ^ (offset >> 10 & 31));
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

/* On gfx11 "in wave64 mode the permute operates only across 32 lanes at a time on each half" (RDNA3 ISA 12.5.2). */
#if GFX11
#define PERMUTED_LANES 32
#else
#define PERMUTED_LANES LANES
#endif
static inline unsigned permuted_lane(unsigned l, uint32_t address)
{
	return (l & ~(PERMUTED_LANES - 1u)) | (address >> 2 & (PERMUTED_LANES - 1));
}

#define DS_PERMUTE                                                                          \
	do {                                                                                \
		const uint32_t *a = vector_source(w, i, 0), *s = vgpr_data(w, i->d.src[1]); \
		uint32_t out[LANES] = {0}, *d = vgpr_data(w, i->d.dst);                     \
		unsigned l;                                                                 \
		EACH_LANE(l, active_lanes(w))                                               \
		out[permuted_lane(l, a[l] + (uint32_t)i->d.imm)] = s[l];                    \
		EACH_LANE(l, active_lanes(w))                                               \
		d[l] = out[l];                                                              \
		lds_issue_crossbar(w, i);                                                   \
	} while (0)

#define DS_BPERMUTE                                                                         \
	do {                                                                                \
		const uint32_t *a = vector_source(w, i, 0), *s = vgpr_data(w, i->d.src[1]); \
		uint32_t out[LANES], *d = vgpr_data(w, i->d.dst);                           \
		uint64_t e = active_lanes(w);                                               \
		unsigned l;                                                                 \
		for (l = 0; l < LANES; l++) {                                               \
			unsigned from = permuted_lane(l, a[l] + (uint32_t)i->d.imm);        \
			out[l] = e >> from & 1 ? s[from] : 0;                               \
		}                                                                           \
		EACH_LANE(l, e)                                                             \
		d[l] = out[l];                                                              \
		lds_issue_crossbar(w, i);                                                   \
	} while (0)

/* --- addresses from M0 --- */
#define ADDTID(l) ((M0 & 0xffff) + (uint32_t)i->d.imm + (l)*4)
#define DS_ADDTID_LOAD                                                                                                 \
	do {                                                                                                           \
		unsigned l;                                                                                            \
		EACH_LANE(l, active_lanes(w))                                                                          \
		vgpr_data(w, i->d.dst)[l] = ADDTID(l) + 4 <= w->lds_bytes ? READ_AT(uint32_t, w->lds + ADDTID(l)) : 0; \
		lds_schedule_access(w, i, 2, 0, active_lanes(w), true);                                                \
	} while (0)
#define DS_ADDTID_STORE                                                                       \
	do {                                                                                  \
		unsigned l;                                                                   \
		EACH_LANE(l, active_lanes(w))                                                 \
		if (ADDTID(l) + 4 <= w->lds_bytes)                                            \
			WRITE_AT(uint32_t, w->lds + ADDTID(l), vgpr_data(w, i->d.src[1])[l]); \
		lds_schedule_access(w, i, 2, 0, active_lanes(w), false);                      \
	} while (0)

static void lds_append_consume(struct wave *w, const struct uop *i, int sign)
{
	uint32_t at = (w->s[ISA_M0] >> 16) + (uint32_t)i->d.imm, old = 0;
	uint64_t e = active_lanes(w);
	unsigned l;

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
