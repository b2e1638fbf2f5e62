#include "softgpu/isa/register_effects.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* --- what a row's semantics mention --- */
static const char *const semantics[OP_COUNT] = {
	[OP_INVALID] = "",
#define OP(enc, code, targets, name, d, d2, s0, s1, s2, unit, rate, ...) [OP_##name] = #__VA_ARGS__,
#include "softgpu/isa/gfx9.def"
#undef OP
};

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The first place from `text` on, before `end` (NULL: the end), where `word` stands alone. */
static const char *find_word(const char *text, const char *end, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = text; (at = strstr(at, word)) && (!end || at < end); at += n)
		if ((at == text || !in_word(at[-1])) && !in_word(at[n]))
			return at;
	return NULL;
}

/* An assignment to the word at `at`; *plain: its old value is lost. */
static bool assigns(const char *start, const char *at, size_t length, bool *plain)
{
	const char *behind = at + length + strspn(at + length, " ");

	*plain = true;
	if (at > start && at[-1] == '&' && (at - 1 == start || at[-2] == ' ' || at[-2] == '('))
		return true;
	if (behind[0] == '=')
		return behind[1] != '=';
	*plain = false;
	return *behind && strchr("+-*/|&^", *behind) && behind[1] == '=';
}

static bool writes(const char *text, const char *word)
{
	bool plain;

	for (const char *at = text; (at = find_word(at, NULL, word)); at += strlen(word))
		if (assigns(text, at, strlen(word), &plain))
			return true;
	return false;
}

/* It is mentioned before it is assigned, or in what is assigned first. */
static bool reads(const char *text, const char *word)
{
	const char *at = find_word(text, NULL, word);
	bool plain;

	if (!at)
		return false;
	if (!assigns(text, at, strlen(word), &plain) || !plain)
		return true;
	return find_word(at + strlen(word), strchr(at, ';'), word);
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* --- spans --- */
static void add(struct isa_span *list, unsigned *count, unsigned first, unsigned dwords)
{
	if (first == ISA_NONE || !dwords)
		return;
	for (unsigned i = 0; i < *count; i++)
		if (list[i].first <= first && first + dwords <= (unsigned)list[i].first + list[i].count)
			return;
	if (*count < ISA_SPANS_MAX)
		list[(*count)++] = (struct isa_span){first, dwords};
}

static void add_read(struct isa_effects *e, unsigned first, unsigned dwords)
{
	add(e->reads, &e->read_count, first, dwords);
}
static void add_write(struct isa_effects *e, unsigned first, unsigned dwords)
{
	add(e->writes, &e->write_count, first, dwords);
}

/* A source may be a constant, which is no register, or a bit of the state. */
static void add_source(struct isa_effects *e, unsigned number, unsigned dwords)
{
	if (number == ISA_VCCZ)
		add_read(e, ISA_VCC, 2);
	else if (number == ISA_EXECZ)
		add_read(e, ISA_EXEC, 2);
	else if (number == ISA_SCC)
		add_read(e, ISA_SCC, 1);
	else if (number < ISA_INT0 || number >= ISA_VGPR0)
		add_read(e, number, dwords);
}

/* --- by kind --- */
static unsigned address_dwords(const struct isa_inst *in, const struct isa_info *row)
{
	if (row->enc == ENC_FLAT || (row->enc == ENC_GLOBAL && !(in->flags & FLAG_SADDR)))
		return 2;
	return row->enc == ENC_MUBUF && in->flags & FLAG_OFFEN && in->flags & FLAG_IDXEN ? 2 : 1;
}

static bool is_vector(const struct isa_info *row)
{
	return row->unit == UNIT_VALU || row->unit == UNIT_VMEM || row->unit == UNIT_FLAT || row->unit == UNIT_LDS;
}

static void add_operands(const struct isa_inst *in, const struct isa_info *row, struct isa_effects *e)
{
	for (int i = 0; i < 3; i++)
		if (row->src[i] != T__ && row->src[i] != T_SIMM16)
			add_source(e, in->src[i],
				row->src[i] == T_ADDR ? address_dwords(in, row) : isa_type_dwords(row->src[i]));
	if (row->enc == ENC_MUBUF)
		add_source(e, in->data, isa_type_dwords(row->dst2));
	else if (row->dst2 != T_OFF2)
		add_write(e, in->dst2, isa_type_dwords(row->dst2));
	add_write(e, in->dst, isa_type_dwords(row->dst) + (in->flags & FLAG_TFE ? 1 : 0));
}

/* The destination's old value goes into the new one. */
static bool keeps_destination(const struct isa_inst *in, const struct isa_info *row, const char *text)
{
	bool half = row->dst == T_F16K || row->dst == T_I16K || row->dst == T_U16K || row->dst == T_B16K;

	if (in->form == FORM_DPP || (in->form == FORM_SDWA && in->dst_unused == 2))
		return row->dst != T_MASK;
	return half || reads(text, "D") || begins(text, "WRITELANE") || begins(text, "SWAP") ||
		begins(text, "LOAD_D16") || begins(text, "DS_LOAD_D16") || begins(text, "MIXLO") ||
		begins(text, "MIXHI");
}

static bool needs_m0(const struct isa_inst *in, const char *text)
{
	return reads(text, "M0") || begins(text, "GPR_IDX") || begins(text, "MOVREL") || begins(text, "DS_ADDTID") ||
		begins(text, "DS_APPEND") || begins(text, "DS_CONSUME") || begins(text, "SENDMSG") ||
		in->flags & FLAG_GDS;
}

static void add_implied(const struct isa_inst *in, const struct isa_info *row, const char *text, struct isa_effects *e)
{
	bool cross = begins(text, "READLANE") || begins(text, "WRITELANE"),
	     forks = begins(text, "FORK") || begins(text, "JOIN");

	if (keeps_destination(in, row, text))
		add_read(e, in->dst, isa_type_dwords(row->dst));
	if (begins(text, "SWAP") && in->src[0] != ISA_NONE)
		add_write(e, in->src[0], isa_type_dwords(row->src[0]));
	if (reads(text, "SCC"))
		add_read(e, ISA_SCC, 1);
	if (writes(text, "SCC"))
		add_write(e, ISA_SCC, 1);
	if (reads(text, "VCC") || (find_word(text, NULL, "CIN") && row->src[2] != T_CARRY))
		add_read(e, ISA_VCC, 2);
	if (writes(text, "VCC"))
		add_write(e, ISA_VCC, 2);
	if (needs_m0(in, text))
		add_read(e, ISA_M0, 1);
	if (reads(text, "EXEC") || forks || (is_vector(row) && row->dst + row->src[0] && !cross))
		add_read(e, ISA_EXEC, 2);
	if (writes(text, "EXEC") || forks)
		add_write(e, ISA_EXEC, 2);
}

void isa_effects(const struct isa_inst *in, struct isa_effects *out)
{
	const struct isa_info *row = isa_info(in->op);
	const char *text = semantics[in->op < OP_COUNT ? in->op : OP_INVALID];

	memset(out, 0, sizeof *out);
	if (in->op == OP_INVALID)
		return;
	text += strspn(text, "{ ");
	add_operands(in, row, out);
	add_implied(in, row, text, out);
}

/* --- text --- */
static const struct {
	uint16_t number;
	const char *name;
} special[] = {
	{ISA_FLAT_SCRATCH, "flat_scratch"},
	{ISA_XNACK_MASK, "xnack_mask"},
	{ISA_VCC, "vcc"},
	{ISA_VCC + 1, "vcc_hi"},
	{ISA_M0, "m0"},
	{ISA_EXEC, "exec"},
	{ISA_EXEC + 1, "exec_hi"},
	{ISA_SCC, "scc"},
};

char *isa_span_text(struct isa_span s, char *out, size_t size)
{
	const char *file = s.first >= ISA_AGPR0 ? "a"
		: s.first >= ISA_VGPR0          ? "v"
		: s.first >= ISA_TTMP0          ? "ttmp"
						: "s";
	unsigned base = s.first >= ISA_AGPR0 ? ISA_AGPR0
		: s.first >= ISA_VGPR0       ? ISA_VGPR0
		: s.first >= ISA_TTMP0       ? ISA_TTMP0
					     : 0;
	unsigned n = s.first - base;

	for (size_t i = 0; i < sizeof special / sizeof *special; i++)
		if (special[i].number == s.first) {
			bool low = s.count == 1 && s.first != ISA_M0 && s.first != ISA_SCC &&
				!strstr(special[i].name, "_hi");
			snprintf(out, size, "%s%s", special[i].name, low ? "_lo" : "");
			return out;
		}
	if (s.count > 1)
		snprintf(out, size, "%s[%u:%u]", file, n, n + s.count - 1);
	else
		snprintf(out, size, "%s%u", file, n);
	return out;
}
