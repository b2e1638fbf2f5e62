/* Expands gfx11_encodings.def into rows and, per encoding, an index from opcode number to row. */
#include "softgpu/isa/gfx11/gfx11_encodings.h"

#define CODES 1024

enum gfx11_row {
	ROW_INVALID,
#define ENCODE(enc, code, targets, mnemonic, op) ROW_##enc##_##code,
#include "softgpu/isa/gfx11/gfx11_encodings.def"
#undef ENCODE
	ROW_COUNT
};

static const uint16_t row_of[ENC_COUNT][CODES] = {
#define ENCODE(enc, code, targets, mnemonic, op) [ENC_##enc][code] = ROW_##enc##_##code,
#include "softgpu/isa/gfx11/gfx11_encodings.def"
#undef ENCODE
};

static const struct gfx11_encoding encodings[ROW_COUNT] = {
	[ROW_INVALID] = {.mnemonic = "invalid"},
#define ENCODE(enc_, code_, targets, mnemonic_, op_) \
	[ROW_##enc_##_##code_] = {.mnemonic = #mnemonic_, .op = OP_##op_, .code = code_, .enc = ENC_##enc_},
#include "softgpu/isa/gfx11/gfx11_encodings.def"
#undef ENCODE
};

const struct gfx11_encoding *gfx11_encoding_at(unsigned row)
{
	return &encodings[row < ROW_COUNT ? row : ROW_INVALID];
}

static unsigned gfx11_find_row(enum isa_enc enc, unsigned code)
{
	return code < CODES ? row_of[enc][code] : ROW_INVALID;
}

/* Numbers below 512 are those of VOPC, VOP2 and VOP1 in their long form. */
static unsigned gfx11_find_long(unsigned code)
{
	unsigned row = code < 0x100 ? gfx11_find_row(ENC_VOPC, code)
		: code < 0x180      ? gfx11_find_row(ENC_VOP2, code - 0x100)
				    : gfx11_find_row(ENC_VOP1, code - 0x180);

	return gfx11_has_long(gfx11_encoding_at(row)) ? row : ROW_INVALID;
}

unsigned gfx11_find_encoding(enum isa_enc enc, unsigned code)
{
	return enc == ENC_VOP3 && code < 0x200 ? gfx11_find_long(code) : gfx11_find_row(enc, code);
}

bool isa_has_dual_form(unsigned op)
{
	for (unsigned code = 0; code < 32; code++) {
		const unsigned row = gfx11_find_row(ENC_VOPD, code);
		if (row && gfx11_encoding_at(row)->op == op)
			return true;
	}
	return false;
}
