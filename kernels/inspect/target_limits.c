/* Names and limits of GPU targets. */
#include "kernels/inspect/target_limits.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* EF_AMDGPU_MACH, LLVM AMDGPU usage page, table "AMDGPU ELF Header e_flags". */
static const struct {
	uint8_t mach;
	char name[8];
} machines[] = {
	{0x28, "gfx801"},
	{0x29, "gfx802"},
	{0x2a, "gfx803"},
	{0x2c, "gfx900"},
	{0x2d, "gfx902"},
	{0x2e, "gfx904"},
	{0x2f, "gfx906"},
	{0x30, "gfx908"},
	{0x31, "gfx909"},
	{0x32, "gfx90c"},
	{0x3f, "gfx90a"},
	{0x40, "gfx940"},
	{0x4c, "gfx942"},
	{0x33, "gfx1010"},
	{0x34, "gfx1011"},
	{0x35, "gfx1012"},
	{0x42, "gfx1013"},
	{0x36, "gfx1030"},
	{0x37, "gfx1031"},
	{0x38, "gfx1032"},
	{0x39, "gfx1033"},
	{0x3e, "gfx1034"},
	{0x3d, "gfx1035"},
	{0x45, "gfx1036"},
	{0x41, "gfx1100"},
	{0x46, "gfx1101"},
	{0x47, "gfx1102"},
	{0x44, "gfx1103"},
	{0x48, "gfx1200"},
	{0x4e, "gfx1201"},
};

const char *target_name_from_elf(uint32_t elf_flags)
{
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
		if (machines[i].mach == (elf_flags & 0xff))
			return machines[i].name;
	return NULL;
}

static unsigned gfx_generation(const char *arch)
{
	size_t n = strlen(arch);
	if (strncmp(arch, "gfx", 3) || n < 6)
		return 9;
	return n >= 7 ? (unsigned)strtoul((char[]){arch[3], arch[4], 0}, NULL, 10) : (unsigned)(arch[3] - '0');
}

/* gfx90a and gfx94x: 512 registers, allocation granule 8. */
static int has_unified_registers(const char *arch)
{
	return !strcmp(arch, "gfx90a") || !strncmp(arch, "gfx94", 5);
}

/* gfx1100, gfx1101 and gfx12: Feature1536VGPRs of LLVM. */
static bool has_large_registers(const char *arch)
{
	return !strcmp(arch, "gfx1100") || !strcmp(arch, "gfx1101") || gfx_generation(arch) == 12;
}

/* With more than one wave, limited by barrier resources: AMD OpenCL Optimization Guide. */
enum { AMD_WORKGROUPS = 16 };

/* CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", and multiply-adds from its
 * "Throughput of Native Arithmetic Instructions", which differ from target to target before 7.0; 64 Ki registers and
 * four warp schedulers in all of them, registers allocated by 256 of a warp, shared memory by 128 bytes. From 8.0 on, a
 * block has 1 KiB more than it asks for. */
static struct target_limits cuda_limits(const char *arch)
{
	static const struct {
		unsigned target, warps, blocks, shared_kib, fma;
	} rows[] = {
		{120, 48, 24, 100, 128},
		{100, 64, 32, 228, 128},
		{90, 64, 32, 228, 128},
		{89, 48, 24, 100, 128},
		{87, 48, 16, 164, 128},
		{86, 48, 16, 100, 128},
		{80, 64, 32, 164, 64},
		{75, 32, 16, 64, 64},
		{70, 64, 32, 96, 64},
		{0, 64, 32, 64, 0},
	};
	unsigned long target = strtoul(arch + strcspn(arch, "0123456789"), NULL, 10);
	size_t i = 0;
	while (rows[i].target > target)
		i++;
	return (struct target_limits){.vgprs = 512,
		.vgpr_granule = 8,
		.wave_slots = rows[i].warps / 4,
		.simds = 4,
		.lds_bytes = rows[i].shared_kib * 1024,
		.lds_granule = 128,
		.workgroups = rows[i].blocks,
		.lds_reserved = target >= 80 ? 1024 : 0,
		.counts_small = true,
		.fma = rows[i].fma};
}

/* gfx9 numbers: AMD "Vega" ISA guide, chapter 3, and LLVM's AMDGPUBaseInfo. */
struct target_limits target_limits(const char *arch, unsigned wave_size)
{
	struct target_limits gfx9 = {256, 4, 800, 10, 4, 65536, 512, AMD_WORKGROUPS, 0, false, 64};
	unsigned gen = gfx_generation(arch);
	if (!strncmp(arch, "sm_", 3))
		return cuda_limits(arch);
	if (has_unified_registers(arch)) {
		gfx9.vgprs = 512;
		gfx9.vgpr_granule = 8;
		gfx9.wave_slots = 8;
	} else if (gen >= 10) {
		bool rdna2 = gen >= 11 || strcmp(arch, "gfx1030") >= 0, large = has_large_registers(arch);
		unsigned lanes = wave_size == 32 ? 32 : 64;
		unsigned granule = large ? 24 : rdna2 ? 16 : 8; /* of waves of 32 lanes: getVGPRAllocGranule */
		return (struct target_limits){(large ? 1536 : 1024) * 32 / lanes, granule * 32 / lanes, 0,
			rdna2 ? 16 : 20, 2, 65536, 512, AMD_WORKGROUPS, 0, false, 128 /* without dual instructions */};
	}
	return gfx9;
}

/* The granule of the encoding is not always that of the allocation: getVGPREncodingGranule. */
unsigned target_decode_vgprs(const char *arch, unsigned wave_size, uint32_t rsrc1)
{
	bool rdna = gfx_generation(arch) >= 10;
	unsigned granule = rdna ? (wave_size == 32 ? 8 : 4) : target_limits(arch, wave_size).vgpr_granule;
	return ((rsrc1 & 63) + 1) * granule;
}

unsigned target_decode_sgprs(const char *arch, uint32_t rsrc1)
{
	return gfx_generation(arch) >= 10 ? 0 : ((rsrc1 >> 6 & 15) / 2 + 1) * 16;
}
