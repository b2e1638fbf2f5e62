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
		[RATE_INT_MUL] = "valu_int_mul_cycles",
		[RATE_CVT] = "valu_quarter_cycles",
		[RATE_SHIFT64] = "valu_shift64_cycles",
		[RATE_F64_FMA] = "valu_f64_fma_cycles",
		[RATE_F64_ADD] = "valu_f64_add_cycles",
		[RATE_F64_CVT] = "valu_f64_cvt_cycles",
		[RATE_F64_TRANS] = "valu_f64_trans_cycles",
		[RATE_MATRIX] = "valu_matrix_cycles",
		[RATE_MFMA] = "mfma_issue_cycles",
		[RATE_SCALAR] = "salu_cycles",
		[RATE_MEM] = "salu_cycles",
	};
	for (int r = 0; r < RATE_COUNT; r++)
		c->rate[r] = read_constant(table, rates[r]);
	c->matrix_pass = read_constant(table, "mfma_pass_cycles");
	c->vgpr_banks = read_constant(table, "vgpr_banks");
	c->branch = read_constant(table, "branch_taken_cycles");
	unsigned first_level = read_constant(table, "l1_latency");
	c->latency[UNIT_VMEM] = c->latency[UNIT_FLAT] = first_level ? first_level : read_constant(table, "l0_latency");
	c->latency[UNIT_SMEM] = read_constant(table, "scalar_latency");
	c->latency[UNIT_LDS] = read_constant(table, "lds_latency");
	c->known = c->rate[RATE_FULL] && c->rate[RATE_SCALAR];
}

/* The model that `constants` are of if it has this target, otherwise the first one that has; NULL if there is none. */
static const struct soft_model *find_arch_model(
	const char *constants, const char *arch, struct soft_model list[SOFT_MODELS_MAX])
{
	const struct soft_model *own = constants ? softgpu_find_model(constants, list) : NULL;
	size_t n = softgpu_list_models(list), length = strcspn(arch, ":");
	if (own && strlen(own->arch) == length && !strncmp(own->arch, arch, length))
		return own;
	for (size_t i = 0; i < n && length; i++)
		if (strlen(list[i].arch) == length && !strncmp(list[i].arch, arch, length))
			return &list[i];
	return NULL;
}

void issue_costs_from_model(const char *constants, const char *arch, struct issue_costs *out, char model[64])
{
	struct err e;
	struct soft_model list[SOFT_MODELS_MAX];
	const struct soft_model *m = find_arch_model(constants, arch, list);
	*out = (struct issue_costs){0};
	snprintf(model, 64, "%s", m ? strchr(m->device, ':') + 1 : "");
	bool own = m && constants && m == softgpu_find_model(constants, list);
	char *table = m ? softgpu_read_model_table(own ? constants : model, &e) : NULL;
	if (table)
		read_issue_costs(out, table);
	free(table);
}
