/* Private to softgpu/isa/gfx9: the decoder's state, operand fields, and a function per encoding.
 *
 * Field positions are from the AMD "Vega" ISA Reference Guide, chapter 13.
 */
#ifndef SOFTGPU_ISA_DECODE_H
#define SOFTGPU_ISA_DECODE_H

#include "softgpu/isa/bit_fields.h"
#include "softgpu/isa/gfx9/opcode_table.h"

struct decoder {
	uint32_t word[2]; /* missing bytes are 0 */
	struct isa_inst *out;
	const struct isa_info *row;
};

/* As the functions of isa.h, for targets of this family. */
unsigned gfx9_decode(const void *code, size_t avail, enum isa_target target, struct isa_inst *out);
size_t gfx9_print_unknown(const void *code, size_t avail, char *out, size_t size);

/* Stores the operand number of a field. False if the field is not valid for an operand of this type. */
bool put_vgpr_operand(uint16_t *where, unsigned field, enum isa_type type);
bool put_scalar_operand(uint16_t *where, unsigned field, enum isa_type type); /* a register */
bool put_source_operand(uint16_t *where, unsigned field, enum isa_type type); /* 8 or 9 bits: anything */
bool is_constant_operand(unsigned field, unsigned dwords);

/* Decodes the fields of an instruction whose row is known. False if a field is not valid. */
bool decode_vop1(struct decoder *d);
bool decode_vop2(struct decoder *d);
bool decode_vopc(struct decoder *d);
bool decode_vop3(struct decoder *d);
bool decode_vop3p(struct decoder *d);
bool decode_smem(struct decoder *d);
bool decode_ds(struct decoder *d);
bool decode_flat(struct decoder *d);
bool decode_mubuf(struct decoder *d);
bool decode_mtbuf(struct decoder *d);
bool decode_mimg(struct decoder *d);

#endif
