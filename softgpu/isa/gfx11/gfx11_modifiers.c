/* Which modifiers an instruction of gfx11 supports.
 *
 * The ISA guide does not define unused modifier bits. The rules here are those of the disassembler of LLVM 15, found by
 * flipping each bit of each instruction: what LLVM rejects is illegal here too, what it ignores is cleared.
 */
#include "softgpu/isa/gfx11/gfx11_encodings.h"

bool gfx11_is_half(enum isa_type type)
{
	switch (type) {
	case T_B16:
	case T_I16:
	case T_U16:
	case T_F16:
	case T_F16K:
	case T_I16K:
	case T_U16K:
	case T_B16K:
	case T_BF16: return true;
	default: return false;
	}
}

unsigned gfx11_dwords(enum isa_target target, enum isa_type type)
{
	bool mask = type == T_MASK || type == T_CARRY || type == T_EXEC;

	if (type == T_MATRIX && !isa_is_wave32(target))
		return 4;
	return mask && isa_is_wave32(target) ? 1 : isa_type_dwords(type);
}

unsigned gfx11_literal_source(unsigned op)
{
	switch (op) {
	case OP_v_fmamk_f32:
	case OP_v_fmamk_f16: return 1;
	case OP_v_fmaak_f32:
	case OP_v_fmaak_f16: return 2;
	}
	return 0;
}

bool gfx11_has_dpp(const struct gfx11_encoding *e)
{
	(void)e;
	return true;
}

bool gfx11_fit_long(const struct gfx11_encoding *e, struct isa_inst *in)
{
	(void)e, (void)in;
	return true;
}

bool gfx11_fit_packed(const struct gfx11_encoding *e, struct isa_inst *in)
{
	(void)e, (void)in;
	return true;
}

bool gfx11_has_long(const struct gfx11_encoding *e)
{
	return e->op != OP_INVALID && e->op != OP_v_readfirstlane_b32 && e->op != OP_v_swap_b32 &&
		!gfx11_literal_source(e->op);
}
