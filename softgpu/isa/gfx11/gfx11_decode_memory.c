/* Decodes memory instructions of gfx11: SMEM, DS, FLAT and its segments, MUBUF, MTBUF. */
#include "softgpu/isa/gfx11/gfx11_decode.h"

enum { FIELD_OFF = 124 /* null as a scalar address */ };

static bool gfx11_put_scalar_address(struct gfx11_decoder *d)
{
	struct isa_inst *out = d->out;
	unsigned offset = extract_bits(d->word[1], 31, 25);

	out->flags |= FLAG_IMM;
	out->imm = sign_extend(d->word[1], 21);
	if (offset != FIELD_OFF) {
		out->flags |= FLAG_SADDR;
		if (!gfx11_put_scalar(d, &out->src[1], offset, T_B32))
			return false;
	}
	return gfx11_put_scalar(d, &out->src[0], extract_bits(d->word[0], 5, 0) * 2, d->row->src[0]);
}

bool gfx11_decode_smem(struct gfx11_decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t w = d->word[0];

	if (d->row->src[0] == T__)
		return extract_bits(w, 14, 13) == 0;
	if (d->row->src[2] == T_SIMM16) {
		out->offset1 = extract_bits(w, 12, 6);
		return extract_bits(w, 14, 13) == 0 && gfx11_put_scalar_address(d);
	}
	if (!gfx11_put_scalar(d, &out->dst, extract_bits(w, 12, 6), d->row->dst))
		return false;
	out->flags |= (extract_bits(w, 14, 14) ? FLAG_GLC : 0) | (extract_bits(w, 13, 13) ? FLAG_DLC : 0);
	return gfx11_put_scalar_address(d);
}

bool gfx11_decode_ds(struct gfx11_decoder *d)
{
	struct isa_inst *out = d->out;
	const struct isa_info *row = d->row;
	uint32_t lo = d->word[0], hi = d->word[1];

	out->imm = row->dst2 == T_OFF2 ? extract_bits(lo, 7, 0) : extract_bits(lo, 15, 0);
	out->offset1 = row->dst2 == T_OFF2 ? extract_bits(lo, 15, 8) : 0;
	if (extract_bits(lo, 17, 17))
		out->flags |= FLAG_GDS;
	if (out->op == OP_ds_nop && (out->imm || out->flags))
		return false;
	if (isa_is_global_wave_sync(out->op) && !(out->flags & FLAG_GDS))
		return false;
	if ((out->op == OP_ds_permute_b32 || out->op == OP_ds_bpermute_b32) && out->flags & FLAG_GDS)
		return false;
	for (int i = 0; i < 3; i++) {
		unsigned field = extract_bits(hi, 8 * i + 7, 8 * i);

		if (row->src[i] == T__ ? field != 0
				       : !gfx11_put_vgpr(&out->src[i], field, isa_type_dwords(row->src[i])))
			return false;
	}
	return row->dst == T__ ? extract_bits(hi, 31, 24) == 0
			       : gfx11_put_vgpr(&out->dst, extract_bits(hi, 31, 24), isa_type_dwords(row->dst));
}

/* An atomic returns a value only with glc; csub does always. */
static bool gfx11_put_loaded(struct gfx11_decoder *d, unsigned field)
{
	unsigned op = d->out->op;

	if ((op == OP_buffer_atomic_csub_u32 || op == OP_global_atomic_csub_u32) && !(d->out->flags & FLAG_GLC))
		return false;
	if (d->row->dst == T__)
		return true;
	if (d->row->traits & VMEM_ATOMIC && !(d->out->flags & FLAG_GLC))
		return true;
	return gfx11_put_vgpr(&d->out->dst, field, isa_type_dwords(d->row->dst));
}

static bool gfx11_put_flat_address(struct gfx11_decoder *d)
{
	struct isa_inst *out = d->out;
	unsigned vaddr = extract_bits(d->word[1], 7, 0), field = extract_bits(d->word[1], 22, 16);
	bool saddr = field != FIELD_OFF, sve = extract_bits(d->word[1], 23, 23);

	if ((saddr && out->enc == ENC_FLAT) || (sve && out->enc != ENC_SCRATCH))
		return false;
	if (saddr) {
		out->flags |= FLAG_SADDR;
		if (!gfx11_put_scalar(d, &out->src[2], field, d->row->src[2]))
			return false;
	}
	if (d->row->src[0] == T__ || (out->enc == ENC_SCRATCH && !sve))
		return true;
	return gfx11_put_vgpr(&out->src[0], vaddr, saddr || sve ? 1 : 2);
}

bool gfx11_decode_flat(struct gfx11_decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t lo = d->word[0], hi = d->word[1];

	out->flags |= (extract_bits(lo, 14, 14) ? FLAG_GLC : 0) | (extract_bits(lo, 15, 15) ? FLAG_SLC : 0) |
		(extract_bits(lo, 13, 13) ? FLAG_DLC : 0);
	out->imm = sign_extend(lo, 13);
	if (out->enc == ENC_FLAT && out->imm < 0) /* it has 12 bits */
		return false;
	if (d->row->src[1] != T__ &&
		!gfx11_put_vgpr(&out->src[1], extract_bits(hi, 15, 8), isa_type_dwords(d->row->src[1])))
		return false;
	return gfx11_put_loaded(d, extract_bits(hi, 31, 24)) && gfx11_put_flat_address(d);
}

/* gfx11 has opcodes of their own for loads to LDS; other families have a bit. */
static bool gfx11_loads_lds(const struct gfx11_encoding *e)
{
	return e->enc == ENC_MUBUF && e->code >= 45 && e->code <= 50;
}

/* The bits and registers that MUBUF and MTBUF share. */
static bool gfx11_put_buffer_operands(struct gfx11_decoder *d)
{
	struct isa_inst *out = d->out;
	const uint32_t lo = d->word[0], hi = d->word[1];
	const unsigned both = extract_bits(hi, 23, 22), data = extract_bits(hi, 15, 8);

	out->flags |= (extract_bits(lo, 14, 14) ? FLAG_GLC : 0) | (extract_bits(lo, 12, 12) ? FLAG_SLC : 0) |
		(extract_bits(lo, 13, 13) ? FLAG_DLC : 0) | (extract_bits(hi, 21, 21) ? FLAG_TFE : 0) |
		(both & 1 ? FLAG_OFFEN : 0) | (both & 2 ? FLAG_IDXEN : 0);
	out->imm = extract_bits(lo, 11, 0);
	if (d->row->traits & VMEM_ATOMIC) {
		out->flags &= ~FLAG_TFE;
		if (out->flags & FLAG_DLC)
			return false;
	}
	if (both && !gfx11_put_vgpr(&out->src[0], extract_bits(hi, 7, 0), both == 3 ? 2 : 1))
		return false;
	if (d->row->dst2 != T__ && !gfx11_put_vgpr(&out->data, data, isa_type_dwords(d->row->dst2)))
		return false;
	return (out->flags & FLAG_LDS || gfx11_put_loaded(d, data)) &&
		gfx11_put_scalar(d, &out->src[1], extract_bits(hi, 20, 16) * 4, T_SRSRC) &&
		extract_bits(hi, 31, 24) != ISA_LITERAL &&
		gfx11_put_source(d, &out->src[2], extract_bits(hi, 31, 24), T_B32);
}

bool gfx11_decode_mtbuf(struct gfx11_decoder *d)
{
	d->out->format = extract_bits(d->word[0], 25, 19);
	return gfx11_put_buffer_operands(d);
}

bool gfx11_decode_mubuf(struct gfx11_decoder *d)
{
	if (d->row->src[0] == T__)
		return !extract_bits(d->word[1], 23, 22) && extract_bits(d->word[0], 14, 13) == 0;
	if (gfx11_loads_lds(d->encoding))
		d->out->flags |= FLAG_LDS;
	return gfx11_put_buffer_operands(d);
}
