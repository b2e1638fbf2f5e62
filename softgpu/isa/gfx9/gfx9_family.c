/* The family of gfx900, gfx906 and gfx908. Sources: AMD "Vega" Instruction Set Architecture Reference Guide (2020);
 * LLVM's AMDGPU backend for what the targets after Vega have. */
#include "softgpu/isa/gfx9/decode.h"
#include "softgpu/isa/gfx9/disassemble.h"

static const char *gfx9_mnemonic(const struct isa_inst *in)
{
	return isa_info(in->op)->name;
}

const struct isa_family isa_family_gfx9 = {
	.name = "gfx9",
	.decode = gfx9_decode,
	.mnemonic = gfx9_mnemonic,
	.print = gfx9_print,
	.print_unknown = gfx9_print_unknown,
	/* S_WAITCNT, chapter 12.5 */
	.vmcnt = {0, 4, 14, 2},
	.expcnt = {4, 3, 0, 0},
	.lgkmcnt = {8, 4, 0, 0},
	.sgprs = ISA_FLAT_SCRATCH,
	.has_window_stalls = true, /* Vega64 notes 2.2.1 */
	/* HW_ID. The shader engine has 2 bits in the guide, but 3 on chips with 8 engines. */
	.place = {.number = 4, .simd = 4, .processor = 8, .processor_bits = 4, .engine = 13, .engine_bits = 3},
};
