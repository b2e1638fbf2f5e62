#include "softgpu/driver/kfd/device_identity.h"

#include "softgpu/core/model_config.h"

static const struct device_identity identities[MODEL_COUNT] = {
#define MODEL(name, arch, chip, marketing, ...) {chip, __VA_ARGS__},
#include "softgpu/models/models.def"
#undef MODEL
};

const struct device_identity *identity_of_model(const struct model *m)
{
	return &identities[m->id];
}
