/* Where llvm-objdump-15 differs from the hardware of gfx1100. Each difference is as narrow as the words and texts
 * permit; anything else is an error. */
#ifndef TESTS_SOFTGPU_ISA_GFX11_DIFFERENCES_H
#define TESTS_SOFTGPU_ISA_GFX11_DIFFERENCES_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "softgpu/isa/gfx11/gfx11_decode.h"
#include "tests/softgpu/isa/round_trip.h"

/* Rows that LLVM 15 does not have. */
static inline bool llvm_lacks(const struct gfx11_encoding *e)
{
	static const char *const names[] = {
		"v_mov_b16", "v_swap_b16", "s_endpgm_ordered_ps_done", "v_dual_dot2acc_f32_bf16"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(e->mnemonic, names[i]))
			return true;
	return false;
}

static inline bool llvm_lacks_dpp(const struct gfx11_encoding *e)
{
	return e->op == OP_v_dot2_f32_bf16;
}

/* --- fields --- */
static inline bool is_gfx11_vop3(uint32_t first_dword)
{
	return first_dword >> 26 == 0x35;
}

static inline bool is_gfx11_vop3p(uint32_t first_dword)
{
	return first_dword >> 23 == 0x198;
}

static inline unsigned long_source(const uint32_t *word, int n)
{
	return word[1] >> 9 * n & 0x1ff;
}

static inline bool is_dpp_marker(unsigned source)
{
	return source == GFX11_SRC_DPP16 || source == GFX11_SRC_DPP8 || source == GFX11_SRC_DPP8_FI;
}

static inline bool is_long_dpp(const uint32_t *word)
{
	return (is_gfx11_vop3(word[0]) || is_gfx11_vop3p(word[0])) && is_dpp_marker(long_source(word, 0));
}

static inline bool text_begins(const char *text, const char *const *beginnings)
{
	for (; *beginnings; beginnings++)
		if (!strncmp(text, *beginnings, strlen(*beginnings)))
			return true;
	return false;
}

/* Without the destination, LLVM 15 prints the others at the wrong places. */
static inline bool is_movrel_dpp(const char *ours)
{
	static const char *const names[] = {
		"v_movreld_b32_e64_dpp", "v_movrelsd_b32_e64_dpp", "v_movrelsd_2_b32_e64_dpp", NULL};

	return text_begins(ours, names);
}

static inline bool is_fmac_dpp(const char *ours)
{
	static const char *const names[] = {"v_fmac_f16_e64_dpp", "v_fmac_f32_e64_dpp", NULL};

	return text_begins(ours, names);
}

/* --- what only LLVM decodes --- */
/* A constant as jump target, as destination, or where lanes are read from; a register that is not a VGPR where the VGPR
 * itself is meant. */
static inline bool has_wrong_register(const char *theirs, const uint32_t *word)
{
	static const char *const targets[] = {"s_swappc_b64", "s_movrels_b32", "s_movrels_b64", NULL},
				 *const lanes[] = {"v_readfirstlane_b32", "v_readlane_b32", NULL},
				 *const vgprs[] = {"v_swap_b32", "v_swaprel_b32", "v_movrels_b32", "v_movrelsd_b32",
					 "v_movrelsd_2_b32", "v_permlane", NULL};
	const char *operand = strchr(theirs, ' ');
	unsigned source = is_gfx11_vop3(word[0]) ? long_source(word, 0) : word[0] & 0x1ff;

	if (text_begins(theirs, targets))
		return (word[0] & 0xff) >= ISA_INT0;
	if (text_begins(theirs, vgprs) && source < ISA_VGPR0)
		return true;
	if (text_begins(theirs, lanes) && source >= ISA_INT0 && source < ISA_VGPR0)
		return true;
	return operand && (strchr("-0123456789", operand[1]) || !strncmp(operand + 1, "src_", 4));
}

/* Matrices and the four sums of v_mqsad_u32_u8 are in VGPRs, or (the matrix that is added) an inline constant. llvm-mc
 * refuses a literal, too. */
static inline bool has_scalar_tuple(const char *theirs, const uint32_t *word)
{
	static const char *const matrix[] = {"v_wmma_", NULL}, *const sums[] = {"v_mqsad_u32_u8", NULL};

	if (text_begins(theirs, matrix))
		return long_source(word, 0) < ISA_VGPR0 || long_source(word, 1) < ISA_VGPR0 ||
			long_source(word, 2) < ISA_INT0 || long_source(word, 2) == GFX11_SRC_LITERAL;
	return text_begins(theirs, sums) && long_source(word, 2) < ISA_VGPR0;
}

/* DPP in VOP3: LLVM 15 reads the second source as a VGPR without its highest bit, and permits a literal, which would be
 * where the DPP dword is. */
static inline bool has_wrong_dpp_source(const uint32_t *word)
{
	return is_long_dpp(word) && (long_source(word, 1) < ISA_VGPR0 || long_source(word, 2) == GFX11_SRC_LITERAL);
}

/* MUBUF or MTBUF. */
static inline bool is_gfx11_buffer(uint32_t word)
{
	return word >> 26 == 0x38 || word >> 26 == 0x3a;
}

/* Four or more dwords of scalars that begin at one of the special registers or would end there. */
static inline bool has_special_tuple(const uint32_t *word)
{
	bool smem = word[0] >> 26 == 0x3d, buffer = is_gfx11_buffer(word[0]);
	unsigned base = smem ? (word[0] & 0x3f) * 2 : (word[1] >> 16 & 31) * 4, data = word[0] >> 6 & 0x7f;

	return ((smem || buffer) && base >= 104) || (smem && data >= 104 && (data < ISA_TTMP0 || data >= ISA_EXEC));
}

/* They have no literal. */
static inline bool has_literal_offset(const uint32_t *word)
{
	return is_gfx11_buffer(word[0]) && word[1] >> 24 == GFX11_SRC_LITERAL;
}

/* A VGPR or constant as carry or mask. */
static inline bool has_wrong_carry(const char *theirs, const uint32_t *word)
{
	static const char *const names[] = {"v_cndmask_b32_e64", "v_cndmask_b16", "v_add_co_ci_u32_e64",
		"v_sub_co_ci_u32_e64", "v_subrev_co_ci_u32_e64", NULL};

	return is_gfx11_vop3(word[0]) && text_begins(theirs, names) && long_source(word, 2) >= ISA_INT0;
}

static inline bool gfx11_is_excused(const char *theirs, const uint32_t *word)
{
	static const char *const none[] = {"v_nop", "v_pipeflush", NULL}, *const flat[] = {"flat_", NULL};

	if (strstr(theirs, "/*")) /* "invalid ..." */
		return true;
	if (text_begins(theirs, none) && is_dpp_marker(word[0] & 0x1ff))
		return true;
	if (text_begins(theirs, flat) && word[0] & 0x1000) /* the offset has 12 bits */
		return true;
	return has_wrong_register(theirs, word) || has_wrong_carry(theirs, word) || has_scalar_tuple(theirs, word) ||
		has_wrong_dpp_source(word) || has_special_tuple(word) || has_literal_offset(word);
}

/* --- what only we decode --- */
static inline bool gfx11_is_decoded_by_one_side(const char *theirs, const char *ours, const uint32_t *word)
{
	/* DPP, and signs of the second source */
	static const char *const names[] = {"v_dot2_f32_bf16", NULL};
	struct isa_inst in;

	if (strncmp(theirs, ".long", 5) || !isa_decode(word, 12, current->target, &in))
		return false;
	if (text_begins(ours, names))
		return in.form != FORM_PLAIN || (in.neg | in.neg_hi) & 2;
	return llvm_lacks(gfx11_encoding_at(in.row)) || is_movrel_dpp(ours) ||
		(in.dual.op != OP_INVALID && llvm_lacks(gfx11_encoding_at(in.dual.row)));
}

/* --- texts --- */
/* Short encodings: LLVM 15 prints v129 for the high half of v1. */
static inline void rename_high_halves(char *text)
{
	char copy[300], *to = text;

	snprintf(copy, sizeof copy, "%s", text);
	for (const char *from = copy; *from;) {
		unsigned n;
		int length = 0;
		if ((from == copy || !isalnum((unsigned char)from[-1])) && sscanf(from, "v%u.h%n", &n, &length) == 1 &&
			length) {
			to += sprintf(to, "v%u", n + 128);
			from += length;
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
}

/* Removes " op_sel:[...]". */
static inline void remove_op_sel(char *text)
{
	char *from = strstr(text, " op_sel:["), *to = from ? strchr(from, ']') : NULL;

	if (to)
		memmove(from, to + 1, strlen(to + 1) + 1);
}

/* Removes all of: sext( ) - | */
static inline void remove_signs(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (!strncmp(from, "sext(", 5))
			from += 4;
		else if (!strchr("-|)", *from))
			*to++ = *from;
	*to = '\0';
}

/* LLVM 15 prints signs of integers, and not those of v_cndmask, which LLVM 16 does print. */
static inline bool has_other_signs(const char *theirs, const char *ours, const uint32_t *word)
{
	static const char *const select[] = {"v_cndmask_b32_e64_dpp", "v_cndmask_b16_e64_dpp", NULL};
	char their_text[300], our_text[300];

	if (!is_long_dpp(word) || !(text_begins(ours, select) || strstr(theirs, "sext(")))
		return false;
	snprintf(their_text, sizeof their_text, "%s", theirs);
	snprintf(our_text, sizeof our_text, "%s", ours);
	remove_signs(their_text);
	remove_signs(our_text);
	return !strcmp(their_text, our_text);
}

/* LLVM prints a literal of v_dual_dot2acc_f32_f16 whose lower half is an inline constant as that constant, which is
 * another encoding. */
static inline bool has_other_literal(const char *theirs, const char *ours)
{
	const char *literal = strstr(ours, "0x"), *end = literal ? strchr(literal, ',') : NULL, *their_end;

	if (!end || !strstr(ours, "v_dual_dot2acc_f32_f16") || strncmp(theirs, ours, (size_t)(literal - ours)))
		return false;
	their_end = strchr(theirs + (literal - ours), ',');
	return their_end && !strcmp(their_end, end);
}

static inline bool gfx11_is_printed_differently(const char *theirs, const char *ours, const uint32_t *word)
{
	char text[300];
	size_t to_source = strcspn(ours, ",");

	if (is_fmac_dpp(ours)) /* with the operands at the wrong places, from the first source on */
		return !strncmp(theirs, ours, to_source);
	if (is_movrel_dpp(ours))
		return !strncmp(theirs, ours, strcspn(ours, "_") + 1) && !strstr(theirs, "_dpp") &&
			strstr(theirs, strrchr(ours, ' '));
	if (has_other_signs(theirs, ours, word) || has_other_literal(theirs, ours))
		return true;
	snprintf(text, sizeof text, "%s", ours);
	rename_high_halves(text);
	if (!strcmp(theirs, text))
		return true;
	if (is_gfx11_vop3(word[0]) && word[0] & 0x7800) /* LLVM ignores op_sel of most instructions with halves */
		remove_op_sel(text);
	return !strcmp(theirs, text) || has_other_signs(theirs, text, word);
}

/* llvm-mc 15 crashes where a high half, which it does not know, is next to a literal that could be an inline constant.
 */
static inline bool crashes_llvm_mc(const struct isa_inst *in)
{
	return (in->op == OP_v_fmamk_f16 || in->op == OP_v_fmaak_f16) && in->literal <= 64;
}

/* Texts that llvm-mc assembles to other words: branch targets, which are relative; a float as the immediate of
 * s_setreg_imm32, where it uses the lower half of the double; small negative literals of v_fmamk and v_fmaak; literals
 * for two halves, of which some print as inline constants; and swizzle masks, which have several texts. */
static inline bool gfx11_has_ambiguous_text(const struct isa_inst *in)
{
	const struct isa_info *row = isa_info(in->op);

	for (int i = 0; i < 3; i++)
		if (row->src[i] == T_P16 && in->src[i] == ISA_LITERAL)
			return true;
	return row->unit == UNIT_BRANCH || crashes_llvm_mc(in) ||
		((gfx11_literal_source(in->op) || gfx11_literal_source(in->dual.op)) && in->literal >= 0xfffffff0) ||
		(in->op == OP_ds_swizzle_b32 && !(in->imm & 0x8000)) ||
		(in->op == OP_s_setreg_imm32_b32 && in->literal > 64 && in->literal < 0xfffffff0);
}

#endif
