/* Decodes VOPD: two operations in one instruction, for wave32. */
#include "softgpu/isa/gfx11/gfx11_decode.h"

/* The sources of one operation; its third one is implied. */
static bool gfx11_put_dual_sources(
	const struct gfx11_decoder *d, unsigned op, unsigned src0, unsigned vsrc1, unsigned dst, uint16_t src[3])
{
	const struct isa_info *row = isa_info(op);
	unsigned literal = gfx11_literal_source(op), second = literal == 1 ? 2 : 1;

	if (literal)
		src[literal] = ISA_LITERAL;
	if (row->traits & READS_D)
		src[2] = ISA_VGPR0 + dst;
	if (row->src[2] == T_CARRY)
		src[2] = ISA_VCC;
	if (row->src[1] != T__)
		src[second] = ISA_VGPR0 + vsrc1;
	return (row->src[1] != T__ || vsrc1 == 0) && gfx11_put_source(d, &src[0], src0, row->src[0]);
}

/* One destination is even, the other odd: the second one's lowest bit is implied. */
bool gfx11_decode_vopd(struct gfx11_decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t lo = d->word[0], hi = d->word[1];
	unsigned dst = extract_bits(hi, 31, 24), second_dst = extract_bits(hi, 23, 17) << 1 | !(dst & 1);
	struct isa_dual *dual = &out->dual;

	*dual = (struct isa_dual){
		.row = gfx11_find_encoding(ENC_VOPD, extract_bits(lo, 21, 17)),
		.dst = ISA_VGPR0 + second_dst,
		.src = {ISA_NONE, ISA_NONE, ISA_NONE},
	};
	dual->op = gfx11_encoding_at(dual->row)->op;
	out->dst = ISA_VGPR0 + dst;
	return isa_is_wave32(d->target) && dual->op != OP_INVALID &&
		gfx11_put_dual_sources(d, out->op, extract_bits(lo, 8, 0), extract_bits(lo, 16, 9), dst, out->src) &&
		gfx11_put_dual_sources(
			d, dual->op, extract_bits(hi, 8, 0), extract_bits(hi, 16, 9), second_dst, dual->src);
}
