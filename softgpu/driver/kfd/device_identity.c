#include "softgpu/driver/kfd/device_identity.h"

#include "softgpu/core/model_config.h"

const struct device_identity *identity_of_model(const struct model *m)
{
	return &m->gpu->identity;
}

uint32_t identity_mec_firmware(const struct model *m)
{
	return m->gpu->identity.mec_firmware ? m->gpu->identity.mec_firmware : m->gpu->family->mec_firmware;
}
