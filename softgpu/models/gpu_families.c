/* The families: gfx9 as KFD reports MI25 (kfd_device.c, kfd_topology.c), gfx11 as KFD reports a Radeon RX 7900 XTX with
 * the same MEC and SDMA firmware. GB_ADDR_CONFIG of gfx11 is that of the next chip, as Mesa's drm-shim lists it: only
 * images need it. */
#include "softgpu/models/gpu_model.h"

enum { AMDGPU_FAMILY_AI = 141, AMDGPU_FAMILY_GC_11_0_0 = 145 };

/* Global wave sync: kfd_gws_init in the Linux kernel requires MEC firmware 0x1b3 on gfx900 and gfx906, 0x30 on gfx908;
 * on gfx11 MES firmware 68, and only in newer kernels. The number of resources: gds.gws_size in gfx_v9_0.c. */
const struct gpu_family gpu_family_gfx9 = {
	.name = "gfx9",
	.id = FAMILY_GFX9,
	.wave_lanes = 64,
	.simds_per_cu = 4,
	.arrays_per_engine = 1,
	.scratch_waves_per_cu = 40,
	.cus_masked_together = 1,
	.drm_family = AMDGPU_FAMILY_AI,
	.mec_firmware = 468,
	.sdma_firmware = 430,
	.gws_resources = 64,
	.sdma_queues = 2,
	.cp_queues = 24,
	.gb_addr_config = 0x2a114042, /* Vega10 */
};

const struct gpu_family gpu_family_gfx11 = {
	.name = "gfx11",
	.id = FAMILY_GFX11,
	.wave_lanes = 32,
	.simds_per_cu = 2,
	.arrays_per_engine = 2,
	.scratch_waves_per_cu = 32,
	.cus_masked_together = 2, /* a WGP: pqm_update_mqd in the Linux kernel */
	.drm_family = AMDGPU_FAMILY_GC_11_0_0,
	.mec_firmware = 2140,
	.sdma_firmware = 20,
	.sdma_queues = 6,
	.cp_queues = 8,
	.gb_addr_config = 0x545,
};
