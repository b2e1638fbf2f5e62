/* DS instructions. An element outside the workgroup's LDS reads as 0 and is not written. */
#ifndef SOFTGPU_CORE_OPS_LDS_H
#define SOFTGPU_CORE_OPS_LDS_H

#include "softgpu/core/inside.h"
#include "softgpu/core/lds.h"
#include "softgpu/core/ops_memory.h"

static void find_shapes(struct lds_memo *memo)
{
	for (unsigned g = 0; g < LDS_EIGHTS; g++) {
		const uint32_t *r = memo->relative + 8 * g;
		bool same = true, line = true;
		for (unsigned l = 1; l < 8; l++) {
			same &= r[l] == r[0];
			line &= r[l] == r[0] + 4 * l;
		}
		memo->shape[g] = same ? LDS_SAME : line ? LDS_IN_LINE : LDS_ANYHOW;
		memo->all = !g || memo->all == memo->shape[g] ? memo->shape[g] : LDS_ANYHOW;
	}
}

static void find_reach(struct lds_memo *memo)
{
	int32_t low = 0, high = 0;

	for (unsigned l = 0; l < LANES; l++) {
		int32_t r = memo->relative[l];
		low = r < low ? r : low;
		high = r > high ? r : high;
	}
	memo->low = low;
	memo->reach = (uint32_t)high - (uint32_t)low;
}

/* What is known of the access's pattern, which has two lanes or more: kept with the instruction while it stays the same. */
static const struct lds_memo *pattern(struct wave *w, const struct inst *i, const uint32_t *at, uint64_t e, unsigned dwords, bool atomic)
{
	struct lds_memo *memo = i->memo;
	uint32_t first = at[__builtin_ctzll(e)], differs = 0;
	const uint32_t *mask = spread_exec(w->m, e);

	for (unsigned l = 0; l < LANES; l++)
		differs |= ((at[l] - first) ^ memo->relative[l]) & mask[l];
	if (differs || memo->exec != e || memo->align != (first & 3)) {
		memo->exec = e;
		memo->align = first & 3;
		for (unsigned l = 0; l < LANES; l++)
			memo->relative[l] = at[l] - first;
		memo->cycles = lds_bank_cycles(&w->m->model, at, e, dwords, atomic, &memo->conflict);
		find_shapes(memo);
		find_reach(memo);
	}
	return memo;
}

/* Of an access of all lanes at a[] + offset, of so many bytes a lane: whether it lies as the last one did, inside LDS. */
static inline bool lies_as_before(const struct wave *w, const struct inst *i, const uint32_t *a, uint32_t offset, uint32_t bytes)
{
	const struct lds_memo *memo = i->memo;
	uint32_t first = a[0] + offset, differs = 0, room = w->lds_bytes - bytes - memo->reach;

	for (unsigned l = 0; l < LANES; l++)
		differs |= (a[l] - a[0]) ^ memo->relative[l];
	return !differs && !~memo->exec && memo->align == (first & 3) && w->lds_bytes >= (uint64_t)bytes + memo->reach && first + memo->low <= room;
}

static inline bool all_lanes(const struct wave *w)
{
	return !~exec_of(w) && !seen(w->m);
}

static uint32_t bank_cycles(struct wave *w, const struct inst *i, const uint32_t *at, uint64_t e, unsigned dwords, bool atomic,
	uint32_t *conflict)
{
	if (!(e & (e - 1))) {
		*conflict = 0;
		return dwords > 1 && (at[__builtin_ctzll(e)] & 3) ? 2 : 1;
	}
	const struct lds_memo *memo = pattern(w, i, at, e, dwords, atomic);
	*conflict = memo->conflict;
	return memo->cycles;
}

/* Byte addresses of one element a lane, and the lanes whose element lies inside. */
static inline uint64_t lds_at(struct wave *w, const struct inst *i, uint32_t offset, uint32_t bytes, uint32_t *at)
{
	const uint32_t *a = vector_source(w, i, 0);
	uint64_t e = exec_of(w), inside = e;
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

static void lds_access(struct wave *w, const struct inst *i, const uint32_t *at, unsigned dwords, bool atomic, bool returns)
{
	if (seen(w->m))
		inside_banks(w, at, exec_of(w), dwords, atomic);
	uint64_t e = exec_of(w);
	uint32_t conflict = 0, cycles = e ? bank_cycles(w, i, at, e, dwords, atomic, &conflict) : 0;

	lds_time(w, i, cycles, conflict, e, returns);
}

#define DWORDS(ctype, n) ((sizeof(ctype) * (n) + 3) / 4)

/* n dwords of eight lanes at `from`, in line or all the same. */
static inline void eight_in_line(const uint8_t *from, uint32_t *d, unsigned n)
{
	for (unsigned k = 0; k < n; k++)
		memcpy(d + k * LANES, from + 4 * k, 32);
}

static inline void eight_same(const uint8_t *from, uint32_t *d, unsigned n)
{
	for (unsigned k = 0; k < n; k++) {
		uint32_t v = READ_AT(uint32_t, from + 4 * k);
		for (unsigned l = 0; l < 8; l++)
			d[k * LANES + l] = v;
	}
}

/* n dwords of each lane; the first lane's are at `base`, the others lie as the memo says, all lanes. */
static inline void all_load(const struct lds_memo *memo, const uint8_t *base, uint32_t *d, unsigned n)
{
	const int32_t *relative = (const int32_t *)memo->relative;

	if (memo->all == LDS_IN_LINE) {
		for (unsigned g = 0; g < LANES; g += 8)
			eight_in_line(base + relative[g], d + g, n);
		return;
	}
	if (memo->all == LDS_SAME) {
		for (unsigned g = 0; g < LANES; g += 8)
			eight_same(base + relative[g], d + g, n);
		return;
	}
	for (unsigned g = 0; g < LANES; g += 8) {
		if (memo->shape[g / 8] == LDS_IN_LINE)
			eight_in_line(base + relative[g], d + g, n);
		else if (memo->shape[g / 8] == LDS_SAME)
			eight_same(base + relative[g], d + g, n);
		else
			for (unsigned l = g; l < g + 8; l++)
				for (unsigned k = 0; k < n; k++)
					d[k * LANES + l] = READ_AT(uint32_t, base + relative[l] + 4 * k);
	}
}

/* The other way; of lanes that write the same dword the last one stays. */
static inline void all_store(const struct lds_memo *memo, uint8_t *base, const uint32_t *d, unsigned n)
{
	if (memo->all == LDS_IN_LINE && n == 1) {
		for (unsigned g = 0; g < LANES; g += 8)
			memcpy(base + (int32_t)memo->relative[g], d + g, 32);
		return;
	}
	for (unsigned g = 0; g < LANES; g += 8) {
		if (memo->shape[g / 8] == LDS_IN_LINE && n == 1) {
			memcpy(base + (int32_t)memo->relative[g], d + g, 32);
			continue;
		}
		for (unsigned l = g; l < g + 8; l++)
			for (unsigned k = 0; k < n; k++)
				memcpy(base + (int32_t)memo->relative[l] + 4 * k, &d[k * LANES + l], 4);
	}
}

/* Where the first lane's element is when all lanes' lie as before; NULL when they do not. Times the access. */
static inline uint8_t *all_as_before(struct wave *w, const struct inst *i, uint32_t bytes, bool returns)
{
	const uint32_t *a = vector_source(w, i, 0);

	if (!all_lanes(w) || !lies_as_before(w, i, a, i->d.imm, bytes))
		return NULL;
	lds_time_all(w, i, i->memo->cycles, i->memo->conflict, returns);
	return w->lds + (uint32_t)(a[0] + (uint32_t)i->d.imm);
}

#define DS_LOAD(ctype, n) do { \
	uint32_t at[LANES]; unsigned l; \
	uint32_t *d = data_of(w, i->d.dst); \
	const uint8_t *base = sizeof(ctype) == 4 ? all_as_before(w, i, 4 * (n), true) : NULL; \
	if (base) { \
		all_load(i->memo, base, d, n); \
		break; \
	} \
	uint64_t inside = lds_at(w, i, i->d.imm, sizeof(ctype) * (n), at); \
	lds_access(w, i, at, DWORDS(ctype, n), false, true); \
	EACH_LANE(l, exec_of(w)) \
		for (unsigned k = 0; k < (n); k++) \
			d[k * LANES + l] = inside >> l & 1 ? (uint32_t)READ_AT(ctype, w->lds + at[l] + k * sizeof(ctype)) : 0; \
} while (0)

#define DS_LOAD_D16(ctype, hi) do { \
	uint32_t at[LANES]; unsigned l; \
	uint64_t inside = lds_at(w, i, i->d.imm, sizeof(ctype), at); \
	uint32_t *d = data_of(w, i->d.dst); \
	lds_access(w, i, at, 1, false, true); \
	EACH_LANE(l, exec_of(w)) { \
		uint16_t v = inside >> l & 1 ? (uint16_t)READ_AT(ctype, w->lds + at[l]) : 0; \
		d[l] = (hi) ? (d[l] & 0xffff) | (uint32_t)v << 16 : (d[l] & 0xffff0000) | v; \
	} \
} while (0)

#define DS_STORE_SHIFTED(ctype, n, shift) do { \
	uint32_t at[LANES]; unsigned l; \
	const uint32_t *d = data_of(w, i->d.src[1]); \
	uint8_t *base = sizeof(ctype) == 4 && (shift) == 0 ? all_as_before(w, i, 4 * (n), false) : NULL; \
	if (base) { \
		all_store(i->memo, base, d, n); \
		break; \
	} \
	uint64_t inside = lds_at(w, i, i->d.imm, sizeof(ctype) * (n), at); \
	lds_access(w, i, at, DWORDS(ctype, n), false, false); \
	EACH_LANE(l, inside) \
		for (unsigned k = 0; k < (n); k++) \
			WRITE_AT(ctype, w->lds + at[l] + k * sizeof(ctype), d[k * LANES + l] >> (shift)); \
} while (0)
#define DS_STORE(ctype, n) DS_STORE_SHIFTED(ctype, n, 0)
#define DS_STORE_HI(ctype) DS_STORE_SHIFTED(ctype, 1, 16)

/* Two elements at offsets in units of mul elements: two passes of the banks, one instruction. */
#define DS_PAIR(ctype, mul, returns, ...) do { \
	uint32_t cycles = 0, conflict = 0, c; unsigned l; \
	for (unsigned part = 0; part < 2; part++) { \
		uint32_t at[LANES]; \
		uint32_t offset = (part ? i->d.offset1 : (uint32_t)i->d.imm) * (mul) * sizeof(ctype); \
		uint64_t inside = lds_at(w, i, offset, sizeof(ctype), at); \
		if (exec_of(w)) \
			cycles += bank_cycles(w, i, at, exec_of(w), DWORDS(ctype, 1), false, &c), conflict += c; \
		if (seen(w->m)) \
			inside_banks(w, at, exec_of(w), DWORDS(ctype, 1), false); \
		EACH_LANE(l, exec_of(w)) { \
			uint8_t *cell = inside >> l & 1 ? w->lds + at[l] : NULL; \
			__VA_ARGS__; \
		} \
	} \
	lds_time(w, i, cycles, conflict, exec_of(w), returns); \
} while (0)
/* A pair of all lanes inside LDS, whose halves lie as the pair before did, the usual case: false when it is another. */
static inline bool all_pair(struct wave *w, const struct inst *i, uint32_t unit, unsigned dwords, bool store)
{
	const uint32_t *a = vector_source(w, i, 0);
	uint32_t offset[2] = { (uint32_t)i->d.imm * unit, i->d.offset1 * unit }, first = a[0];
	uint32_t last = offset[0] > offset[1] ? offset[0] : offset[1], least = offset[0] + offset[1] - last;

	if (!all_lanes(w) || !lies_as_before(w, i, a, last, 4 * dwords) || first + least + i->memo->low > first + last + i->memo->low)
		return false;
	for (unsigned part = 0; part < 2; part++) {
		uint8_t *base = w->lds + (uint32_t)(first + offset[part]);
		if (store)
			all_store(i->memo, base, data_of(w, i->d.src[1 + part]), dwords);
		else
			all_load(i->memo, base, data_of(w, i->d.dst) + part * dwords * LANES, dwords);
	}
	lds_time_all(w, i, 2 * i->memo->cycles, 2 * i->memo->conflict, !store);
	return true;
}

/* The address register may be among the destinations: what the first half loads waits until the second is read. */
#define DS_LOAD2(ctype, mul) do { \
	uint32_t first[2 * LANES], second[2 * LANES]; \
	if (all_pair(w, i, (mul) * sizeof(ctype), sizeof(ctype) / 4, false)) \
		break; \
	DS_PAIR(ctype, mul, true, { ctype v = cell ? READ_AT(ctype, cell) : 0; cell_write(part ? second : first, l, &v, sizeof v); }); \
	EACH_LANE_SIMPLE(l2, exec_of(w)) \
		for (unsigned k = 0; k < sizeof(ctype) / 4; k++) { \
			data_of(w, i->d.dst)[k * LANES + l2] = first[k * LANES + l2]; \
			data_of(w, i->d.dst)[(k + sizeof(ctype) / 4) * LANES + l2] = second[k * LANES + l2]; \
		} \
} while (0)
#define EACH_LANE_SIMPLE(l, mask) for (unsigned l = 0; l < LANES; l++) if ((mask) >> l & 1)
#define DS_STORE2(ctype, mul) do { \
	if (all_pair(w, i, (mul) * sizeof(ctype), sizeof(ctype) / 4, true)) \
		break; \
	DS_PAIR(ctype, mul, false, { \
		ctype v; \
		cell_read(data_of(w, i->d.src[1 + part]), l, &v, sizeof v); \
		if (cell) \
			WRITE_AT(ctype, cell, v); \
	}); \
} while (0)
#define DS_XCHG2(ctype, mul) do { \
	uint32_t first[2 * LANES], second[2 * LANES]; \
	DS_PAIR(ctype, mul, true, { \
		ctype v, old = cell ? READ_AT(ctype, cell) : 0; \
		cell_read(data_of(w, i->d.src[1 + part]), l, &v, sizeof v); \
		if (cell) \
			WRITE_AT(ctype, cell, v); \
		cell_write(part ? second : first, l, &old, sizeof old); \
	}); \
	EACH_LANE_SIMPLE(l2, exec_of(w)) \
		for (unsigned k = 0; k < sizeof(ctype) / 4; k++) { \
			data_of(w, i->d.dst)[k * LANES + l2] = first[k * LANES + l2]; \
			data_of(w, i->d.dst)[(k + sizeof(ctype) / 4) * LANES + l2] = second[k * LANES + l2]; \
		} \
} while (0)

#define DS_ATOMIC(ctype, new) do { \
	uint32_t at[LANES]; unsigned l; \
	uint64_t inside = lds_at(w, i, i->d.imm, sizeof(ctype), at); \
	const bool returns = i->d.dst != ISA_NONE; \
	lds_access(w, i, at, DWORDS(ctype, 1), true, returns); \
	EACH_LANE(l, exec_of(w)) { \
		ctype A UNUSED = 0, B UNUSED = 0, OLD = 0; \
		cell_read(data_of(w, i->d.src[1]), l, &A, sizeof A); \
		if (i->d.src[2] != ISA_NONE) \
			cell_read(data_of(w, i->d.src[2]), l, &B, sizeof B); \
		if (inside >> l & 1) { \
			OLD = READ_AT(ctype, w->lds + at[l]); \
			WRITE_AT(ctype, w->lds + at[l], (new)); \
		} \
		if (returns) \
			cell_write(data_of(w, i->d.dst), l, &OLD, sizeof OLD); \
	} \
} while (0)

/* The distance of the second cell, in dwords: 15 bits of the offset, or with its bit 15 the address's bits 17-31. Vega ISA
 * 12.13, DS_ADD_SRC2_U32. */
static inline uint32_t src2_at(const struct inst *i, uint32_t *address)
{
	int32_t distance = (int32_t)((uint32_t)i->d.imm << 17) >> 17;

	if (i->d.imm & 0x8000) {
		distance = (int32_t)*address >> 17;
		*address &= 0x1ffff;
	}
	return *address + 4 * (uint32_t)distance;
}

#define DS_SRC2(ctype, new) do { \
	uint32_t at[LANES], from[LANES]; unsigned l; \
	const uint32_t *a = vector_source(w, i, 0), last = w->lds_bytes - (uint32_t)sizeof(ctype); \
	for (l = 0; l < LANES; l++) { \
		at[l] = a[l]; \
		from[l] = src2_at(i, &at[l]); \
	} \
	lds_access(w, i, at, 2 * DWORDS(ctype, 1), true, false); \
	EACH_LANE(l, exec_of(w)) { \
		if (w->lds_bytes < sizeof(ctype) || at[l] > last) \
			continue; \
		ctype A = from[l] <= last ? READ_AT(ctype, w->lds + from[l]) : 0, OLD UNUSED = READ_AT(ctype, w->lds + at[l]); \
		WRITE_AT(ctype, w->lds + at[l], (new)); \
	} \
} while (0)

/* --- across lanes, through LDS's crossbar but not its memory -------------------------------------------------------- */
static void crossbar(struct wave *w, const struct inst *i)
{
	lds_time(w, i, 2, 0, exec_of(w), true);
}

/* Vega ISA 12.13, DS_SWIZZLE_B32: bit 15 of the offset picks quads, otherwise and, or and xor masks within 32 lanes. */
static unsigned swizzle_lane(uint32_t offset, unsigned l)
{
	if (offset & 0x8000)
		return (l & ~3u) | (offset >> 2 * (l & 3) & 3);
	return (l & 32) | ((((l & 31) & (offset & 31)) | (offset >> 5 & 31)) ^ (offset >> 10 & 31));
}

#define DS_SWIZZLE do { \
	const uint32_t *a = vector_source(w, i, 0); \
	uint32_t old[LANES], *d = data_of(w, i->d.dst); uint64_t e = exec_of(w); unsigned l; \
	memcpy(old, a, sizeof old); \
	EACH_LANE(l, e) { \
		unsigned from = swizzle_lane(i->d.imm, l); \
		d[l] = e >> from & 1 ? old[from] : 0; \
	} \
	crossbar(w, i); \
} while (0)

#define DS_PERMUTE do { \
	const uint32_t *a = vector_source(w, i, 0), *s = data_of(w, i->d.src[1]); \
	uint32_t out[LANES] = { 0 }, *d = data_of(w, i->d.dst); unsigned l; \
	EACH_LANE(l, exec_of(w)) \
		out[(a[l] + (uint32_t)i->d.imm) >> 2 & (LANES - 1)] = s[l]; \
	EACH_LANE(l, exec_of(w)) \
		d[l] = out[l]; \
	crossbar(w, i); \
} while (0)

#define DS_BPERMUTE do { \
	const uint32_t *a = vector_source(w, i, 0), *s = data_of(w, i->d.src[1]); \
	uint32_t out[LANES], *d = data_of(w, i->d.dst); uint64_t e = exec_of(w); unsigned l; \
	for (l = 0; l < LANES; l++) { \
		unsigned from = (a[l] + (uint32_t)i->d.imm) >> 2 & (LANES - 1); \
		out[l] = e >> from & 1 ? s[from] : 0; \
	} \
	EACH_LANE(l, e) \
		d[l] = out[l]; \
	crossbar(w, i); \
} while (0)

/* --- addresses from M0 --------------------------------------------------------------------------------------------- */
#define ADDTID(l) ((M0 & 0xffff) + (uint32_t)i->d.imm + (l) * 4)
#define DS_ADDTID_LOAD do { \
	unsigned l; \
	EACH_LANE(l, exec_of(w)) \
		data_of(w, i->d.dst)[l] = ADDTID(l) + 4 <= w->lds_bytes ? READ_AT(uint32_t, w->lds + ADDTID(l)) : 0; \
	lds_time(w, i, 2, 0, exec_of(w), true); \
} while (0)
#define DS_ADDTID_STORE do { \
	unsigned l; \
	EACH_LANE(l, exec_of(w)) \
		if (ADDTID(l) + 4 <= w->lds_bytes) \
			WRITE_AT(uint32_t, w->lds + ADDTID(l), data_of(w, i->d.src[1])[l]); \
	lds_time(w, i, 2, 0, exec_of(w), false); \
} while (0)

static void append(struct wave *w, const struct inst *i, int sign)
{
	uint32_t at = (w->s[ISA_M0] >> 16) + (uint32_t)i->d.imm, old = 0;
	uint64_t e = exec_of(w);
	unsigned l;

	if (at + 4 <= w->lds_bytes) {
		memcpy(&old, w->lds + at, 4);
		uint32_t new = old + sign * __builtin_popcountll(e);
		memcpy(w->lds + at, &new, 4);
	}
	EACH_LANE(l, e)
		data_of(w, i->d.dst)[l] = old;
	lds_time(w, i, 1, 0, e, true);
}
#define DS_APPEND append(w, i, 1)
#define DS_CONSUME append(w, i, -1)

#define LDS_OP(name, td, td2, t0, t1, t2, rate, text, ...) \
static void op_##name(struct wave *w UNUSED, const struct inst *i UNUSED) \
{ \
	__VA_ARGS__; \
}

#endif
