/* Operand types and statements of the operations that gfx11 added. */
#ifndef SOFTGPU_CORE_OPS_OPS_GFX11_H
#define SOFTGPU_CORE_OPS_OPS_GFX11_H

#pragma GCC diagnostic ignored "-Wunused-function" /* the tables for any MODE have no memory operations */
#include "softgpu/core/ops/ops_modifiers.h"
#include "softgpu/core/ops/ops_vmem.h"

/* --- types --- */
#define CT_BF16          float
#define CT_B256          uint32_t
#define CT_MATRIX        uint32_t
#define RD_BF16(p, l)    bf16_to_f32((uint16_t)(p)[l])
#define RD_B256(p, l)    0
#define RD_MATRIX(p, l)  0
#define NEW_BF16(D, old) (((old)&0xffff0000) | f32_to_bf16(D))
#define WR_BF16(p, l, D) WR_1(BF16, p, l, D)
#define WR_MATRIX(p, l, D)

/* --- statements --- */
#define EXEC_LO   (*(dword *)&w->s[ISA_EXEC])
#define SIGNED(k) (i->d.neg >> (k)&1)
#define ILLEGAL   machine_halt(w, i, LAUNCH_ILLEGAL, "%s", isa_mnemonic(&i->d))
#define SET_MODE(low, bits) \
	wave_set_mode(      \
		w, (w->mode & ~(((1u << (bits)) - 1) << (low))) | ((uint32_t)SIMM & ((1u << (bits)) - 1)) << (low))

#define SENDMSG_RTN (D = scalar_message_reply(w, SIMM))
#define GL1_INV     memory_invalidate_gl1(w)

/* RDNA1 ISA, S_SUBVECTOR_LOOP: the low half of a wave64 runs first. */
#define SUBVECTOR_LOOP_BEGIN                       \
	do {                                       \
		uint32_t *half = &w->s[ISA_EXEC];  \
		BRANCH(!half[0] && !half[1]);      \
		if (half[0] || half[1])            \
			D = half[0] ? half[1] : 0; \
		half[1] = half[0] ? 0 : half[1];   \
	} while (0)
#define SUBVECTOR_LOOP_END                                            \
	do {                                                          \
		uint32_t *half = &w->s[ISA_EXEC], saved = D;          \
		const bool again = !half[1] && saved;                 \
		if (again)                                            \
			D = half[0];                                  \
		half[again] = half[1] || again ? saved : half[again]; \
		half[0] = again ? 0 : half[0];                        \
		BRANCH(again);                                        \
	} while (0)
#define MOVRELSD_2                                                                                  \
	do {                                                                                        \
		const uint32_t from = i->d.src[0] + (M0 & 1023), to = i->d.dst + (M0 >> 16 & 1023); \
		w->s[to & 127] = w->s[from & 127];                                                  \
		memcpy(&D, dp, sizeof D);                                                           \
	} while (0)

/* --- operations on the whole wave; their statements are not used --- */
#define VMOVRELD            D = A
#define VMOVRELS            D = A
#define VMOVRELSD           D = A
#define VMOVRELSD_2         D = A
#define SWAPREL             D = A
#define PERMLANE16(x)       D = A
#define PERMLANE64          D = A
#define GLOBAL_ADDTID_LOAD  ((void)0)
#define GLOBAL_ADDTID_STORE ((void)0)
#define WMMA(f)             D = 0
#define WMMA_16(f)          D = 0

static void swap_halves(struct wave *w, const struct uop *i)
{
	uint32_t *d = (uint32_t *)((char *)w->v + i->dst), *a = (uint32_t *)vector_source(w, i, 0);
	const unsigned to = i->d.op_sel & 8 ? 16 : 0, from = i->d.op_sel & 1 ? 16 : 0;
	const uint64_t e = active_lanes(w);
	unsigned l;

	EACH_LANE(l, e)
	{
		const uint32_t x = d[l] >> to & 0xffff, y = a[l] >> from & 0xffff;
		d[l] = (d[l] & ~(0xffffu << to)) | y << to;
		a[l] = (a[l] & ~(0xffffu << from)) | x << from;
	}
}

/* Lane l reads a lane of its row of 16, or of the neighboring row. */
static void permute_rows(struct wave *w, const struct uop *i, unsigned other_row)
{
	uint32_t *d = (uint32_t *)((char *)w->v + i->dst), result[LANES];
	const uint64_t select = (uint64_t)lane_operand(w, i, 2) << 32 | lane_operand(w, i, 1), e = active_lanes(w);
	const bool fetches_inactive = i->d.op_sel & 1, zeroes = i->d.op_sel & 2;
	unsigned l;

	if (i->broadcast)
		fill_broadcast(w, i);
	const uint32_t *a = vector_source(w, i, 0);
	EACH_LANE(l, e)
	{
		const unsigned from = ((l & ~15u) ^ other_row * 16) + (select >> 4 * (l & 15) & 15);
		const bool valid = fetches_inactive || e >> from & 1;
		result[l] = valid ? a[from] : zeroes ? 0 : d[l];
	}
	EACH_LANE(l, e)
	d[l] = result[l];
}

static void permute_in_row(struct wave *w, const struct uop *i)
{
	permute_rows(w, i, 0);
}

static void permute_across_rows(struct wave *w, const struct uop *i)
{
	permute_rows(w, i, 1);
}

/* Exchanges the halves of a wave64; a wave32 has no other half. */
static void permute_wave_halves(struct wave *w, const struct uop *i)
{
	uint32_t *d = (uint32_t *)((char *)w->v + i->dst), from[LANES];
	const uint64_t e = active_lanes(w);
	unsigned l;

	if (LANES == 32)
		return;
	if (i->broadcast)
		fill_broadcast(w, i);
	memcpy(from, vector_source(w, i, 0), sizeof from);
	EACH_LANE(l, e)
	d[l] = from[(l + 32) % LANES];
}

/* --- relative addressing --- */
static void op_v_mov_b32(struct wave *w, const struct uop *i);

/* Where the values of a VGPR are. Registers that the wave does not have are VGPR 0 (RDNA3 ISA 3.3.2.2). */
static size_t indexed_vgpr(const struct wave *w, unsigned operand, uint32_t index)
{
	const uint32_t number = operand - ISA_VGPR0 + index;

	return number < w->launch->vgprs ? (size_t)number * LANES * 4 : 0;
}

/* Adds indices to the VGPRs of an instruction. */
static struct uop index_vgprs(const struct wave *w, const struct uop *i, uint32_t to, uint32_t from)
{
	struct uop x = *i;

	if (x.rel[0])
		x.src[0] = indexed_vgpr(w, i->d.src[0], from);
	x.dst = (intptr_t)indexed_vgpr(w, i->d.dst, to);
	return x;
}

/* A move to and from registers `to` and `from` further on, of whose values DPP may select others. */
static void move_relative(struct wave *w, const struct uop *i, uint32_t to, uint32_t from)
{
	struct uop x = index_vgprs(w, i, to, from);

	x.base_fn = op_v_mov_b32;
	if (i->d.form == FORM_PLAIN && !i->d.neg && !i->d.abs)
		op_v_mov_b32(w, &x);
	else
		op_modified(w, &x);
}

static void move_relative_dst(struct wave *w, const struct uop *i)
{
	move_relative(w, i, M0, 0);
}

static void move_relative_src(struct wave *w, const struct uop *i)
{
	move_relative(w, i, 0, M0);
}

static void move_relative_both(struct wave *w, const struct uop *i)
{
	move_relative(w, i, M0, M0);
}

static void move_relative_two(struct wave *w, const struct uop *i)
{
	move_relative(w, i, M0 >> 16 & 1023, M0 & 1023);
}

static void swap_relative(struct wave *w, const struct uop *i)
{
	const struct uop x = index_vgprs(w, i, M0 >> 16 & 1023, M0 & 1023);

	op_swap(w, &x);
}

/* --- a dword of each lane at the scalar base --- */
static struct uop address_by_lane(struct wave *w, const struct uop *i)
{
	uint32_t *offset = w->m->thread.broadcast[0];
	struct uop x = *i;

	for (unsigned l = 0; l < LANES; l++) {
		offset[l] = 4 * l;
		offset[LANES + l] = 0;
	}
	x.src[0] = (uintptr_t)offset;
	x.rel[0] = 0;
	return x;
}

static void load_by_lane(struct wave *w, const struct uop *of)
{
	const struct uop by_lane = address_by_lane(w, of), *i = &by_lane;

	LOAD(uint32_t, 1);
}

static void store_by_lane(struct wave *w, const struct uop *of)
{
	const struct uop by_lane = address_by_lane(w, of), *i = &by_lane;

	STORE(uint32_t, 1);
}

#endif
