/* The Instinct MI210 (Aldebaran, CDNA 2; one die of an MI250X). "AMD MI210" is AMD's product page of the board, "AMD
 * CDNA 2 white paper" is "AMD CDNA 2 Architecture".
 *
 * Names, device id and revision: libdrm's amdgpu.ids. External revision: the kernel's soc15.c. Capability: as MI100's.
 * Memory, clock levels: as rocminfo and rocm-smi list them (ROCm issues 2595, 5315 and 2692). The unique id and the
 * BIOS name are made up, in the form of real ones. */
#include "softgpu/models/gpu_targets.h"

const struct gpu_model gpu_model_mi210 = {
	.target = &gpu_target_gfx90a,
	.name = "mi210",
	.marketing = "AMD Instinct MI210",
	.identity =
		{
			.chip = "aldebaran",
			.gfx_target_version = 90010,
			.device_id = 0x740f,
			.revision = 0x02,
			.subsystem_id = 0x0c34,
			.external_revision = 0x3d,
			.capability = 0x4002280,
			.mec_firmware = 78,
			.unique_id = 0x2150e7d4b1c0f210,
			.vbios = "113-D67301-063",
			.memory_type = VRAM_TYPE_HBM,
			.memory_bus_bits = 4096,
			.render_backends = 16,
			.sclk_levels = "500 800",
			.mclk_levels = "400 700 1200",
			.socclk_levels = "666 857 1000 1090 1333",
			.pcie_levels = "16.0GT/s",
			.edge = {100, 105},
			.junction = {105, 110},
			.memory = {95, 100},
		},
	/* clang-format off */
	SET(sclk_khz, 1700000, "AMD MI210: 1700 MHz peak"),
	SET(sclk_light_ppm, 0, "assumed: none"),
	SET(sclk_stretch_ppm, 0, "assumed: none"),
	SET(mclk_khz, 1600000, "AMD MI210: HBM2e at 1600 MHz"),
	SET(memory_bytes, 68702699520, "MI210 board: 64 GB minus the firmware's share, as rocminfo reports it"),
	SET(shader_engines, 8, "AMD CDNA 2 white paper"),
	SET(compute_units, 104, "AMD MI210: 104 CUs, 13 of 14 in each engine"),
	SET(waves_per_simd, 8, "LLVM: gfx90a has 8 wave slots"),
	SET(vgprs_per_lane, 512, "LLVM: 512 registers, VGPRs and AccVGPRs in one file"),
	SET(vgpr_granule, 8, "LLVM: gfx90a allocates 8 registers"),
	SET(wave_start_cycles, 180, "assumed: like MI100"),
	SET(kernel_gap_ns, 900, "assumed: like MI100"),
	SET(valu_int_mul_cycles, 4, "LLVM SIDPFullSpeedModel: WriteIntMul"),
	SET(valu_shift64_cycles, 4, "LLVM SIDPFullSpeedModel: Write64Bit"),
	SET(valu_f64_fma_cycles, 4, "AMD MI210: 22.6 TFLOPS f64, full rate; LLVM SIDPFullSpeedModel"),
	SET(valu_f64_add_cycles, 4, "LLVM SIDPFullSpeedModel: WriteDoubleAdd"),
	SET(valu_f64_cvt_cycles, 4, "LLVM SIDPFullSpeedModel: WriteDoubleCvt"),
	SET(valu_f64_trans_cycles, 16, "LLVM SIDPFullSpeedModel: WriteTrans64"),
	SET(l1_latency, 117, "fitted to gpu-latency on an MI210: 125 cycles"),
	SET(l2_bytes, 8388608, "AMD CDNA 2 white paper: 8 MB"),
	SET(l2_ways, 16, "AMD CDNA 2 white paper: 16-way"),
	SET(l2_line_bytes, 128, "AMD CDNA 2 white paper; Linux kfd_crat.c: aldebaran_cache_info"),
	SET(l2_channels, 32, "AMD CDNA 2 white paper: 32 channels"),
	SET(l2_interleave_bytes, 256, "ROCm Compute Profiler guide, L2: 256 B"),
	SET(l2_banks, 2, "AMD CDNA 2 white paper: a channel reads 128 bytes in a cycle; ROCm Compute Profiler: L1 asks for 64"),
	SET(l2_set_hash, 1, "assumed: like MI100"),
	SET(l2_channel_hash, 1, "Linux, atl/map.c"),
	SET(l2_latency, 231, "fitted to gpu-latency on an MI210: 239 cycles"),
	SET(dram_latency, 563, "fitted to gpu-latency on an MI210: 571 cycles up to 60 MB"),
	SET(utcl2_latency, 105, "assumed: like MI100"),
	SET(dram_mbps, 1638400, "AMD MI210: 1.6 TB/s, 1638.4 GB/s"),
	SET(scalar_cus, 2, "Linux kfd_crat.c: aldebaran_cache_info"),
	SET(store_latency, 338, "assumed: like MI100"),
	SET(system_latency, 1330, "assumed: MI25's time, at 1.7 GHz"),
	SET(link_mbps, 25600, "PCIe 4.0 x16 minus framing"),
	SET(power_load_mw, 300000, "AMD MI210 board power, 300 W"),
	/* clang-format on */
};
