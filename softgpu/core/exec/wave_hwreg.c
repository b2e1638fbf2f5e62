/* MODE and the hardware registers of a wave. */
#include "softgpu/core/exec/wave_hwreg.h"

#include <immintrin.h>

#include "softgpu/isa/mode_register.h"

/* The host's MXCSR for the rounding mode and the denormal mode, 2 bits each as in MODE. */
static uint32_t mxcsr_of(uint32_t round, uint32_t denormal)
{
	static const uint32_t rounding[] = {_MM_ROUND_NEAREST, _MM_ROUND_UP, _MM_ROUND_DOWN, _MM_ROUND_TOWARD_ZERO};

	return _MM_MASK_MASK | rounding[round & 3] | (denormal & 1 ? 0 : 1u << 6 /* DAZ */) |
		(denormal & 2 ? 0 : _MM_FLUSH_ZERO_ON);
}

/* Vega ISA 3.3 and 6.2. LDS atomics round to nearest and use MODE's f32 denormal mode; memory atomics ignore MODE
 * (comments on atomicrmw fadd in LLVM's AMDGPU backend). */
static __attribute__((noinline)) void change_mode(struct wave *w, uint32_t mode)
{
	const uint32_t d32 = mode >> 4 & 3, d16 = mode >> 6 & 3, r32 = mode >> MODE_ROUND_32 & 3,
		       r16 = mode >> MODE_ROUND_16_64 & 3;
	const bool special = ~mode & (MODE_IEEE | MODE_DX10_CLAMP),
		   special_half = special || r16 || d16 != 3 || mode & MODE_FP16_OVFL;

	w->mode = mode;
	w->mxcsr[FP_32] = mxcsr_of(r32, d32) | (special || r32 ? MXCSR_EMULATED : 0);
	w->mxcsr[FP_64] = mxcsr_of(r16, d16) | (special || r16 ? MXCSR_EMULATED : 0);
	w->mxcsr[FP_16] = mxcsr_of(r16, 3) | (special_half ? MXCSR_EMULATED : 0);
	w->mxcsr[FP_TRANS_32] = mxcsr_of(0, d32) | (w->mxcsr[FP_32] & MXCSR_EMULATED);
	w->mxcsr[FP_TRANS_64] = mxcsr_of(0, d16) | (w->mxcsr[FP_64] & MXCSR_EMULATED);
	w->mxcsr[FP_TRANS_16] = mxcsr_of(0, 3) | (w->mxcsr[FP_16] & MXCSR_EMULATED);
	w->mxcsr[FP_FLUSH] = mxcsr_of(r32, 0) | (special || r32 ? MXCSR_EMULATED : 0);
	w->mxcsr[FP_NARROW] = mxcsr_of(r32, (d16 & 1) | (d32 & 2)) | (special || r32 ? MXCSR_EMULATED : 0);
	w->mxcsr[FP_MIX] = mxcsr_of(r32, 3) | (special_half || r32 ? MXCSR_EMULATED : 0);
	w->mxcsr[FP_LDS] = mxcsr_of(0, d32);
	w->mxcsr[FP_MEMORY] = w->mxcsr[FP_NONE] = mxcsr_of(0, 3);
}

void wave_set_mode(struct wave *w, uint32_t mode)
{
	w->gpr_idx = (w->gpr_idx & ~GPR_IDX_SKIP) | (mode >> 28 & 1 ? GPR_IDX_SKIP : 0);
	if (w->mode != mode || !w->mxcsr[FP_NONE]) /* usually the previous wave in this slot had the same MODE */
		change_mode(w, mode);
}

static uint32_t read_status(const struct wave *w)
{
	return w->scc | (wave_exec_mask(w) ? 0 : 1u << 9) | (wave_vcc_mask(w) ? 0 : 1u << 10) | 1u << 16;
}

/* Where the wave is. */
static uint32_t read_place(const struct wave *w)
{
	const struct cu *cu = w->simd->cu;
	const struct machine *m = cu->m;
	const struct isa_place_register *r = &m->isa->place;
	const uint32_t per_array = m->cus / (m->model.shader_engines * m->model.gpu->target->family->arrays_per_engine);

	return w->slot | (w->simd->number % SIMDS) << r->simd |
		(cu->index % per_array & ((1u << r->processor_bits) - 1)) << r->processor |
		cu->index / per_array << r->array | (cu->engine & ((1u << r->engine_bits) - 1)) << r->engine;
}

static uint32_t read_family_register(const struct wave *w, uint32_t number)
{
	if (number == w->m->isa->place.number)
		return read_place(w);
	if (!(w->m->isa->more_hwregs >> number & 1))
		return 0;
	switch (number) {
	case HWREG_FLAT_SCR_LO: return (uint32_t)w->flat_scratch;
	case HWREG_FLAT_SCR_HI: return (uint32_t)(w->flat_scratch >> 32);
	case HWREG_SHADER_CYCLES:
		return (w->launch->d->start_cycle + w->last - w->launch->begin) & 0xfffff; /* RDNA3 ISA: 20 bits */
	case HWREG_HW_ID2: return (w->group->slot & 31u) << 16;
	default: return 0;
	}
}

static uint32_t read_hwreg(const struct wave *w, uint32_t number)
{
	const struct dispatch *d = w->launch->d;

	switch (number) {
	case HWREG_MODE: return w->mode;
	case HWREG_STATUS: return read_status(w);
	case HWREG_LDS_ALLOC: return w->lds_bytes / 512 << 12;
	case HWREG_SH_MEM_BASES:
		return (uint32_t)(d->private_aperture >> 48) | (uint32_t)(d->shared_aperture >> 48) << 16;
	default: return read_family_register(w, number);
	}
}

bool wave_register_is_clock(const struct uop *i)
{
	return i->d.op == OP_s_getreg_b32 && (i->d.imm & 63) == HWREG_SHADER_CYCLES &&
		isa_family_of(i->d.target)->more_hwregs >> HWREG_SHADER_CYCLES & 1;
}

uint32_t wave_getreg(const struct wave *w, uint32_t operand)
{
	uint32_t offset = operand >> 6 & 31, size = (operand >> 11 & 31) + 1;

	return read_hwreg(w, operand & 63) >> offset & (uint32_t)((UINT64_C(1) << size) - 1);
}

void wave_setreg(struct wave *w, uint32_t operand, uint32_t value)
{
	uint32_t offset = operand >> 6 & 31, size = (operand >> 11 & 31) + 1;
	uint32_t field = (uint32_t)((UINT64_C(1) << size) - 1) << offset;

	if ((operand & 63) == HWREG_MODE)
		wave_set_mode(w, (w->mode & ~field) | (value << offset & field));
}
