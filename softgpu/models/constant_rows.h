/* To make the rows of a family: defines CONSTANT, SAME and SAME_AS, so that the family's file of constants, included in
 * an array of struct constant_row, becomes its rows. For one .c file of each family. */
#ifndef SOFTGPU_MODELS_CONSTANT_ROWS_H
#define SOFTGPU_MODELS_CONSTANT_ROWS_H

#include "softgpu/models/gpu_model.h"

/* Units and texts of gfx9, which rows of other families repeat. A family needs not all of them. */
#define CONSTANT(name, unit, value, low, high, source, help) \
	static const char unit_##name[] __attribute__((unused)) = unit, help_##name[] __attribute__((unused)) = help;
#include "softgpu/models/gfx9_constants.def"
#undef CONSTANT

#define CONSTANT(name, unit, value, low, high, source, help) \
	{#name, unit, value, low, high, source, help, CONSTANT_##name},
#define SAME(name, value, low, high, source) \
	{#name, unit_##name, value, low, high, source, help_##name, CONSTANT_##name},
#define SAME_AS(name, other, value, low, high, source, help) \
	{#name, unit_##other, value, low, high, source, help, CONSTANT_##other},

#define CONSTANT_COUNT_OF(rows) (sizeof(rows) / sizeof *(rows))

#endif
