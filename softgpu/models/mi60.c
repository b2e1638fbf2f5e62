/* The Instinct MI60 (Vega 20). "AMD MI60" is AMD's product page of the board.
 *
 * Names, device id and revision: libdrm's amdgpu.ids. External revision: the kernel's soc15.c. Capability: KFD's
 * kfd_topology.h; unlike MI25, with 0x4000000: ECC of the registers and LDS (sramecc+ in the target id). Clock levels:
 * as rocm-smi lists them for MI50, which has the same chip, but MI60's own lowest two. The unique id and the BIOS name
 * are made up, in the form of real ones. */
#include "softgpu/models/gpu_targets.h"

const struct gpu_model gpu_model_mi60 = {
	.target = &gpu_target_gfx906,
	.name = "mi60",
	.marketing = "AMD Instinct MI60 / MI50",
	.identity =
		{
			.chip = "vega20",
			.gfx_target_version = 90006,
			.device_id = 0x66a1,
			.revision = 0x02,
			.subsystem_id = 0x0834,
			.external_revision = 0x2a,
			.capability = 0x4002280,
			.unique_id = 0x2150e7d4b1c0f060,
			.vbios = "113-D1631711-100",
			.memory_type = VRAM_TYPE_HBM,
			.memory_bus_bits = 4096,
			.render_backends = 16,
			.sclk_levels = "925 938 1032 1143 1282 1386 1485 1606",
			.mclk_levels = "350 800",
			.socclk_levels = "309 523 566 618 680 755 850 971",
			.pcie_levels = "2.5GT/s 16.0GT/s",
			.edge = {85, 90},
			.junction = {105, 110},
			.memory = {95, 100},
		},
	/* clang-format off */
	SET(sclk_khz, 1800000, "AMD MI60: 1800 MHz peak"),
	SET(sclk_light_ppm, 0, "assumed: none"),
	SET(sclk_stretch_ppm, 0, "assumed: none"),
	SET(mclk_khz, 1000000, "AMD MI60: HBM2 at 1000 MHz"),
	SET(memory_bytes, 34342961152, "MI60 board: 32 GB minus the firmware's share"),
	SET(shader_engines, 4, "Vega20"),
	SET(compute_units, 64, "AMD MI60: 64 CUs"),
	SET(valu_int_mul_cycles, 8, "fitted to clpeak on a Radeon VII: 4537 Gop/s"),
	SET(valu_f64_fma_cycles, 8, "AMD MI60: 7.4 TFLOPS f64, 1/2 rate; LLVM HalfRate64Ops"),
	SET(valu_f64_add_cycles, 8, "LLVM HalfRate64Ops"),
	SET(valu_f64_trans_cycles, 16, "assumed: 4 passes, LLVM SIFullSpeedModel"),
	SET(l2_bytes, 4194304, "Vega20"),
	SET(l2_ways, 16, "Vega20"),
	SET(l2_line_bytes, 64, "Vega20"),
	SET(l2_channels, 16, "Vega20"),
	SET(l2_interleave_bytes, 256, "assumed: like Vega10"),
	SET(dram_latency, 650, "assumed: Vega10's 187 ns after L2, at 1.8 GHz"),
	SET(dram_mbps, 1024000, "AMD MI60: 1024 GB/s"),
	SET(dram_banks, 64, "like MI25, 2 memory channels per L2 channel"),
	SET(system_latency, 1400, "assumed: MI25's time, at 1.8 GHz"),
	SET(link_mbps, 25600, "PCIe 4.0 x16 minus framing"),
	SET(power_load_mw, 300000, "AMD MI60 board power, 300 W"),
	/* clang-format on */
};
