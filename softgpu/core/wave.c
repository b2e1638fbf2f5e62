#include "softgpu/core/wave.h"

#include <immintrin.h>

enum { HWREG_MODE = 1, HWREG_STATUS, HWREG_TRAPSTS, HWREG_HW_ID, HWREG_GPR_ALLOC, HWREG_LDS_ALLOC, HWREG_IB_STS,
	HWREG_SH_MEM_BASES = 15 };

/* MODE (Vega ISA 3.3): rounding of f32 in bits 0-1, of f16 and f64 in 2-3, denormals of f32 in 4-5, of the others in 6-7. */
static uint32_t mxcsr_of(uint32_t round, uint32_t denormal)
{
	static const uint32_t rounding[] = { _MM_ROUND_NEAREST, _MM_ROUND_UP, _MM_ROUND_DOWN, _MM_ROUND_TOWARD_ZERO };

	return _MM_MASK_MASK | rounding[round & 3] | (denormal & 1 ? 0 : 1u << 6 /* DAZ */) |
		(denormal & 2 ? 0 : _MM_FLUSH_ZERO_ON);
}

void wave_mode(struct wave *w, uint32_t mode)
{
	w->mode = mode;
	w->gpr_idx = (w->gpr_idx & ~GPR_IDX_SKIP) | (mode >> 28 & 1 ? GPR_IDX_SKIP : 0);
	w->mx[FP_32] = mxcsr_of(mode, mode >> 4);
	w->mx[FP_64] = mxcsr_of(mode >> 2, mode >> 6);
	w->mx[FP_IEEE] = mxcsr_of(mode >> 2, 3);
	w->mx[FP_FLUSH] = mxcsr_of(mode, 0);
	w->mx[FP_NONE] = w->mx[FP_IEEE];
}

static uint32_t hwreg(const struct wave *w, uint32_t number)
{
	const struct dispatch *d = w->m->launch.d;

	switch (number) {
	case HWREG_MODE: return w->mode;
	case HWREG_STATUS: return w->scc | (exec_of(w) ? 0 : 1u << 9) | (w->s[ISA_VCC] | w->s[ISA_VCC + 1] ? 0 : 1u << 10) | 1u << 16;
	case HWREG_HW_ID: { /* the engine's number has two bits in the "Vega" ISA guide, three where there are eight engines */
		const struct cu *cu = w->simd->cu;
		return w->slot | (w->simd->number % SIMDS) << 4 | (cu->place & 15) << 8 | (cu->engine & (cu->m->model.shader_engines > 4 ? 7 : 3)) << 13;
	}
	case HWREG_LDS_ALLOC: return w->lds_bytes / 512 << 12;
	case HWREG_SH_MEM_BASES: return (uint32_t)(d->private_aperture >> 48) | (uint32_t)(d->shared_aperture >> 48) << 16;
	default: return 0;
	}
}

uint32_t wave_getreg(const struct wave *w, uint32_t operand)
{
	uint32_t offset = operand >> 6 & 31, size = (operand >> 11 & 31) + 1;

	return hwreg(w, operand & 63) >> offset & (uint32_t)((UINT64_C(1) << size) - 1);
}

void wave_setreg(struct wave *w, uint32_t operand, uint32_t value)
{
	uint32_t offset = operand >> 6 & 31, size = (operand >> 11 & 31) + 1;
	uint32_t field = (uint32_t)((UINT64_C(1) << size) - 1) << offset;

	if ((operand & 63) == HWREG_MODE)
		wave_mode(w, (w->mode & ~field) | (value << offset & field));
}
