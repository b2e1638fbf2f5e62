/* The bits of the MODE register ("Vega" ISA guide, 3.3), and SEMANTICS_MODE, which semantics_helpers.h uses.
 *
 * The functions there are compiled twice. For the MODE of compute kernels it is a constant, so that tests of it fold
 * away; the host's own modes flush f32 and f64 denormals. For any other MODE it is a variable.
 */
#ifndef SOFTGPU_ISA_MODE_REGISTER_H
#define SOFTGPU_ISA_MODE_REGISTER_H

enum {
	MODE_ROUND_32 = 0,
	MODE_ROUND_16_64 = 2, /* shift counts; 2 bits: nearest even, up, down, toward zero */
	MODE_IN_32 = 1 << 4,
	MODE_OUT_32 = 1 << 5,
	MODE_IN_16_64 = 1 << 6,
	MODE_OUT_16_64 = 1 << 7,  /* denormals are kept */
	MODE_DX10_CLAMP = 1 << 8, /* clamp makes NaN 0 */
	MODE_IEEE = 1 << 9,       /* minimum and maximum quiet signaling NaNs; no omod */
	MODE_FP16_OVFL = 1 << 23, /* a half that overflows becomes the largest finite half */
	MODE_COMPUTE_DEFAULT = MODE_IN_32 | MODE_OUT_32 | MODE_IN_16_64 | MODE_OUT_16_64 | MODE_DX10_CLAMP | MODE_IEEE,
};

#ifndef SEMANTICS_MODE
#define SEMANTICS_MODE MODE_COMPUTE_DEFAULT
#endif

#endif
