/* Registers read and written, from the columns of the operations. */
#include "softgpu/isa/register_effects.h"

#include <stdio.h>
#include <string.h>

#include "softgpu/isa/isa_family.h"

/* --- spans --- */
static void append_span(struct isa_span *list, unsigned *count, unsigned first, unsigned dwords)
{
	if (first == ISA_NONE || first == ISA_NULL || !dwords)
		return;
	for (unsigned i = 0; i < *count; i++)
		if (list[i].first <= first && first + dwords <= (unsigned)list[i].first + list[i].count)
			return;
	if (*count < ISA_SPANS_MAX)
		list[(*count)++] = (struct isa_span){first, dwords};
}

static void add_read(struct isa_effects *e, unsigned first, unsigned dwords)
{
	append_span(e->reads, &e->read_count, first, dwords);
}
static void add_write(struct isa_effects *e, unsigned first, unsigned dwords)
{
	append_span(e->writes, &e->write_count, first, dwords);
}

static unsigned lane_mask_dwords(const struct isa_inst *in)
{
	return isa_is_wave32(in->target) ? 1 : 2;
}

/* A source operand may be a constant, which reads no register, or a status bit. */
static void add_source(struct isa_effects *e, const struct isa_inst *in, unsigned number, unsigned dwords)
{
	if (number == ISA_VCCZ)
		add_read(e, ISA_VCC, lane_mask_dwords(in));
	else if (number == ISA_EXECZ)
		add_read(e, ISA_EXEC, lane_mask_dwords(in));
	else if (number == ISA_SCC)
		add_read(e, ISA_SCC, 1);
	else if (number < ISA_INT0 || number >= ISA_VGPR0)
		add_read(e, number, dwords);
}

/* --- operand columns --- */
static unsigned address_dwords(const struct isa_inst *in, const struct isa_info *row)
{
	if (row->enc == ENC_FLAT || (row->enc == ENC_GLOBAL && !(in->flags & FLAG_SADDR)))
		return 2;
	return isa_is_buffer(row->enc) && in->flags & FLAG_OFFEN && in->flags & FLAG_IDXEN ? 2 : 1;
}

static void add_source_operand(const struct isa_inst *in, const struct isa_info *row, int i, struct isa_effects *e)
{
	if (row->src[i] != T__ && row->src[i] != T_SIMM16)
		add_source(e, in, in->src[i],
			row->src[i] == T_ADDR ? address_dwords(in, row) : isa_operand_dwords(in->target, row->src[i]));
}

static void add_operands(const struct isa_inst *in, const struct isa_info *row, struct isa_effects *e)
{
	for (int i = 0; i < 3; i++)
		add_source_operand(in, row, i, e);
	if (isa_is_buffer(row->enc) || row->enc == ENC_MIMG)
		add_source(
			e, in, in->data, row->enc == ENC_MIMG ? isa_image_data_dwords(in) : isa_type_dwords(row->dst2));
	else if (row->dst2 != T_OFF2)
		add_write(e, in->dst2, isa_operand_dwords(in->target, row->dst2));
	if (row->enc == ENC_MIMG)
		add_write(e, in->dst, isa_image_data_dwords(in));
	else
		add_write(e, in->dst, isa_operand_dwords(in->target, row->dst) + (in->flags & FLAG_TFE ? 1 : 0));
}

/* --- traits --- */
/* Whether the result of 16 bits keeps the register's other half. */
static bool keeps_half(const struct isa_inst *in, const struct isa_info *row)
{
	if (isa_is_half(row->dst) && isa_family_of(in->target)->keeps_halves)
		return true;
	return row->dst == T_F16K || row->dst == T_I16K || row->dst == T_U16K || row->dst == T_B16K;
}

static bool reads_destination(const struct isa_inst *in, const struct isa_info *row)
{
	if (in->form == FORM_DPP || (in->form == FORM_SDWA && in->dst_unused == 2))
		return row->dst != T_MASK;
	return keeps_half(in, row) || row->traits & READS_D;
}

static bool reads_exec(const struct isa_info *row)
{
	bool vector =
		row->unit == UNIT_VALU || row->unit == UNIT_VMEM || row->unit == UNIT_FLAT || row->unit == UNIT_LDS;

	return row->traits & READS_EXEC || (vector && (row->dst || row->src[0]) && !(row->traits & IGNORES_EXEC));
}

static void add_implied(const struct isa_inst *in, const struct isa_info *row, struct isa_effects *e)
{
	if (reads_destination(in, row))
		add_read(e, in->dst, isa_operand_dwords(in->target, row->dst));
	if (row->traits & WRITES_S0)
		add_write(e, in->src[0], isa_type_dwords(row->src[0]));
	if (row->traits & READS_SCC)
		add_read(e, ISA_SCC, 1);
	if (row->traits & WRITES_SCC)
		add_write(e, ISA_SCC, 1);
	if (row->traits & READS_VCC)
		add_read(e, ISA_VCC, lane_mask_dwords(in));
	if (row->traits & READS_M0 || in->flags & FLAG_GDS)
		add_read(e, ISA_M0, 1);
	if (reads_exec(row))
		add_read(e, ISA_EXEC, lane_mask_dwords(in));
	if (row->traits & WRITES_EXEC)
		add_write(e, ISA_EXEC, lane_mask_dwords(in));
}

static void add_operation(const struct isa_inst *in, struct isa_effects *e)
{
	const struct isa_info *row = isa_info(in->op);

	add_operands(in, row, e);
	add_implied(in, row, e);
}

struct isa_inst isa_second_operation(const struct isa_inst *in)
{
	struct isa_inst second = *in;

	second.op = in->dual.op;
	second.row = in->dual.row;
	second.dst = in->dual.dst;
	memcpy(second.src, in->dual.src, sizeof second.src);
	second.dual.op = OP_INVALID;
	return second;
}

void isa_effects(const struct isa_inst *in, struct isa_effects *out)
{
	memset(out, 0, sizeof *out);
	if (in->op == OP_INVALID)
		return;
	add_operation(in, out);
	if (in->dual.op != OP_INVALID) {
		const struct isa_inst second = isa_second_operation(in);
		add_operation(&second, out);
	}
}

/* --- addresses --- */
/* Whether source i is part of the address, and not data (the columns of struct isa_inst). */
static bool is_address_source(unsigned enc, int i)
{
	switch (enc) {
	case ENC_DS: return i == 0;
	case ENC_FLAT:
	case ENC_GLOBAL:
	case ENC_SCRATCH: return i != 1;
	case ENC_SMEM: return i != 2;
	case ENC_MTBUF:
	case ENC_MUBUF:
	case ENC_MIMG: return true;
	default: return false;
	}
}

unsigned isa_address_registers(const struct isa_inst *in, struct isa_span out[ISA_ADDRESS_SPANS])
{
	const struct isa_info *row = isa_info(in->op);
	struct isa_effects e = {0};

	for (int i = 0; in->op != OP_INVALID && i < 3; i++)
		if (is_address_source(row->enc, i))
			add_source_operand(in, row, i, &e);
	memcpy(out, e.reads, ISA_ADDRESS_SPANS * sizeof *out);
	return e.read_count;
}

/* --- text --- */
static const struct {
	uint16_t number;
	const char *name;
} special_registers[] = {
	{ISA_FLAT_SCRATCH, "flat_scratch"},
	{ISA_XNACK_MASK, "xnack_mask"},
	{ISA_VCC, "vcc"},
	{ISA_VCC + 1, "vcc_hi"},
	{ISA_M0, "m0"},
	{ISA_EXEC, "exec"},
	{ISA_EXEC + 1, "exec_hi"},
	{ISA_SCC, "scc"},
};

char *isa_span_text(struct isa_span s, enum isa_target target, char *out, size_t size)
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

	for (size_t i = 0; i < sizeof special_registers / sizeof *special_registers; i++)
		if (special_registers[i].number == s.first && s.first >= isa_family_of(target)->sgprs) {
			bool low = s.count == 1 && s.first != ISA_M0 && s.first != ISA_SCC &&
				!strstr(special_registers[i].name, "_hi");
			snprintf(out, size, "%s%s", special_registers[i].name, low ? "_lo" : "");
			return out;
		}
	if (s.count > 1)
		snprintf(out, size, "%s[%u:%u]", file, n, n + s.count - 1);
	else
		snprintf(out, size, "%s%u", file, n);
	return out;
}
