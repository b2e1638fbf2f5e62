/* Prints numbers, registers and modifiers as llvm-objdump does. */
#include "softgpu/isa/isa_text.h"

#include "softgpu/isa/modifier_rules.h"

#include <stdarg.h>
#include <stdio.h>

void isa_text_append(struct isa_text *t, const char *format, ...)
{
	bool room = t->length < t->size;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(room ? t->out + t->length : NULL, room ? t->size - t->length : 0, format, args);
	va_end(args);
	t->length += n < 0 ? 0 : n;
}

/* --- constants --- */
struct inline_float {
	const char *text;
	uint16_t f16;
	uint32_t f32;
	uint64_t f64;
};

/* In the order of operand numbers from ISA_F_HALF. */
static const struct inline_float inline_floats[] = {
	{"0.5", 0x3800, 0x3f000000, UINT64_C(0x3fe0000000000000)},
	{"-0.5", 0xb800, 0xbf000000, UINT64_C(0xbfe0000000000000)},
	{"1.0", 0x3c00, 0x3f800000, UINT64_C(0x3ff0000000000000)},
	{"-1.0", 0xbc00, 0xbf800000, UINT64_C(0xbff0000000000000)},
	{"2.0", 0x4000, 0x40000000, UINT64_C(0x4000000000000000)},
	{"-2.0", 0xc000, 0xc0000000, UINT64_C(0xc000000000000000)},
	{"4.0", 0x4400, 0x40800000, UINT64_C(0x4010000000000000)},
	{"-4.0", 0xc400, 0xc0800000, UINT64_C(0xc010000000000000)},
	{"0.15915494", 0x3118, 0x3e22f983, UINT64_C(0x3fc45f306dc9c882)},
};

static unsigned constant_bits(enum isa_type type)
{
	switch (type) {
	case T_F16:
	case T_F16K:
	case T_I16:
	case T_U16:
	case T_B16:
	case T_P16: return 16;
	case T_P32: return 32;
	case T_ACC8: return 64;
	default: return isa_type_dwords(type) == 2 ? 64 : 32;
	}
}

static uint64_t float_bits(const struct inline_float *f, unsigned width)
{
	return width == 16 ? f->f16 : width == 32 ? f->f32 : f->f64;
}

static bool is_int16(enum isa_type type)
{
	return type == T_I16 || type == T_U16 || type == T_B16;
}

enum isa_type isa_text_type(const struct isa_info *row, int i)
{
	if (isa_number(row) == OP_v_ldexp_f16 && i == 1)
		return T_F32;
	if (row->src[i] == T_BF16)
		return T_U16;
	return row->src[i] == T_P16 && !(row->traits & PACKED_F16) ? T_U16 : row->src[i];
}

/* Prints by value: a literal that equals an inline constant prints like one. */
void isa_text_number(struct isa_text *t, uint64_t value, enum isa_type type)
{
	unsigned width = constant_bits(type);
	int64_t number = width == 16 ? (int16_t)value : width == 32 ? (int32_t)value : (int64_t)value;

	if (number >= -16 && number <= 64) {
		isa_text_append(t, "%d", (int)number);
		return;
	}
	for (size_t i = 0; i < sizeof inline_floats / sizeof *inline_floats && !is_int16(type); i++)
		if (value == float_bits(&inline_floats[i], width)) {
			isa_text_append(t, "%s%s", inline_floats[i].text, width == 64 && i == 8 ? "309189532" : "");
			return;
		}
	isa_text_append(t, "0x%llx", (unsigned long long)(width == 16 ? value & 0xffff : value));
}

void isa_text_constant(struct isa_text *t, unsigned no, enum isa_type type)
{
	if (no >= ISA_F_HALF)
		isa_text_number(t, float_bits(&inline_floats[no - ISA_F_HALF], constant_bits(type)), type);
	else
		isa_text_append(t, "%d", no <= 192 ? (int)no - ISA_INT0 : 192 - (int)no);
}

void isa_text_registers(struct isa_text *t, const char *file, unsigned first, unsigned dwords)
{
	if (dwords > 1)
		isa_text_append(t, "%s[%u:%u]", file, first, first + dwords - 1);
	else
		isa_text_append(t, "%s%u", file, first);
}

/* --- modifiers --- */
struct source_signs {
	bool sext, word, neg, abs; /* word: neg(1), because -1 is another constant */
};

/* VOP3P prints signs after the operands, except those of mixed precision. neg of an integer in VOP3 or DPP prints as
 * sext. */
static struct source_signs signs_of_source(const struct isa_inst *in, const struct isa_info *row, int i)
{
	bool packed = in->enc == ENC_VOP3P, mix = row->src[0] == T_MIX;
	struct source_signs s = {.neg = in->neg >> i & 1 && (!packed || mix)};

	s.abs = mix ? in->neg_hi >> i & 1 : in->abs >> i & 1;
	s.sext = in->form == FORM_SDWA && in->sext >> i & 1;
	if (s.neg && in->form != FORM_SDWA && !packed && !isa_is_float(row->src[i]) && !isa_has_sign(row, i)) {
		s.sext = true;
		s.neg = false;
	}
	s.word = s.neg && !s.abs && (isa_is_inline_constant(in->src[i]) || in->src[i] == ISA_LITERAL);
	return s;
}

void isa_text_open_source(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row, int i)
{
	const struct source_signs s = signs_of_source(in, row, i);

	isa_text_append(t, "%s%s%s", s.sext ? "sext(" : "", s.word ? "neg(" : s.neg ? "-" : "", s.abs ? "|" : "");
}

void isa_text_close_source(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row, int i)
{
	const struct source_signs s = signs_of_source(in, row, i);

	isa_text_append(t, "%s%s%s", s.abs ? "|" : "", s.word ? ")" : "", s.sext ? ")" : "");
}

void isa_text_bits(struct isa_text *t, const char *name, unsigned bits, int count)
{
	isa_text_append(t, " %s:[", name);
	for (int i = 0; i < count; i++)
		isa_text_append(t, "%s%u", i ? "," : "", bits >> i & 1);
	isa_text_append(t, "]");
}

void isa_text_clamp_omod(struct isa_text *t, const struct isa_inst *in)
{
	static const char *const omod[] = {"", " mul:2", " mul:4", " div:2"};

	isa_text_append(t, "%s%s", in->clamp ? " clamp" : "", omod[in->omod & 3]);
}

void isa_text_wait_counts(struct isa_text *t, const struct isa_inst *in, unsigned imm)
{
	const struct isa_family *f = isa_family_of(in->target);
	const struct {
		const char *name;
		struct isa_wait_field field;
	} counts[] = {{"vmcnt", f->vmcnt}, {"expcnt", f->expcnt}, {"lgkmcnt", f->lgkmcnt}};
	bool all = true;

	for (unsigned k = 0; k < 3; k++)
		all = all && isa_wait_count(counts[k].field, imm) == isa_wait_most(counts[k].field);
	for (unsigned k = 0; k < 3; k++)
		if (all || isa_wait_count(counts[k].field, imm) != isa_wait_most(counts[k].field))
			isa_text_append(t, " %s(%u)", counts[k].name, isa_wait_count(counts[k].field, imm));
}

/* --- formats of buffers --- */
const char *isa_data_format_name(unsigned code)
{
	static const char *const names[16] = {
		[0] = "INVALID",
#define BUFFER_FORMAT(code, name, ...) [code] = #name,
#include "softgpu/isa/buffer_formats.def"
#undef BUFFER_FORMAT
		[15] = "RESERVED_15",
	};

	return names[code & 15];
}
