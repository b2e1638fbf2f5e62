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

#define TFE_BIT (1u << 23) /* in the second dword of MUBUF */

/* Words that one side rejects. `theirs` and `ours` are the beginning of a mnemonic, NULL for the side that rejects. */
static const struct {
	unsigned since;
	const char *theirs, *ours;
	const char *part;      /* must be in the text, NULL: nothing */
	uint32_t second_dword; /* these bits must be set */
} llvm_decodes[] = {
	/* output modifiers of halves with op_sel */
	{16, "v_med3_f16", NULL, " mul:", 0},
	{16, "v_med3_f16", NULL, " div:", 0},
	{16, "v_max3_f16", NULL, " mul:", 0},
	{16, "v_max3_f16", NULL, " div:", 0},
	{16, "v_min3_f16", NULL, " mul:", 0},
	{16, "v_min3_f16", NULL, " div:", 0},
	{16, "v_fma_f16", NULL, " mul:", 0},
	{16, "v_fma_f16", NULL, " div:", 0},
	{16, "v_mad_f16", NULL, " mul:", 0},
	{16, "v_mad_f16", NULL, " div:", 0},
	{16, "v_div_fixup_f16", NULL, " mul:", 0},
	{16, "v_div_fixup_f16", NULL, " div:", 0},
	/* the sources are floats, no longer integers */
	{16, "v_cndmask_b32_sdwa", NULL, "-", 0},
	{16, "v_cndmask_b32_sdwa", NULL, "|", 0},
	{16, NULL, "v_cndmask_b32_sdwa", "sext(", 0},
	/* integers with negated halves */
	{18, "v_pk_", NULL, " neg_", 0},
	{18, "v_dot2_", NULL, " neg_", 0},
	{16, NULL, "buffer_load_", NULL, TFE_BIT},
	{19, NULL, "buffer_atomic_", NULL, TFE_BIT},
};

static inline bool begins_with(const char *text, const char *beginning)
{
	return !strncmp(text, beginning, strlen(beginning));
}

/* Whether this version of LLVM decodes the words and our decoder rejects them, or the reverse, for a known reason. */
static inline bool is_decoded_by_one_side(const char *theirs, const char *ours, const uint32_t *word)
{
	bool they_reject = begins_with(theirs, ".long");

	for (size_t i = 0; i < sizeof llvm_decodes / sizeof *llvm_decodes; i++) {
		const char *text = they_reject ? ours : theirs;
		const char *mnemonic = they_reject ? llvm_decodes[i].ours : llvm_decodes[i].theirs;
		if (mnemonic && llvm_version() >= llvm_decodes[i].since && begins_with(text, mnemonic) &&
			(!llvm_decodes[i].part || strstr(text, llvm_decodes[i].part)) &&
			(word[1] & llvm_decodes[i].second_dword) == llvm_decodes[i].second_dword)
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
	char *end;

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

static inline bool is_same_operand(const char *mnemonic, const char *theirs, const char *ours, uint32_t second_dword)
{
	if (!strcmp(theirs, ours))
		return true;
	if (begins_with(mnemonic, "v_cndmask_b32_dpp"))
		return is_same_without_modifiers(theirs, ours);
	if (begins_with(mnemonic, "buffer_"))
		return second_dword & TFE_BIT && is_one_register_more(theirs, ours);
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

/* Whether this version of LLVM prints the same instruction as `ours`, in another spelling. */
static inline bool is_printed_differently(const char *their_text, const char *our_text, const uint32_t *word)
{
	char theirs[300], ours[300], *t = theirs, *o = ours;

	if (llvm_version() < 16)
		return false;
	snprintf(theirs, sizeof theirs, "%s", their_text);
	snprintf(ours, sizeof ours, "%s", our_text);
	remove_annotations(theirs);
	const char *mnemonic = next_operand(&t);
	if (strcmp(mnemonic, next_operand(&o)))
		return false;
	if (llvm_version() >= 19 && !strcmp(mnemonic, "s_sendmsg") && strstr(our_text, "SYSMSG_OP_HOST_TRAP_ACK"))
		return true; /* an operation of older GPUs, printed as a number */
	if (!strcmp(mnemonic, "v_accvgpr_read_b32") && !(word[1] & 0x100))
		return strstr(their_text, "/*Invalid") != NULL; /* the source is not a register of the accumulator */
	while (t && o)
		if (!is_same_operand(mnemonic, next_operand(&t), next_operand(&o), word[1]))
			return false;
	return !t && !o;
}

#endif
