/* Banks of the vector registers: bank b holds the registers whose number is b modulo the number of banks. A bank reads
 * one register in a cycle for the first and second sources of a dual instruction. The third source, the old destination
 * of v_dual_fmac, has a port of its own (RDNA3 ISA 7.6). Each source of each half keeps the register that it had in the
 * instruction before. Instructions alone do not conflict: LLVM's pass that avoided it on gfx10 was dropped because it
 * never improved anything. That registers are kept is derived from profiles of compiled and of arranged loops of dual
 * multiply-adds ("Optimizing Matrix Multiplication on RDNA3": at most 75 % VALU, and one cycle each). */
#ifndef SOFTGPU_ISA_REGISTER_BANKS_H
#define SOFTGPU_ISA_REGISTER_BANKS_H

#include "softgpu/isa/isa.h"

enum { ISA_BANKS_MAX = 16, ISA_BANK_READS_MAX = 4 };

/* The registers that each bank reads as first and second sources of both halves of a dual instruction. `before`: the
 * vector instruction before it in line; NULL: none. */
struct isa_bank_reads {
	uint16_t number[ISA_BANKS_MAX][ISA_BANK_READS_MAX];
	uint8_t count[ISA_BANKS_MAX];
};

void isa_find_bank_reads(
	const struct isa_inst *in, const struct isa_inst *before, unsigned banks, struct isa_bank_reads *out);
/* Cycles that a dual instruction takes longer because a bank reads one of them after the other. */
unsigned isa_bank_conflict_cycles(const struct isa_inst *in, const struct isa_inst *before, unsigned banks);

/* Whether two operations may be the halves of a dual instruction: their first sources and their second ones come from
 * different banks, one destination is even and one odd, and neither needs the result of the other. */
bool isa_can_pair(const struct isa_inst *x, const struct isa_inst *y, unsigned banks);

#endif
