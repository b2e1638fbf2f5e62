/* The hardware of gfx11, as KFD reports a Radeon RX 7900 XTX with the same MEC and SDMA firmware, and of its targets.
 * GB_ADDR_CONFIG is that of the next chip, as Mesa's drm-shim lists it: only images need it. */
#include "softgpu/models/constant_rows.h"
#include "softgpu/models/gpu_targets.h"

static const struct constant_row rows[] = {
#include "softgpu/models/gfx11_constants.def"
};

enum { AMDGPU_FAMILY_GC_11_0_0 = 145 };

/* Global wave sync requires MES firmware 68 and a newer kernel than the one that KFD's interface is from. */
const struct gpu_family gpu_family_gfx11 = {
	.name = "gfx11",
	.constants = rows,
	.constant_count = CONSTANT_COUNT_OF(rows),
	.wave_lanes = 32,
	.simds_per_cu = 2,
	.arrays_per_engine = 2,
	.cus_per_processor = 2,
	.sgprs_of_wave = 128,      /* LLVM: getSGPRAllocGranule */
	.tmpring_unit_bytes = 256, /* registers.h of ROCR-Runtime */
	.tmpring_size_bits = 15,
	.tmpring_of_engine = true,
	.cache_line_bytes = 128,
	.drm_family = AMDGPU_FAMILY_GC_11_0_0,
	.mec_firmware = 2140,
	.sdma_firmware = 20,
	.sdma_queues = 6,
	.cp_queues = 8,
	.gb_addr_config = 0x545,
};

/* LLVM's AMDGPU usage guide: the numbers of a work-item in one register, and "architected" scratch. */
const struct gpu_target gpu_target_gfx1100 = {
	.name = "gfx1100",
	.family = &gpu_family_gfx11,
	.wave_slots = 16, /* LLVM; KFD */
	.packed_work_item_ids = true,
	.architected_scratch = true,
	.reference_mhz = 100, /* soc21.c of the Linux kernel */
};
