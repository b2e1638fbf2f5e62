/* Explains instructions: operation, encoding, registers, rate. */
#include "kernels/inspect/instruction_help.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "softgpu/isa/register_effects.h"

static const struct {
	const char *pattern, *text;
} rows[] = {
#define INSTRUCTION_HELP(pattern, text) {pattern, text},
#include "kernels/inspect/instruction_help.def"
#undef INSTRUCTION_HELP
};

const char *instruction_help_find(const char *mnemonic)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!fnmatch(rows[i].pattern, mnemonic, 0))
			return rows[i].text;
	return NULL;
}

char *instruction_help_encoding(const struct isa_inst *in, char *out, size_t size)
{
	static const char *const names[ENC_COUNT] = {
		[ENC_SOP1] = "SOP1",
		[ENC_SOP2] = "SOP2",
		[ENC_SOPK] = "SOPK",
		[ENC_SOPC] = "SOPC",
		[ENC_SOPP] = "SOPP",
		[ENC_SMEM] = "SMEM",
		[ENC_VOP1] = "VOP1",
		[ENC_VOP2] = "VOP2",
		[ENC_VOPC] = "VOPC",
		[ENC_VOP3] = "VOP3",
		[ENC_VOP3P] = "VOP3P",
		[ENC_VOPD] = "VOPD",
		[ENC_DS] = "DS",
		[ENC_FLAT] = "FLAT",
		[ENC_GLOBAL] = "FLAT global",
		[ENC_SCRATCH] = "FLAT scratch",
		[ENC_MTBUF] = "MTBUF",
		[ENC_MUBUF] = "MUBUF",
		[ENC_MIMG] = "MIMG",
	};
	static const char *const forms[] = {
		[FORM_PLAIN] = "", [FORM_SDWA] = " SDWA", [FORM_DPP] = " DPP", [FORM_DPP8] = " DPP8"};
	snprintf(out, size, "%s%s, %u bytes", in->enc < ENC_COUNT ? names[in->enc] : "?",
		in->form <= FORM_DPP8 ? forms[in->form] : "", in->size);
	return out;
}

static size_t add_spans(char *out, size_t size, size_t n, const char *title, const struct isa_span *list,
	unsigned count, enum isa_target target)
{
	char name[32];
	for (unsigned i = 0; i < count && n < size; i++)
		n += (size_t)snprintf(
			out + n, size - n, "%s%s", i ? " " : title, isa_span_text(list[i], target, name, sizeof name));
	return n < size ? n : size - 1;
}

char *instruction_help_registers(const struct isa_inst *in, char *out, size_t size)
{
	struct isa_effects e;
	isa_effects(in, &e);
	*out = 0;
	size_t n = add_spans(out, size, 0, "reads ", e.reads, e.read_count, in->target);
	add_spans(out, size, n, n ? ", writes " : "writes ", e.writes, e.write_count, in->target);
	return out;
}

char *instruction_help_rate(const struct isa_inst *in, const struct issue_costs *costs, char *out, size_t size)
{
	const struct isa_info *row = isa_info(in->op);
	unsigned issue = instruction_issue_cycles(costs, in), latency = costs->latency[row->unit];
	*out = 0;
	if (!costs->known || in->op == OP_INVALID)
		return out;
	if (row->unit == UNIT_BRANCH)
		snprintf(out, size, "%u cycles per wave if taken, %u if not", issue, costs->rate[RATE_SCALAR]);
	else if (latency)
		snprintf(out, size, "%u cycles per wave to issue, data at least %u cycles later", issue, latency);
	else
		snprintf(out, size, "%u cycles per wave", issue);
	return out;
}
