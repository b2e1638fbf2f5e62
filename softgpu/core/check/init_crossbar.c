/* Undefined values that lanes exchange through the crossbar of LDS, which only moves them. */
#include "softgpu/core/check/checker.h"

#include "softgpu/core/check/undefined_registers.h"
#include "softgpu/core/state/crossbar.h"

struct exchange {
	struct undefined_registers *u;
	const struct uop *i;
	uint64_t exec;
	unsigned reach;
	uint32_t data[MAX_LANES]; /* undefined bits; of inactive lanes 0: who reads them gets 0 */
};

bool init_is_crossbar(unsigned op)
{
	return op == OP_ds_permute_b32 || op == OP_ds_bpermute_b32 || op == OP_ds_swizzle_b32;
}

/* Whether it is unknown which lane the lane selects. */
static bool is_lane_undefined(const struct exchange *x, unsigned lane)
{
	return undefined_lane(x->u, x->i->d.src[0] - ISA_VGPR0, lane) & 4 * (x->reach - 1);
}

static unsigned selected_lane(const struct wave *w, const struct exchange *x, unsigned lane)
{
	const uint32_t *address = vgpr_of(w, x->i->d.src[0] - ISA_VGPR0);

	return permuted_lane(x->reach, lane, address[lane] + (uint32_t)x->i->d.imm);
}

/* Where a lane sends its value to is unknown: so is what any lane gets. */
static void push_undefined(const struct wave *w, const struct exchange *x, uint32_t *out)
{
	bool known = true;

	for (uint64_t l = x->exec; l; l &= l - 1)
		known &= !is_lane_undefined(x, __builtin_ctzll(l));
	for (unsigned l = 0; l < x->u->lanes; l++)
		out[l] = known ? 0 : UINT32_MAX;
	for (uint64_t l = known ? x->exec : 0; l; l &= l - 1)
		out[selected_lane(w, x, __builtin_ctzll(l))] = x->data[__builtin_ctzll(l)];
}

static void pull_undefined(const struct wave *w, const struct exchange *x, uint32_t *out)
{
	for (uint64_t l = x->exec; l; l &= l - 1) {
		const unsigned lane = __builtin_ctzll(l);
		if (x->i->d.op == OP_ds_swizzle_b32)
			out[lane] = x->data[swizzle_lane((uint32_t)x->i->d.imm, lane)];
		else
			out[lane] = is_lane_undefined(x, lane) ? UINT32_MAX : x->data[selected_lane(w, x, lane)];
	}
}

void init_exchange_lanes(struct wave *w, const struct uop *i, struct undefined_registers *u)
{
	struct exchange x = {.u = u, .i = i, .exec = wave_exec_mask(w)};
	const unsigned simd = w->m->model.gpu->target->family->wave_lanes,
		       data = i->d.src[i->d.op != OP_ds_swizzle_b32] - ISA_VGPR0;
	uint32_t out[MAX_LANES];

	x.reach = simd < u->lanes ? simd : u->lanes;
	for (uint64_t l = x.exec; l; l &= l - 1)
		x.data[__builtin_ctzll(l)] = undefined_lane(u, data, __builtin_ctzll(l));
	if (i->d.op == OP_ds_permute_b32)
		push_undefined(w, &x, out);
	else
		pull_undefined(w, &x, out);
	for (uint64_t l = x.exec; l; l &= l - 1)
		set_undefined_lane(u, i->d.dst - ISA_VGPR0, __builtin_ctzll(l), out[__builtin_ctzll(l)]);
}
