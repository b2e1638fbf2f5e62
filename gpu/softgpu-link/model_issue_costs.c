#include "gpu/softgpu-link/model_issue_costs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/softgpu-link/model_table.h"

/* A line of the table: "name\tvalue\t...". Models whose latencies are known by cause keep them under these names. */
static unsigned constant(const char *table, const char *name)
{
	size_t n = strlen(name);
	for (const char *line = table; line; line = (line = strchr(line, '\n')) ? line + 1 : NULL)
		if (!strncmp(line, name, n) && line[n] == '\t')
			return (unsigned)strtoul(line + n + 1, NULL, 10);
	return 0;
}

static void fill(struct issue_costs *c, const char *table)
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
		[RATE_SCALAR] = "salu_cycles",
		[RATE_MEM] = "salu_cycles",
	};
	for (int r = 0; r < RATE_COUNT; r++)
		c->rate[r] = constant(table, rates[r]);
	c->branch = constant(table, "branch_taken_cycles");
	c->latency[UNIT_VMEM] = c->latency[UNIT_FLAT] = constant(table, "l1_latency");
	c->latency[UNIT_SMEM] = constant(table, "scalar_latency");
	c->latency[UNIT_LDS] = constant(table, "lds_latency");
	c->known = c->rate[RATE_FULL] && c->rate[RATE_SCALAR];
}

/* The first model of that target, "" without. */
static void model_of(const char *arch, char model[64])
{
	struct soft_model list[SOFT_MODELS_MAX];
	size_t n = softgpu_list_models(list), length = strcspn(arch, ":");
	*model = 0;
	for (size_t i = 0; i < n && length && !*model; i++)
		if (strlen(list[i].arch) == length && !strncmp(list[i].arch, arch, length))
			snprintf(model, 64, "%s", list[i].device + strlen("soft:"));
}

void issue_costs_from_model(const char *device, const char *arch, struct issue_costs *out, char model[64])
{
	struct err e;
	bool soft = !strncmp(device, "soft:", 5);
	*out = (struct issue_costs){0};
	if (soft)
		snprintf(model, 64, "%.*s", (int)strcspn(device + 5, ","), device + 5);
	else
		model_of(arch, model);
	char *table = *model ? softgpu_read_model_table(soft ? device + 5 : model, &e) : NULL;
	if (table)
		fill(out, table);
	free(table);
}
