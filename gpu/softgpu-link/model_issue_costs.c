/* Reads issue costs from the table of a model. */
#include "gpu/softgpu-link/model_issue_costs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/softgpu-link/model_table.h"

/* A line of the table is "name\tvalue\t...". 0 for an unknown name. */
static unsigned read_constant(const char *table, const char *name)
{
	size_t n = strlen(name);
	for (const char *line = table; line; line = (line = strchr(line, '\n')) ? line + 1 : NULL)
		if (!strncmp(line, name, n) && line[n] == '\t')
			return (unsigned)strtoul(line + n + 1, NULL, 10);
	return 0;
}

static void read_issue_costs(struct issue_costs *c, const char *table)
{
	static const char *const rates[RATE_COUNT] = {
		[RATE_FULL] = "valu_cycles",
		[RATE_QUARTER] = "valu_quarter_cycles",
		[RATE_CVT] = "valu_quarter_cycles",
		[RATE_SHIFT64] = "valu_shift64_cycles",
		[RATE_F64_FMA] = "valu_f64_fma_cycles",
		[RATE_F64_ADD] = "valu_f64_add_cycles",
		[RATE_F64_CVT] = "valu_f64_cvt_cycles",
		[RATE_F64_TRANS] = "valu_f64_trans_cycles",
		[RATE_MATRIX] = "valu_matrix_cycles",
		[RATE_SCALAR] = "salu_cycles",
		[RATE_MEM] = "salu_cycles",
	};
	for (int r = 0; r < RATE_COUNT; r++)
		c->rate[r] = read_constant(table, rates[r]);
	c->vgpr_banks = read_constant(table, "vgpr_banks");
	c->branch = read_constant(table, "branch_taken_cycles");
	unsigned first_level = read_constant(table, "l1_latency");
	c->latency[UNIT_VMEM] = c->latency[UNIT_FLAT] = first_level ? first_level : read_constant(table, "l0_latency");
	c->latency[UNIT_SMEM] = read_constant(table, "scalar_latency");
	c->latency[UNIT_LDS] = read_constant(table, "lds_latency");
	c->known = c->rate[RATE_FULL] && c->rate[RATE_SCALAR];
}

static bool is_text(const char *text, const char *begin, size_t length)
{
	return strlen(text) == length && !strncmp(text, begin, length);
}

static const char *model_name(const struct soft_model *m)
{
	return strchr(m->device, ':') + 1;
}

/* The model that `constants` are of if it has this target, otherwise the first one that has; "" if there is none. */
static void find_arch_model(const char *constants, const char *arch, char model[64])
{
	struct soft_model list[SOFT_MODELS_MAX];
	size_t n = softgpu_list_models(list), length = strcspn(arch, ":"),
	       name = constants ? strcspn(constants, ",") : 0;
	*model = 0;
	for (size_t i = 0; i < n && length; i++)
		if (is_text(list[i].arch, arch, length) &&
			(!*model || (constants && is_text(model_name(&list[i]), constants, name))))
			snprintf(model, 64, "%s", model_name(&list[i]));
}

void issue_costs_from_model(const char *constants, const char *arch, struct issue_costs *out, char model[64])
{
	struct err e;
	*out = (struct issue_costs){0};
	find_arch_model(constants, arch, model);
	bool own = constants && is_text(model, constants, strcspn(constants, ","));
	char *table = *model ? softgpu_read_model_table(own ? constants : model, &e) : NULL;
	if (table)
		read_issue_costs(out, table);
	free(table);
}
