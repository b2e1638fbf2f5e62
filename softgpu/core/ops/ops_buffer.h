/* Addresses of buffer instructions (MUBUF, MTBUF), and what of an access is outside of the buffer: loads give 0 there,
 * stores and atomics do nothing. Vega ISA 8.1.5 and the CDNA4 ISA guide ("range checking"), RDNA3 ISA 9.4.1, table 46:
 *
 *   gfx9, ADD_TID_ENABLE without IDXEN      nothing is outside (scratch)
 *   gfx9, IDXEN and a stride                index >= NUM_RECORDS
 *   gfx9, otherwise                         offset >= NUM_RECORDS - SOFFSET
 *   gfx11, OOB_SELECT 0                     index >= NUM_RECORDS, or offset + payload > stride
 *   gfx11, OOB_SELECT 1                     index >= NUM_RECORDS
 *   gfx11, OOB_SELECT 2                     NUM_RECORDS == 0
 *   gfx11, OOB_SELECT 3, swizzled           as 0, with NUM_RECORDS - SOFFSET
 *   gfx11, OOB_SELECT 3, otherwise          offset + payload > NUM_RECORDS - SOFFSET
 *   both, format 0 without ADD_TID_ENABLE   everything (an unbound buffer; RDNA3 ISA 9.6, CDNA4 ISA); for MTBUF this
 *                                           is the descriptor's, whose format it does not use otherwise
 *   both, MTBUF, an invalid format          everything
 *
 * Loads and stores of several dwords are checked dword by dword; format instructions and atomics are all in or all out
 * (notes 3 and 4). So gfx9 compares where a dword begins, and one at the end of a buffer whose size is no multiple of 4
 * is inside; gfx11 compares where it ends. The guides of gfx9 leave open whether SOFFSET counts: it does, since LLVM
 * puts what is too large for the offset field there (splitMUBUFOffset). The sum of the two other offsets wraps at 32
 * bits, as LLVM folds it; the dwords after the first do not wrap. */
#ifndef SOFTGPU_CORE_OPS_OPS_BUFFER_H
#define SOFTGPU_CORE_OPS_OPS_BUFFER_H

#include "softgpu/core/memory/access_memo.h"
#include "softgpu/core/memory/buffer_format.h"
#include "softgpu/core/memory/window/deferred_access.h"
#include "softgpu/core/ops/ops_vector.h"

/* --- descriptors --- */
/* Vega ISA, RDNA3 ISA 9.6. Elements and groups of indices are powers of two. */
struct buffer_descriptor {
	uint64_t base; /* plus soffset */
	uint32_t stride, records, soffset;
	uint8_t element_shift, group_shift, check; /* check: OOB_SELECT */
	bool swizzled, adds_lane, unbound;
};

/* Indices and offsets below these limits are inside. */
struct buffer_limits {
	uint64_t index, offset;
};

/* A 32-bit scalar operand of a memory instruction; 0 if it has none. */
static uint32_t scalar_offset(const struct wave *w, const struct uop *i, unsigned k)
{
	return i->d.src[k] == ISA_NONE ? 0 : *(const uint32_t *)(i->src[k] + ((uintptr_t)w->s & i->rel[k]));
}

/* The format and the selections of components of a formatted access, as buffer_format.h reads them. */
static uint32_t read_buffer_format(const struct wave *w, const struct uop *i)
{
	const bool typed = i->d.enc == ENC_MTBUF;
	const struct deferred_access *applied = access_applied(w);
	const uint32_t last = applied ? applied->word3 : w->s[(i->d.src[1] + 3) & 127];

#if GFX11
	return typed ? gfx11_typed_buffer_word3(i->d.format) : gfx11_buffer_word3(last);
#else
	return typed ? typed_buffer_word3(i->d.format) : last;
#endif
}

static struct buffer_descriptor read_buffer_descriptor(const struct wave *w, const struct uop *i)
{
	enum { ELEMENT_4 = 2 /* bytes, as a shift */ };
	const uint32_t *r = &w->s[i->d.src[1] & 127], soffset = scalar_offset(w, i, 2);

	struct buffer_descriptor b = {.base = ((uint64_t)(r[1] & 0xffff) << 32 | r[0]) + soffset,
		.stride = r[1] >> 16 & 0x3fff,
		.records = r[2],
		.soffset = soffset,
		.group_shift = 3 + (r[3] >> 21 & 3),
		.adds_lane = r[3] >> 23 & 1};

#if GFX11
	const uint32_t format = r[3] >> 12 & 63;
	b.swizzled = r[1] >> 30;
	b.element_shift = 1 + (r[1] >> 30);
	b.check = r[3] >> 28 & 3;
#else
	const uint32_t format = r[3] >> 15 & 15;
	b.swizzled = r[1] >> 31;
	b.element_shift = ELEMENT_4;                      /* the only size of gfx9 (Mesa, si_compute.c) */
	if (b.adds_lane && !isa_converts_format(i->d.op)) /* "This field holds Stride [17:14]" */
		b.stride |= format << 14;
#endif
	b.unbound = (!format && !b.adds_lane) ||
		(isa_converts_format(i->d.op) && !buffer_format_bytes(read_buffer_format(w, i)));
	return b;
}

/* --- range checking --- */
static uint32_t records_after_soffset(const struct buffer_descriptor *b)
{
	return b->soffset <= b->records ? b->records - b->soffset : 0;
}

#if GFX11
/* Offsets at which a dword or a smaller payload begins that ends by `end`. */
static uint64_t offsets_of_payload(uint64_t end, uint32_t bytes)
{
	return end >= bytes ? end - bytes + 1 : 0;
}

static struct buffer_limits find_buffer_limits(
	const struct buffer_descriptor *b, const struct uop *i UNUSED, uint32_t bytes)
{
	enum { INDEX_AND_OFFSET, INDEX, EMPTY, RAW };
	const uint64_t stride = offsets_of_payload(b->stride, bytes);

	if (b->unbound || (b->check == EMPTY && !b->records))
		return (struct buffer_limits){0, 0};
	switch (b->check) {
	case INDEX_AND_OFFSET: return (struct buffer_limits){b->records, stride};
	case INDEX: return (struct buffer_limits){b->records, UINT64_MAX};
	case EMPTY: return (struct buffer_limits){UINT64_MAX, UINT64_MAX};
	default: break;
	}
	if (b->swizzled && b->stride)
		return (struct buffer_limits){records_after_soffset(b), stride};
	return (struct buffer_limits){UINT64_MAX, offsets_of_payload(records_after_soffset(b), bytes)};
}
#else
static struct buffer_limits find_buffer_limits(
	const struct buffer_descriptor *b, const struct uop *i, uint32_t bytes UNUSED)
{
	const bool idxen = i->d.flags & FLAG_IDXEN;

	if (b->unbound)
		return (struct buffer_limits){0, 0};
	if (b->adds_lane && !idxen)
		return (struct buffer_limits){UINT64_MAX, UINT64_MAX};
	if (idxen && b->stride)
		return (struct buffer_limits){b->records, UINT64_MAX};
	return (struct buffer_limits){UINT64_MAX, records_after_soffset(b)};
}
#endif

/* The lanes whose value plus `more` is below the limit. */
static uint64_t find_lanes_below(const uint32_t *v, uint32_t more, uint64_t limit)
{
	uint32_t below[LANES];

	if (limit > (uint64_t)UINT32_MAX + more)
		return ALL_LANES;
	if (limit <= more)
		return 0;
	const uint32_t most = (uint32_t)(limit - more - 1);
	for (unsigned l = 0; l < LANES; l++)
		below[l] = -(uint32_t)(v[l] <= most);
	return pack_lane_mask(below);
}

/* Lanes of which the first elements are inside, and the last is not. */
static void cut_lanes_at_end(struct memory_access *x, uint64_t cut, const uint32_t *offset, uint64_t limit)
{
	unsigned l;

	x->cut = cut;
	x->odd |= cut;
	EACH_LANE(l, cut)
	x->inside[l] = (uint8_t)((limit - offset[l] + x->bytes - 1) / x->bytes * x->bytes);
}

static void check_buffer_range(const struct uop *i, const struct buffer_descriptor *b, const uint32_t *index,
	const uint32_t *offset, struct memory_access *x)
{
	const uint32_t bytes = x->elements * x->bytes, last = bytes > 4 ? bytes - 4 : 0;
	const struct buffer_limits limits = find_buffer_limits(b, i, x->bytes > 4 ? 4 : x->bytes);
	const uint64_t lanes = x->memory & find_lanes_below(index, 0, limits.index),
		       whole = lanes & find_lanes_below(offset, last, limits.offset);

	x->memory = whole;
	if (whole == lanes || x->elements == 1 || isa_converts_format(i->d.op))
		return;
	x->memory = lanes & find_lanes_below(offset, 0, limits.offset);
	cut_lanes_at_end(x, x->memory & ~whole, offset, limits.offset);
}

/* --- addresses --- */
/* Whether an element at this offset crosses a dword of scratch. GFX9 supports such accesses in the unaligned mode that
 * amdkfd sets (LLVM: FeatureUnalignedScratchAccess), and LLVM 15 relies on it at -O0. 64-bit atomics do not support it.
 */
static bool scratch_straddles_dword(const struct memory_access *x, uint32_t offset)
{
	return x->bytes <= 4 && (offset & 3) + x->bytes > 4;
}

/* Elements of neighboring indices are contiguous, group by group. */
static void address_swizzled(
	const struct buffer_descriptor *b, const uint32_t *index, const uint32_t *offset, struct memory_access *x)
{
	const uint32_t within = (1u << b->element_shift) - 1, member = (1u << b->group_shift) - 1;
	uint32_t any = 0;

	for (unsigned l = 0; l < LANES; l++) {
		const uint64_t row = (uint64_t)(index[l] >> b->group_shift) * b->stride + (offset[l] & ~within);
		x->at[l] = b->base + (row << b->group_shift) +
			((index[l] & member) << b->element_shift | (offset[l] & within));
		any |= offset[l];
	}
	/* A wider element contains the whole access. */
	if (within <= 3)
		x->step = x->apart = 1u << (b->element_shift + b->group_shift);
	for (unsigned l = 0; within == 3 && any & 3 && l < LANES; l++)
		x->odd |= (uint64_t)scratch_straddles_dword(x, offset[l]) << l;
}

static void address_buffer(struct wave *w, const struct uop *i, struct memory_access *x)
{
	const struct buffer_descriptor b = read_buffer_descriptor(w, i);
	const bool idxen = i->d.flags & FLAG_IDXEN, offen = i->d.flags & FLAG_OFFEN;
	const uint32_t *v = idxen || offen ? vector_source(w, i, 0) : NULL;
	uint32_t index[LANES], offset[LANES];

	for (unsigned l = 0; l < LANES; l++) {
		index[l] = (idxen ? v[l] : 0) + (b.adds_lane ? l : 0);
		offset[l] = (uint32_t)i->d.imm + (offen ? v[(idxen ? LANES : 0) + l] : 0);
	}
	if (b.swizzled)
		address_swizzled(&b, index, offset, x);
	else
		for (unsigned l = 0; l < LANES; l++)
			x->at[l] = b.base + (uint64_t)index[l] * b.stride + offset[l];
	check_buffer_range(i, &b, index, offset, x);
}

#endif
