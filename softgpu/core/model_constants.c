#include "softgpu/core/model_constants.h"

const struct constant_row *family_constants(const struct gpu_family *f, size_t *count)
{
	*count = f->constant_count;
	return f->constants;
}

int64_t *constant_in_model(struct model *m, const struct constant_row *row)
{
	static const size_t offset_of[CONSTANT_COUNT] = {
#define CONSTANT(name, ...) [CONSTANT_##name] = offsetof(struct model, name),
#define SAME(...)
#define SAME_AS(...)
#include "softgpu/models/constants.def"
#undef CONSTANT
#undef SAME
#undef SAME_AS
	};

	return (int64_t *)((char *)m + offset_of[row->id]);
}
