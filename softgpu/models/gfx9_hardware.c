/* The hardware of gfx9, as KFD reports MI25 (kfd_device.c, kfd_topology.c), and of its targets. */
#include "softgpu/models/constant_rows.h"
#include "softgpu/models/gpu_targets.h"

static const struct constant_row rows[] = {
#include "softgpu/models/gfx9_constants.def"
};

enum { AMDGPU_FAMILY_AI = 141 };

/* Global wave sync: kfd_gws_init in the Linux kernel requires MEC firmware 0x1b3 on gfx900 and gfx906, 0x30 on gfx908.
 * The number of resources: gds.gws_size in gfx_v9_0.c. */
const struct gpu_family gpu_family_gfx9 = {
	.name = "gfx9",
	.constants = rows,
	.constant_count = CONSTANT_COUNT_OF(rows),
	.wave_lanes = 64,
	.simds_per_cu = 4,
	.arrays_per_engine = 1,
	.cus_per_processor = 1,
	.tmpring_unit_bytes = 1024,
	.tmpring_size_bits = 13,
	.cache_line_bytes = 64,
	.drm_family = AMDGPU_FAMILY_AI,
	.mec_firmware = 468,
	.sdma_firmware = 430,
	.gws_resources = 64,
	.sdma_queues = 2,
	.cp_queues = 24,
	.gb_addr_config = 0x2a114042, /* Vega10 */
};

/* Wave slots: "Vega" ISA guide, 3.1. */
const struct gpu_target gpu_target_gfx900 = {
	.name = "gfx900", .family = &gpu_family_gfx9, .wave_slots = 10, .reference_mhz = 27, /* Vega 10 */
};

const struct gpu_target gpu_target_gfx906 = {
	.name = "gfx906", .family = &gpu_family_gfx9, .wave_slots = 10, .reference_mhz = 27, /* as gfx900 */
};

const struct gpu_target gpu_target_gfx908 = {
	.name = "gfx908",
	.family = &gpu_family_gfx9,
	.wave_slots = 10,
	.accumulation_vgprs = true,
	.reference_mhz = 27, /* as gfx900 */
};

/* 8 wave slots: LLVM's IsaInfo::getMaxWavesPerEU. Packed ids: FeaturePackedTID. Clock: 100 MHz as rocminfo reports for
 * MI200's timestamps. */
const struct gpu_target gpu_target_gfx90a = {
	.name = "gfx90a",
	.family = &gpu_family_gfx9,
	.wave_slots = 8,
	.accumulation_vgprs = true,
	.unified_vgprs = true,
	.packed_work_item_ids = true,
	.reference_mhz = 100,
};
