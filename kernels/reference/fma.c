/* The multiply-add chain s = a * s + b, fused or with the product rounded first.
 *
 * One step is a monotone function of s (a >= 0, rounding is monotone), so the sequence from 0 is monotone; once a step leaves s unchanged
 * every later one does, and the loop may stop there with the very bits that the whole length gives. No value on the way is
 * denormal (b is 1e-8 or more, all products are 0 or grow from it), so v_mad_f32's flushing changes nothing: both are exact. */
#include "kernels/reference/references.h"

#include <math.h>

typedef float step_fn(float a, float s, float b);

static float step_unfused(float a, float s, float b)
{
	float product = a * s; /* compiled with -ffp-contract=off: rounded here */
	return product + b;
}

static float step_fused(float a, float s, float b)
{
	return fmaf(a, s, b);
}

static float chain(step_fn *step, float x, float y, int length)
{
	float a = x / (x + 1.0f), b = (y + 1.0f) / (y + 1.0e8f), s = 0;
	for (int i = 0; i < length; i++) {
		float next = step(a, s, b);
		if (next == s)
			break;
		s = next;
	}
	return s;
}

static void chains(const struct launch_shape *shape, step_fn *step, float *out, int length)
{
	for (uint32_t i = 0; i < shape->grid[0] * shape->block[0]; i++)
		out[i] = chain(step, (float)i, 0, length);
}

void reference_fma_unfused(const struct launch_shape *shape, float *out, int length)
{
	chains(shape, step_unfused, out, length);
}

void reference_fma_fused(const struct launch_shape *shape, float *out, int length)
{
	chains(shape, step_fused, out, length);
}
