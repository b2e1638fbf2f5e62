/* Private to softgpu/isa/gfx11: the decoder's state, operand fields, and a function per encoding.
 *
 * Field positions are from the AMD "RDNA3" ISA Reference Guide, chapter 15. Where the guide does not define a bit, the
 * rules are those of LLVM 15's disassembler.
 */
#ifndef SOFTGPU_ISA_GFX11_GFX11_DECODE_H
#define SOFTGPU_ISA_GFX11_GFX11_DECODE_H

#include "softgpu/isa/bit_fields.h"
#include "softgpu/isa/gfx11/gfx11_encodings.h"

struct gfx11_decoder {
	uint32_t word[3]; /* missing bytes are 0 */
	struct isa_inst *out;
	const struct gfx11_encoding *encoding;
	const struct isa_info *row;
	enum isa_target target;
};

/* Source fields that announce another dword. */
enum { GFX11_SRC_DPP8 = 233, GFX11_SRC_DPP8_FI = 234, GFX11_SRC_DPP16 = 250, GFX11_SRC_LITERAL = 255 };

/* As the functions of isa.h, for targets of this family. */
unsigned gfx11_decode(const void *code, size_t avail, enum isa_target target, struct isa_inst *out);
size_t gfx11_print_unknown(const void *code, size_t avail, char *out, size_t size);

/* Stores the operand number of a field. False if the field is not valid for an operand of this type. */
bool gfx11_put_vgpr(uint16_t *where, unsigned field, unsigned dwords);
bool gfx11_put_scalar(const struct gfx11_decoder *d, uint16_t *where, unsigned field, enum isa_type type);
bool gfx11_put_source(const struct gfx11_decoder *d, uint16_t *where, unsigned field, enum isa_type type);

/* Decodes the fields of an instruction whose row is known. False if a field is not valid. */
bool gfx11_decode_vop1(struct gfx11_decoder *d);
bool gfx11_decode_vop2(struct gfx11_decoder *d);
bool gfx11_decode_vopc(struct gfx11_decoder *d);
bool gfx11_decode_vop3(struct gfx11_decoder *d);
bool gfx11_decode_vop3p(struct gfx11_decoder *d);
bool gfx11_decode_vopd(struct gfx11_decoder *d);
bool gfx11_decode_smem(struct gfx11_decoder *d);
bool gfx11_decode_ds(struct gfx11_decoder *d);
bool gfx11_decode_flat(struct gfx11_decoder *d);
bool gfx11_decode_mubuf(struct gfx11_decoder *d);
bool gfx11_decode_mtbuf(struct gfx11_decoder *d);

#endif
