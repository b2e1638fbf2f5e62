#include "softgpu/driver/kfd/device_identity.h"

#include "softgpu/core/model_config.h"

uint32_t identity_gpu_id(unsigned gpu)
{
	return KFD_GPU_ID + gpu;
}

unsigned identity_root_port(unsigned gpu)
{
	return 3 + gpu;
}

unsigned identity_pci_bus(unsigned gpu)
{
	return 3 + 3 * gpu;
}

unsigned identity_pci_location(unsigned gpu)
{
	return identity_pci_bus(gpu) << 8;
}

uint64_t identity_unique_id(const struct model *m, unsigned gpu)
{
	return m->gpu->identity.unique_id + gpu;
}

const struct device_identity *identity_of_model(const struct model *m)
{
	return &m->gpu->identity;
}

uint32_t identity_mec_firmware(const struct model *m)
{
	return m->gpu->identity.mec_firmware ? m->gpu->identity.mec_firmware : m->gpu->target->family->mec_firmware;
}
