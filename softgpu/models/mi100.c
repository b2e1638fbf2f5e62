/* The Instinct MI100 (Arcturus, CDNA). "AMD MI100" is AMD's product page of the board, "AMD CDNA white paper" is
 * "Introducing AMD CDNA Architecture".
 *
 * Names, device id and revision: libdrm's amdgpu.ids. External revision: the kernel's soc15.c. Capability: KFD's
 * kfd_topology.h; unlike MI25, with 0x4000000: ECC of the registers and LDS (sramecc+ in the target id). Clock levels:
 * as rocm-smi lists them. The unique id and the BIOS name are made up, in the form of real ones. */
#include "softgpu/models/gpu_targets.h"

const struct gpu_model gpu_model_mi100 = {
	.target = &gpu_target_gfx908,
	.name = "mi100",
	.marketing = "AMD Instinct MI100",
	.identity =
		{
			.chip = "arcturus",
			.gfx_target_version = 90008,
			.device_id = 0x738c,
			.revision = 0x01,
			.subsystem_id = 0x0c34,
			.external_revision = 0x33,
			.capability = 0x4002280,
			.unique_id = 0x2150e7d4b1c0f100,
			.vbios = "113-D3431401-100",
			.memory_type = VRAM_TYPE_HBM,
			.memory_bus_bits = 4096,
			.render_backends = 16,
			.sclk_levels = "300 495 731 962 1029 1087 1147 1189 1235 1283 1319 1363 1404 1430 1472",
			.mclk_levels = "",
			.socclk_levels = "1000",
			.pcie_levels = "16.0GT/s",
			.edge = {85, 90},
			.junction = {105, 110},
			.memory = {95, 100},
		},
	/* clang-format off */
	SET(sclk_khz, 1502000, "AMD MI100: 1502 MHz peak"),
	SET(sclk_light_ppm, 0, "assumed: none"),
	SET(sclk_stretch_ppm, 0, "assumed: none"),
	SET(mclk_khz, 1200000, "AMD MI100: HBM2 at 1200 MHz"),
	SET(memory_bytes, 34342961152, "MI100 board: 32 GB minus the firmware's share"),
	SET(shader_engines, 8, "AMD CDNA white paper"),
	SET(compute_units, 120, "AMD MI100: 120 CUs, 15 of 16 in each engine"),
	SET(wave_start_cycles, 180, "fitted to gpu-stream: read, blocks of 64"),
	SET(dispatch_free_cycles, 0, "assumed: the way to L2 is in wave_start_cycles"),
	SET(kernel_gap_ns, 900, "fitted to gpu-small-kernels"),
	SET(valu_int_mul_cycles, 8, "assumed: like MI60"),
	SET(valu_f64_fma_cycles, 8, "AMD MI100: 11.5 TFLOPS f64, 1/2 rate; LLVM HalfRate64Ops"),
	SET(valu_f64_add_cycles, 8, "LLVM HalfRate64Ops"),
	SET(valu_f64_trans_cycles, 16, "assumed: 4 passes, LLVM SIFullSpeedModel"),
	SET(l1_latency, 125, "fitted to the published MI100 pointer chase at 1430 MHz: 133 cycles"),
	SET(l2_bytes, 8388608, "AMD CDNA white paper: 8 MB"),
	SET(l2_ways, 16, "AMD CDNA white paper: 16-way"),
	SET(l2_line_bytes, 64, "Linux kfd_crat.c: arcturus_cache_info"),
	SET(l2_channels, 32, "ROCm Compute Profiler guide, L2: 32 channels"),
	SET(l2_interleave_bytes, 256, "ROCm Compute Profiler guide, L2: 256 B"),
	SET(l2_set_hash, 1, "assumed: a chase through 1.3 to 3 times L2 hits as with random sets; an MI210, too"),
	SET(l2_channel_hash, 1, "Linux, atl/map.c; transposes with a pitch of 16 KiB"),
	SET(l2_in_order, 1, "assumed; gpu-l2-cache on an MI100 and an MI210 gets 88 % and 73 % of the peak, as this gives"),
	SET(l2_latency, 258, "fitted to the published MI100 pointer chase at 1430 MHz: 266 cycles"),
	SET(dram_latency, 534, "fitted to the published MI100 pointer chase at 1430 MHz: 542 cycles up to 60 MB"),
	SET(utcl2_latency, 105, "fitted to the published MI100 pointer chase: 634 cycles, less what fits"),
	SET(dram_mbps, 1228800, "AMD MI100: 1228.8 GB/s"),
	SET(store_latency, 338, "fitted to gpu-stream: init, blocks of 64"),
	SET(system_latency, 1170, "assumed: MI25's time, at 1.502 GHz"),
	SET(link_mbps, 25600, "PCIe 4.0 x16 minus framing"),
	SET(power_load_mw, 290000, "MI100's power cap in rocm-smi, 290 W"),
	/* clang-format on */
};
