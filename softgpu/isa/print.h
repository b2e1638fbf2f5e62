/* Inside softgpu/isa: a bounded text under construction, and the parts of an instruction's text. */
#ifndef SOFTGPU_ISA_PRINT_H
#define SOFTGPU_ISA_PRINT_H

#include "softgpu/isa/isa.h"

struct text {
	char *out;
	size_t size, length; /* length counts what would have been written */
};

void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Register, constant or literal as an operand of that type; `no` is an operand number. */
void print_operand(struct text *t, unsigned no, enum isa_type type, uint32_t literal);

/* Symbolic forms of 16-bit immediates. */
void print_waitcnt(struct text *t, unsigned imm);
void print_hwreg(struct text *t, unsigned imm);
void print_sendmsg(struct text *t, unsigned imm);
void print_gpr_idx(struct text *t, unsigned imm);
void print_swizzle(struct text *t, unsigned imm);

#endif
