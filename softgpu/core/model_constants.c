#include "softgpu/core/model_constants.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

/* Units and texts of gfx9, which rows of other families repeat. */
#define CONSTANT(name, unit, value, low, high, source, help) \
	static const char unit_##name[] = unit, help_##name[] = help;
#include "softgpu/models/gfx9_constants.def"
#undef CONSTANT

static const struct constant_row gfx9_constants[] = {
#define CONSTANT(name, unit, value, low, high, source, help) \
	{#name, unit_##name, value, low, high, source, help_##name, CONSTANT_##name, offsetof(struct model, name)},
#include "softgpu/models/gfx9_constants.def"
#undef CONSTANT
};

static const struct constant_row gfx11_constants[] = {
#define CONSTANT(name, unit, value, low, high, source, help) \
	{#name, unit, value, low, high, source, help, CONSTANT_##name, offsetof(struct model, name)},
#define SAME(name, value, low, high, source) \
	{#name, unit_##name, value, low, high, source, help_##name, CONSTANT_##name, offsetof(struct model, name)},
#define SAME_AS(name, other, value, low, high, source, help) \
	{#name, unit_##other, value, low, high, source, help, CONSTANT_##other, offsetof(struct model, other)},
#include "softgpu/models/gfx11_constants.def"
#undef CONSTANT
#undef SAME
#undef SAME_AS
};

const struct constant_row *family_constants(const struct gpu_family *f, size_t *count)
{
	static const struct {
		const struct constant_row *rows;
		size_t count;
	} families[FAMILY_COUNT] = {
		[FAMILY_GFX9] = {gfx9_constants, COUNT_OF(gfx9_constants)},
		[FAMILY_GFX11] = {gfx11_constants, COUNT_OF(gfx11_constants)},
	};

	*count = families[f->id].count;
	return families[f->id].rows;
}

int64_t *constant_in_model(struct model *m, const struct constant_row *row)
{
	return (int64_t *)((char *)m + row->offset);
}
