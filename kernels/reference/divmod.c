/* References for quotients, remainders, shifts and masks. The type of the dividend is the one of the compiled kernel:
 * `bits` is 32 (u32), 64 (u64) or -32 (i32). All forms must agree: `differs` is 0. */
#include "kernels/reference/references.h"

enum form { DIV, MOD, SHIFT, MASK };

static int64_t signed_form(enum form form, int32_t x, int32_t d, unsigned shift)
{
	switch (form) {
	case DIV: return x / d;
	case MOD: return x % d;
	case SHIFT: return x >> shift; /* arithmetic shift; gcc and clang guarantee it */
	default: return x & (d - 1);
	}
}

static uint64_t unsigned_form(enum form form, uint64_t x, uint64_t d, unsigned shift)
{
	switch (form) {
	case DIV: return x / d;
	case MOD: return x % d;
	case SHIFT: return x >> shift;
	default: return x & (d - 1);
	}
}

static void run_divmod(enum form form, const struct launch_shape *shape, long long *out, float *differs,
	long long first, long long step, long long divisor, unsigned shift, int bits)
{
	for (uint64_t i = 0; i < shape_threads(shape); i++) {
		uint64_t x = (uint64_t)first + i * (uint64_t)step;
		out[i] = bits == -32
			? signed_form(form, (int32_t)(uint32_t)x, (int32_t)divisor, shift)
			: (int64_t)unsigned_form(form, bits == 32 ? (uint32_t)x : x, (uint64_t)divisor, shift);
		differs[i] = 0;
	}
}

#define FORM(name, form)                                                                  \
	void reference_divmod_##name(const struct launch_shape *shape, DIVMOD)            \
	{                                                                                 \
		(void)mask;                                                               \
		(void)length;                                                             \
		run_divmod(form, shape, out, differs, first, step, divisor, shift, bits); \
	}
FORM(div, DIV)
FORM(mod, MOD)
FORM(shift, SHIFT)
FORM(mask, MASK)
