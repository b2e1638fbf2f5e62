/* The family of gfx1100. Source: AMD "RDNA3" Instruction Set Architecture Reference Guide (2023). */
#include "softgpu/isa/gfx11/gfx11_decode.h"
#include "softgpu/isa/gfx11/gfx11_disassemble.h"

const struct isa_family isa_family_gfx11 = {
	.name = "gfx11",
	.decode = gfx11_decode,
	.mnemonic = gfx11_mnemonic,
	.print = gfx11_print,
	.print_unknown = gfx11_print_unknown,
	/* S_WAITCNT, chapter 16.5 */
	.vmcnt = {10, 6, 0, 0},
	.expcnt = {0, 3, 0, 0},
	.lgkmcnt = {4, 6, 0, 0},
	.counts_stores = true,
	.keeps_halves = true,
	.has_pairs = true,
	.sgprs = ISA_VCC,
	/* HW_ID1: wave slot, SIMD, WGP of the shader array, array of the engine, engine. The guide has 3 bits for the
         * engine; models may have 16 engines. */
	.place = {.number = 23,
		.simd = 8,
		.processor = 10,
		.processor_bits = 4,
		.array = 16,
		.engine = 18,
		.engine_bits = 4},
	.more_hwregs =
		1u << HWREG_FLAT_SCR_LO | 1u << HWREG_FLAT_SCR_HI | 1u << HWREG_HW_ID2 | 1u << HWREG_SHADER_CYCLES,
};
