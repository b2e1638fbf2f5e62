/* The Radeon RX 7900 XTX (Navi 31). The defaults in gfx11_constants.def are its constants, so it overrides none.
 *
 * Names, device id and revision: libdrm's amdgpu.ids. External revision: the kernel's soc21.c. Capability: KFD's
 * kfd_topology.h, without debugging and shared virtual memory, which the software GPU refuses. Clock levels and limits
 * of the temperature: what the kernel shows on boards. The unique id and the BIOS name are made up, in the form of real
 * ones. */
#include "softgpu/models/gpu_targets.h"

const struct gpu_model gpu_model_rx7900xtx = {
	.target = &gpu_target_gfx1100,
	.name = "rx7900xtx",
	.marketing = "AMD Radeon RX 7900 XTX",
	.identity =
		{
			.chip = "ip discovery", /* KFD has no names for these chips */
			.gfx_target_version = 110000,
			.device_id = 0x744c,
			.revision = 0xc8,
			.subsystem_id = 0x0e3b,
			.external_revision = 0x01,
			.capability = 0x2280,
			.unique_id = 0x2150e7d4b1c0f790,
			.vbios = "113-D70401-00",
			.memory_type = VRAM_TYPE_GDDR6,
			.memory_bus_bits = 384,
			.render_backends = 24,
			.sclk_levels = "500",
			.mclk_levels = "96 456 772",
			.socclk_levels = "500 1200",
			.pcie_levels = "2.5GT/s 16.0GT/s",
			.edge = {100, 105},
			.junction = {110, 115},
			.memory = {108, 113},
		},
};
