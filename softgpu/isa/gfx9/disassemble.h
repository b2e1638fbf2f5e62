/* Private to softgpu/isa/gfx9: functions that print parts of an instruction. */
#ifndef SOFTGPU_ISA_DISASSEMBLE_H
#define SOFTGPU_ISA_DISASSEMBLE_H

#include "softgpu/isa/isa_text.h"

/* As isa_print, for targets of this family. */
size_t gfx9_print(const struct isa_inst *in, char *out, size_t size);

/* A register, constant or literal as an operand of this type. `no` is an operand number. */
void print_operand(struct isa_text *t, unsigned no, enum isa_type type, uint32_t literal);

/* Symbolic text of 16-bit immediates. */
void print_hwreg(struct isa_text *t, unsigned imm);
void print_sendmsg(struct isa_text *t, unsigned imm);
void print_gpr_idx(struct isa_text *t, unsigned imm);

/* The format of MTBUF, with a space before it. */
void print_buffer_format(struct isa_text *t, unsigned format);

#endif
