/* `run --check`: what the checks of all points found. */
#include <stdlib.h>
#include <string.h>

#include "checks/check_journal_reader.h"
#include "cli/run/run_state.h"
#include "experiments/definition/kernel_copy.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/point_record.h"

bool run_make_checks(struct run *r, struct err *e)
{
	if (!check_plan_make(&r->ask->check, &r->checks, e))
		return false;
	if (r->checks.checks && !device_can(r->ask->device, DEVICE_INSPECTOR))
		return err_set(
			e, ST_REQUEST, "--check needs a software GPU, not %s; use --device soft:mi25", r->ask->device);
	if (r->checks.checks && strstr(r->checks.checks, "leak"))
		return err_set(e, ST_REQUEST, "an experiment frees its buffers by itself: --check=leak is for `exec`");
	return true;
}

static void read_point(struct run *r, int i, struct check_journals *j)
{
	double values[PARAMS_MAX];
	char name[200];
	const json_t *found = point_get_found(run_get_point(r, i));
	if (!found)
		return;
	plan_point_values(&r->plan, i, values);
	plan_format_point(&r->plan, i, name, sizeof name);
	char *source = kernel_source_path(r->x, values, NULL);
	check_journals_add_point(j, found, &(struct checked_point){name, source, i});
	free(source);
}

int run_report_checks(struct run *r, int status)
{
	struct err e;
	struct check_journals journals = {.processes = 1};
	char *program[] = {(char *)r->x->id, NULL};
	struct check_findings f = {
		.sources = source_text_new(0), .modules = host_modules_new(), .program = program, .status = status};
	if (!r->checks.checks)
		return status;
	char *steps = xasprintf("`wavedeck %s`, then !", r->ask->experiment);
	f.steps = steps;
	fflush(stdout); /* the table comes first */
	for (int i = 0; i < r->count; i++)
		read_point(r, i, &journals);
	status = check_plan_report(&r->checks, &f, &journals, NULL, &e);
	check_journals_free(&journals);
	source_text_free(f.sources);
	host_modules_free(f.modules);
	free(steps);
	return status < 0 ? command_report_failure(&e) : status;
}
