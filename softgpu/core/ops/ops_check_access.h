/* What a vector access to memory is for the checks. */
#ifndef SOFTGPU_CORE_OPS_OPS_CHECK_ACCESS_H
#define SOFTGPU_CORE_OPS_OPS_CHECK_ACCESS_H

#include "softgpu/core/check/checker.h"
#include "softgpu/core/ops/ops_buffer.h"
#include "softgpu/core/ops/ops_vector.h"

static inline unsigned store_data(const struct uop *i)
{
	return isa_is_buffer(i->d.enc) ? i->d.data : i->d.src[1];
}

static inline uint32_t store_shift(const struct uop *i)
{
	switch (i->d.op) {
	case OP_flat_store_byte_d16_hi:
	case OP_flat_store_short_d16_hi:
	case OP_global_store_byte_d16_hi:
	case OP_global_store_short_d16_hi:
	case OP_scratch_store_byte_d16_hi:
	case OP_scratch_store_short_d16_hi:
	case OP_buffer_store_byte_d16_hi:
	case OP_buffer_store_short_d16_hi: return 16;
	default: return 0;
	}
}

/* The lanes of a flat access whose address is in the aperture of LDS, and where in LDS. */
static uint64_t find_flat_lds(const struct wave *w, const struct uop *i, const struct memory_access *x, uint32_t *at)
{
	const uint32_t shared = w->launch->d->shared_aperture >> 32;
	uint64_t lanes = 0;
	unsigned l;

	EACH_LANE(l, shared ? active_lanes(w) & ~x->memory : 0)
	{
		const uint64_t base = x->at[l] - (int64_t)i->d.imm;
		lanes |= (uint64_t)(base >> 32 == shared) << l;
		at[l] = (uint32_t)base + (uint32_t)i->d.imm;
	}
	return lanes;
}

static void check_flat_lds(struct wave *w, const struct uop *i, const struct memory_access *x, unsigned access)
{
	uint32_t at[LANES];
	const uint64_t lanes = find_flat_lds(w, i, x, at);
	const bool atomic = access == (VM_READ | VM_WRITE);
	const struct checked_lds a = {.at = at,
		.data = access == VM_WRITE ? vgpr_data(w, store_data(i)) : NULL,
		.bytes = x->elements * x->bytes,
		.element = x->bytes,
		.shift = store_shift(i),
		.atomic = atomic,
		.returns = atomic && i->d.flags & FLAG_GLC};

	if (lanes)
		checker_access_lds(w, i, &a, lanes);
}

/* The lanes of a flat access whose address is in the aperture of scratch. Returns the others of `lanes`. */
static uint64_t check_flat_scratch(
	struct wave *w, const struct uop *i, const struct memory_access *x, unsigned access, uint64_t lanes)
{
	const uint32_t private = w->launch->d->private_aperture >> 32, *low = vector_source(w, i, 0);
	struct checked_access a = {.pieces = 1,
		.bytes = x->elements * x->bytes,
		.element = x->bytes,
		.shift = store_shift(i),
		.access = access,
		.space = SPACE_SCRATCH};
	uint64_t at[LANES], inside = 0;
	unsigned l;

	EACH_LANE(l, private ? lanes : 0)
	{
		inside |= (uint64_t)(low[LANES + l] == private) << l;
		at[l] = (uint32_t)(low[l] + (uint32_t)i->d.imm);
	}
	a.at = at;
	if (inside)
		checker_access_memory(w, i, &a, &inside);
	return lanes & ~inside;
}

/* Whether it is an access to scratch by its encoding, and where each lane's begins in that of its work-item. A buffer
 * that adds the lane is scratch; its scalar offset is for all lanes of the wave. */
static bool find_scratch_offsets(const struct wave *w, const struct uop *i, uint64_t *at)
{
	const bool indexed = i->d.enc == ENC_SCRATCH ? i->d.src[0] != ISA_NONE : i->d.flags & FLAG_OFFEN;
	const uint32_t *v = indexed ? vector_source(w, i, 0) : NULL;
	uint32_t offset = (uint32_t)i->d.imm;

	if (i->d.enc == ENC_SCRATCH)
		offset += i->d.flags & FLAG_SADDR ? w->s[i->d.src[2] & 127] : 0;
	else if (!isa_is_buffer(i->d.enc) || i->d.flags & FLAG_IDXEN || !read_buffer_descriptor(w, i).adds_lane)
		return false;
	else
		offset += scalar_offset(w, i, 2) / LANES;
	for (unsigned l = 0; l < LANES; l++)
		at[l] = (uint32_t)(offset + (v ? v[l] : 0));
	return true;
}

static __attribute__((noinline)) void check_access(
	struct wave *w, const struct uop *i, struct memory_access *x, unsigned access)
{
	uint64_t offsets[LANES];
	const bool buffer = isa_is_buffer(i->d.enc) || i->d.enc == ENC_SCRATCH,
		   scratch = find_scratch_offsets(w, i, offsets);
	const uint32_t pieces = scratch ? 1 : access_pieces(x);
	const struct checked_access a = {.at = scratch ? offsets : x->at,
		.pieces = pieces,
		.bytes = pieces == 1 ? x->elements * x->bytes : x->bytes,
		.step = x->step,
		.element = x->bytes,
		.shift = store_shift(i),
		.access = access,
		.space = scratch ? SPACE_SCRATCH : SPACE_GLOBAL};
	/* A lane in `odd` is one in scratch, or is partly outside of its buffer. */
	uint64_t lanes = scratch ? x->memory : x->memory & ~x->odd;

	if (i->d.enc == ENC_FLAT) {
		check_flat_lds(w, i, x, access);
		lanes = check_flat_scratch(w, i, x, access, x->memory);
	}
	const uint64_t left = x->memory & ~lanes;
	if (buffer && !scratch) { /* its descriptor has bounds of its own */
		checker_touch_memory(w, i, &a, lanes);
		return;
	}
	checker_access_memory(w, i, &a, &lanes);
	x->memory = lanes | left;
}

#endif
