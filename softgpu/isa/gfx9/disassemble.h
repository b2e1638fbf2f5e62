/* Private to softgpu/isa: a bounded text buffer, and functions that print parts of an instruction. */
#ifndef SOFTGPU_ISA_DISASSEMBLE_H
#define SOFTGPU_ISA_DISASSEMBLE_H

#include "softgpu/isa/isa.h"

struct isa_text {
	char *out;
	size_t size, length; /* length also counts text that did not fit */
};

void isa_text_append(struct isa_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A register, constant or literal as an operand of this type. `no` is an operand number. */
void print_operand(struct isa_text *t, unsigned no, enum isa_type type, uint32_t literal);

/* Symbolic text of 16-bit immediates. */
void print_waitcnt(struct isa_text *t, unsigned imm);
void print_hwreg(struct isa_text *t, unsigned imm);
void print_sendmsg(struct isa_text *t, unsigned imm);
void print_gpr_idx(struct isa_text *t, unsigned imm);
void print_swizzle(struct isa_text *t, unsigned imm);

#endif
