/* What newer versions of LLVM print or decode differently than LLVM 15, which softgpu/isa follows. Each difference
 * names the first version and is as narrow as the texts permit; anything else is an error. */
#ifndef TESTS_SOFTGPU_ISA_LLVM_DIFFERENCES_H
#define TESTS_SOFTGPU_ISA_LLVM_DIFFERENCES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/toolchain.h"

#define TFE_BIT (1u << 23) /* in the second dword of MUBUF and MTBUF */

/* Modifiers of VOP3: abs and op_sel in the first dword, neg in the second. */
#define ABS_OP_SEL 0x7f00u
#define NEG        0xe0000000u

/* Words that one side rejects. `theirs` and `ours` are the beginning of a mnemonic, NULL for the side that rejects. */
static const struct {
	unsigned since;
	const char *theirs, *ours;
	const char *part;       /* is in the text, NULL: anything */
	uint32_t first, second; /* one of these bits is set in the dwords, both 0: anything */
} llvm_decodes[] = {
	/* output modifiers of halves with op_sel */
	{16, "v_med3_f16", NULL, " mul:", 0, 0},
	{16, "v_med3_f16", NULL, " div:", 0, 0},
	{16, "v_max3_f16", NULL, " mul:", 0, 0},
	{16, "v_max3_f16", NULL, " div:", 0, 0},
	{16, "v_min3_f16", NULL, " mul:", 0, 0},
	{16, "v_min3_f16", NULL, " div:", 0, 0},
	{16, "v_fma_f16", NULL, " mul:", 0, 0},
	{16, "v_fma_f16", NULL, " div:", 0, 0},
	{16, "v_mad_f16", NULL, " mul:", 0, 0},
	{16, "v_mad_f16", NULL, " div:", 0, 0},
	{16, "v_div_fixup_f16", NULL, " mul:", 0, 0},
	{16, "v_div_fixup_f16", NULL, " div:", 0, 0},
	/* the sources are floats, no longer integers */
	{16, "v_cndmask_b32_sdwa", NULL, "-", 0, 0},
	{16, "v_cndmask_b32_sdwa", NULL, "neg(", 0, 0},
	{16, "v_cndmask_b32_sdwa", NULL, "|", 0, 0},
	{16, NULL, "v_cndmask_b32_sdwa", "sext(", 0, 0},
	{16, NULL, "buffer_load_", NULL, 0, TFE_BIT},
	/* integers with negated halves */
	{18, "v_pk_", NULL, " neg_", 0, 0},
	{18, "v_dot2_", NULL, " neg_", 0, 0},
	{19, NULL, "buffer_atomic_", NULL, 0, TFE_BIT},
	/* modifiers that integers do not have */
	{20, NULL, "v_dot4_", " op_sel", 0, 0},
	{20, NULL, "v_dot8_", " op_sel", 0, 0},
	{20, NULL, "v_mad_", "16 ", ABS_OP_SEL, NEG},
	{20, NULL, "v_max3_", "16 ", ABS_OP_SEL, NEG},
	{20, NULL, "v_min3_", "16 ", ABS_OP_SEL, NEG},
	{20, NULL, "v_med3_", "16 ", ABS_OP_SEL, NEG},
	{20, NULL, "v_sub_i16", NULL, ABS_OP_SEL, NEG},
	{20, NULL, "v_add_i16", NULL, ABS_OP_SEL, NEG},
	{20, "v_pk_fmac_f16_dpp", NULL, NULL, 0, 0},
	{20, "v_pk_fmac_f16_sdwa", NULL, NULL, 0, 0},
	{20, "v_alignb", NULL, " clamp", 0, 0},
	/* what gfx9 does not have */
	{22, "v_", NULL, "_f64_dpp", 0, 0},
	{22, "v_cvt_f64_", NULL, "_dpp", 0, 0},
	{22, "", NULL, "src_flat_scratch_base_", 0, 0},
	{22, "", NULL, ":256]", 0, 0}, /* beyond v255 */
	{22, "", NULL, ":257]", 0, 0},
	{22, "", NULL, ":258]", 0, 0},
};

static inline bool begins_with(const char *text, const char *beginning)
{
	return !strncmp(text, beginning, strlen(beginning));
}

/* Fields of VOP3: source operands of 9 bits in the second dword. */
static inline unsigned vop3_source(uint32_t second_dword, int n)
{
	return second_dword >> 9 * n & 0x1ff;
}

static inline bool is_vop3(uint32_t first_dword)
{
	return first_dword >> 26 == 0x34;
}

/* Newer versions ignore the sources that an instruction does not have. A text has one destination, or
 * two, and then its sources. */
static inline bool has_unused_source(const char *theirs, const uint32_t *word)
{
	int sources = strstr(theirs, "_co_") || strstr(theirs, "v_div_scale") ? -1 : 0;

	if (llvm_version() < 22 || !(is_vop3(word[0]) || begins_with(theirs, "v_pk_")))
		return false;
	for (const char *c = theirs; *c; c++)
		sources += *c == ',' && c[1] == ' ';
	for (int n = sources; n < 3; n++)
		if (vop3_source(word[1], n))
			return true;
	return false;
}

/* DS and FLAT have a bit that selects the accumulator on GPUs after gfx908. LLVM 22 and newer apply it to all: they
 * print a5 for v5, or reject the words. */
static inline bool has_accumulator_bit(const uint32_t *word)
{
	return llvm_version() >= 22 &&
		((word[0] >> 26 == 0x36 && word[0] >> 25 & 1) || (word[0] >> 26 == 0x37 && word[1] >> 23 & 1));
}

/* Whether this version of LLVM decodes the words and our decoder rejects them, or the reverse, for a known reason. */
static inline bool is_decoded_by_one_side(const char *theirs, const char *ours, const uint32_t *word)
{
	bool they_reject = begins_with(theirs, ".long");

	if (they_reject ? has_accumulator_bit(word) : has_unused_source(theirs, word))
		return true;
	for (size_t i = 0; i < sizeof llvm_decodes / sizeof *llvm_decodes; i++) {
		const char *text = they_reject ? ours : theirs;
		const char *mnemonic = they_reject ? llvm_decodes[i].ours : llvm_decodes[i].theirs;
		if (mnemonic && llvm_version() >= llvm_decodes[i].since && begins_with(text, mnemonic) &&
			(!llvm_decodes[i].part || strstr(text, llvm_decodes[i].part)) &&
			((!llvm_decodes[i].first && !llvm_decodes[i].second) || word[0] & llvm_decodes[i].first ||
				word[1] & llvm_decodes[i].second))
			return true;
	}
	return false;
}

/* --- numbers --- */
/* The bits that an operand stands for as an integer, a half and a float; false if it is not a number. */
static inline bool number_bits(const char *token, uint32_t bits[3])
{
	static const struct {
		const char *name;
		uint32_t half, single;
	} constants[] = {
		{"0.5", 0x3800, 0x3f000000},
		{"-0.5", 0xb800, 0xbf000000},
		{"1.0", 0x3c00, 0x3f800000},
		{"-1.0", 0xbc00, 0xbf800000},
		{"2.0", 0x4000, 0x40000000},
		{"-2.0", 0xc000, 0xc0000000},
		{"4.0", 0x4400, 0x40800000},
		{"-4.0", 0xc400, 0xc0800000},
		{"0.15915494", 0x3118, 0x3e22f983},
	};
	char *end, inner[32];

	if (sscanf(token, "sext(%31[^)]", inner) == 1 ||
		sscanf(token, "lit(%31[^)]", inner) == 1) /* a literal that could be an inline constant */
		token = inner;
	for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
		if (!strcmp(token, constants[i].name)) {
			bits[0] = bits[1] = constants[i].half;
			bits[2] = constants[i].single;
			return true;
		}
	bits[0] = bits[1] = bits[2] = (uint32_t)strtoll(token, &end, 0);
	return end != token && !*end;
}

/* Whether both operands are one number in two spellings. Instructions on 16 bits use the lower half of a literal. */
static inline bool is_same_number(const char *theirs, const char *ours, bool halves)
{
	uint32_t a[3], b[3], mask = halves ? 0xffff : 0xffffffff;

	if (!number_bits(theirs, a) || !number_bits(ours, b))
		return false;
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			if (!((a[i] ^ b[k]) & mask))
				return true;
	return false;
}

/* --- operands --- */
/* With tfe, newer versions print one more register: v[64:65] for v64, v[213:215] for v[213:214]. */
static inline bool is_one_register_more(const char *theirs, const char *ours)
{
	unsigned first, last, our_first, our_last;

	if (sscanf(theirs, "v[%u:%u]", &first, &last) != 2)
		return false;
	if (sscanf(ours, "v[%u:%u]", &our_first, &our_last) != 2) {
		if (sscanf(ours, "v%u", &our_first) != 1)
			return false;
		our_last = our_first;
	}
	return first == our_first && last == our_last + 1;
}

/* "-|v5|" and "v5". */
static inline bool is_same_without_modifiers(const char *theirs, const char *ours)
{
	size_t length = strlen(ours);

	theirs += *theirs == '-';
	theirs += *theirs == '|';
	return begins_with(theirs, ours) && (!theirs[length] || !strcmp(theirs + length, "|"));
}

/* Newer versions print no modifier of an integer: "v5" for "sext(v5)". */
static inline bool is_same_without_sext(const char *theirs, const char *ours)
{
	size_t length = strlen(theirs);

	return llvm_version() >= 20 && begins_with(ours, "sext(") && begins_with(ours + 5, theirs) &&
		!strcmp(ours + 5 + length, ")");
}

static inline bool is_same_operand(const char *mnemonic, const char *theirs, const char *ours, const uint32_t *word)
{
	if (!strcmp(theirs, ours))
		return true;
	if (has_accumulator_bit(word))
		return *theirs == 'a' && *ours == 'v' && !strcmp(theirs + 1, ours + 1);
	if (begins_with(mnemonic, "v_cndmask_b32_dpp"))
		return is_same_without_modifiers(theirs, ours);
	if (begins_with(mnemonic, "buffer_"))
		return word[1] & TFE_BIT && is_one_register_more(theirs, ours);
	if (begins_with(mnemonic, "v_ldexp_") || begins_with(mnemonic, "v_cvt_pk_u8_f32") ||
		begins_with(mnemonic, "v_cvt_pkaccum_u8_f32") || begins_with(mnemonic, "v_trig_preop_f64"))
		return is_same_without_sext(theirs, ours) || is_same_number(theirs, ours, false);
	return is_same_number(theirs, ours, strstr(mnemonic, "16") != NULL);
}

/* Takes the next operand from *text, up to a comma or a space. */
static inline char *next_operand(char **text)
{
	return strsep(text, ", ");
}

/* "v5/" "*Invalid register ...*" "/" becomes "v5". */
static inline void remove_annotations(char *text)
{
	char *from, *to;

	while ((from = strstr(text, "/*")) && (to = strstr(from, "*/")))
		memmove(from, to + 2, strlen(to + 2) + 1);
}

/* Removes " op_sel:[...]" or " op_sel_hi:[...]". */
static inline void remove_modifier(char *text, const char *modifier)
{
	char *from = strstr(text, modifier), *to = from ? strchr(from, ']') : NULL;

	if (to)
		memmove(from, to + 1, strlen(to + 1) + 1);
}

/* Removes a modifier without a value, the last one. */
static inline void remove_last(char *text, const char *modifier)
{
	const size_t length = strlen(text), removed = strlen(modifier);

	if (length >= removed && !strcmp(text + length - removed, modifier))
		text[length - removed] = '\0';
}

/* The modes of gfx9 that LLVM 15 prints as a number. */
static inline bool is_same_swizzle(const char *theirs, const char *ours)
{
	unsigned destination, source, our_destination, our_source, a, b, offset;
	int length = 0;

	if (sscanf(theirs, "ds_swizzle_b32 %*c%u, v%u offset:swizzle(%n", &destination, &source, &length) != 2 ||
		!length ||
		sscanf(ours, "ds_swizzle_b32 v%u, v%u offset:%u", &our_destination, &our_source, &offset) != 3 ||
		destination != our_destination || source != our_source)
		return false;
	if (sscanf(theirs + length, "FFT,%u)", &a) == 1)
		return offset >= 0xe000 && (offset & 31) == a;
	return sscanf(theirs + length, "ROTATE,%u,%u)", &a, &b) == 2 && offset >= 0xc000 && offset < 0xe000 &&
		(offset >> 10 & 1) == a && (offset >> 5 & 31) == b;
}

/* Whether this version of LLVM prints the same instruction as `ours`, in another spelling. */
static inline bool is_printed_differently(const char *their_text, const char *our_text, const uint32_t *word)
{
	char theirs[300], ours[300], *t = theirs, *o = ours;

	if (llvm_version() < 16)
		return false;
	snprintf(theirs, sizeof theirs, "%s", their_text);
	snprintf(ours, sizeof ours, "%s", our_text);
	remove_annotations(theirs);
	if (llvm_version() >= 20 && is_same_swizzle(theirs, ours))
		return true;
	if (llvm_version() >= 20 && (begins_with(ours, "v_dot4_") || begins_with(ours, "v_dot8_"))) {
		remove_modifier(ours, " op_sel:");
		remove_modifier(ours, " op_sel_hi:");
	}
	if (begins_with(ours, "tbuffer_") && word[1] & TFE_BIT && !strstr(theirs, " tfe"))
		remove_last(ours, " tfe"); /* MTBUF lost the modifier */
	if (llvm_version() >= 20 && begins_with(theirs, "v_alignb"))
		remove_modifier(theirs, " op_sel:");
	const char *mnemonic = next_operand(&t);
	if (strcmp(mnemonic, next_operand(&o)))
		return false;
	if (llvm_version() >= 19 && !strcmp(mnemonic, "s_sendmsg") && strstr(our_text, "SYSMSG_OP_HOST_TRAP_ACK"))
		return true; /* an operation of older GPUs, printed as a number */
	if (!strcmp(mnemonic, "v_accvgpr_read_b32") && !(word[1] & 0x100))
		return strstr(their_text, "/*Invalid") ||
			strstr(their_text, ", src_"); /* the source is not a register of the accumulator */
	while (t && o)
		if (!is_same_operand(mnemonic, next_operand(&t), next_operand(&o), word))
			return false;
	return !t && !o;
}

#endif
