/* Private to softgpu/isa: a bounded text buffer, and functions that print what all families print in the same way. */
#ifndef SOFTGPU_ISA_ISA_TEXT_H
#define SOFTGPU_ISA_ISA_TEXT_H

#include "softgpu/isa/isa_family.h"

struct isa_text {
	char *out;
	size_t size, length; /* length also counts text that did not fit */
};

void isa_text_append(struct isa_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether an operand number stands for an integer or a float. */
static inline bool isa_is_inline_constant(unsigned no)
{
	return (no >= ISA_INT0 && no <= 208) || (no >= ISA_F_HALF && no <= 248);
}

/* The type as which a constant in source i is printed: packed integers do not use float names, the integer of
 * v_ldexp_f16 does. */
enum isa_type isa_text_type(const struct isa_info *row, int i);
/* An inline constant. */
void isa_text_constant(struct isa_text *t, unsigned no, enum isa_type type);
/* By value: a literal that equals an inline constant prints like one. */
void isa_text_number(struct isa_text *t, uint64_t value, enum isa_type type);
/* "v5", "s[4:5]". */
void isa_text_registers(struct isa_text *t, const char *file, unsigned first, unsigned dwords);

/* Sign modifiers of source i, before and after it: "-|v1|", "neg(1)", "sext(v1)". */
void isa_text_open_source(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row, int i);
void isa_text_close_source(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row, int i);

/* " neg_lo:[0,1]". */
void isa_text_bits(struct isa_text *t, const char *name, unsigned bits, int count);
void isa_text_clamp_omod(struct isa_text *t, const struct isa_inst *in);
/* The immediate of s_waitcnt. Counts that wait for nothing are left out, unless all of them do. */
void isa_text_wait_counts(struct isa_text *t, const struct isa_inst *in, unsigned imm);
/* The offset of ds_swizzle. */
void isa_text_swizzle(struct isa_text *t, unsigned imm);
/* The name of a data format of buffers: "8_8"; 0 to 15. */
const char *isa_data_format_name(unsigned code);

#endif
