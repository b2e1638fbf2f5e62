/* Private to softgpu/isa/gfx11: functions that print parts of an instruction. */
#ifndef SOFTGPU_ISA_GFX11_GFX11_DISASSEMBLE_H
#define SOFTGPU_ISA_GFX11_GFX11_DISASSEMBLE_H

#include "softgpu/isa/gfx11/gfx11_encodings.h"
#include "softgpu/isa/isa_text.h"

/* As the functions of isa.h, for targets of this family. */
const char *gfx11_mnemonic(const struct isa_inst *in);
size_t gfx11_print(const struct isa_inst *in, char *out, size_t size);

/* A register, constant or literal as an operand of this type. `no` is an operand number. */
void gfx11_print_operand(struct isa_text *t, const struct isa_inst *in, unsigned no, enum isa_type type);

/* A space before the first operand, a comma before the others. */
void gfx11_begin_operand(struct isa_text *t, bool *first);

/* Instructions by encoding, without the mnemonic. */
void gfx11_print_vector(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row);
void gfx11_print_dual(struct isa_text *t, const struct isa_inst *in); /* with the mnemonics */
void gfx11_print_smem(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row);
void gfx11_print_ds(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row);
void gfx11_print_flat(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row);
void gfx11_print_buffer(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row);

/* Symbolic text of 16-bit immediates. */
void gfx11_print_depctr(struct isa_text *t, unsigned imm);
void gfx11_print_delay_alu(struct isa_text *t, unsigned imm);
void gfx11_print_hwreg(struct isa_text *t, unsigned imm);
void gfx11_print_sendmsg(struct isa_text *t, unsigned imm);

/* The format of MTBUF, with a space before it. */
void gfx11_print_buffer_format(struct isa_text *t, unsigned format);

#endif
