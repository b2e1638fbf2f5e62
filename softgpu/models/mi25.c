/* The Radeon Instinct MI25 (Vega 10). The defaults in gfx9_constants.def are its constants, so it overrides none.
 *
 * Names, device id and revision: libdrm's amdgpu.ids. External revision: the kernel's soc15.c. Capability: KFD's
 * kfd_topology.h. MEC firmware: 468, to which Vega 10's files add 0x8000 (kfd_gws_init); rocminfo masks that. Clock
 * levels: its BIOS. The unique id and the BIOS name are made up, in the form of real ones. */
#include "softgpu/models/gpu_targets.h"

const struct gpu_model gpu_model_mi25 = {
	.target = &gpu_target_gfx900,
	.name = "mi25",
	.marketing = "AMD Radeon Instinct MI25",
	.identity =
		{
			.chip = "vega10",
			.gfx_target_version = 90000,
			.device_id = 0x6860,
			.revision = 0x01,
			.subsystem_id = 0x0c35,
			.external_revision = 0x01,
			.capability = 0x2280,
			.mec_firmware = 0x8000 + 468,
			.unique_id = 0x2150e7d4b1c0ffee,
			.vbios = "113-D0513700-001",
			.memory_type = VRAM_TYPE_HBM,
			.memory_bus_bits = 2048,
			.render_backends = 16,
			.sclk_levels = "852 991 1084 1138 1200 1401 1440",
			.mclk_levels = "167 500 800",
			.socclk_levels = "600 960",
			.pcie_levels = "8.0GT/s 8.0GT/s",
			.edge = {85, 90},
			.junction = {105, 110},
			.memory = {95, 100},
		},
};
