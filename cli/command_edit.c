/* `edit`: opens a copy of an experiment's kernel in an editor, then measures the copy and the original. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/backends/backend.h"
#include "base/buf.h"
#include "base/paths.h"
#include "cli/cli_support.h"
#include "cli/own/native_question.h"
#include "cli/run/plan_parts.h"
#include "experiments/definition/kernel_copy.h"

static int remove_kernel_copy(const struct experiment *x)
{
	struct err e = {0};
	bool had;
	if (!kernel_copy_remove(x, &had, &e))
		return command_report_failure(&e);
	printf(had ? "removed the edited kernel of %s\n" : "%s has no edited kernel\n", x->id);
	return ST_OK;
}

/* The plan's first point selects the variant, and so the source file. */
static bool first_values(
	struct experiment *x, const struct argument_list *words, const char *device, double *values, struct err *e)
{
	struct plan p;
	char arch[DEVICE_ARCH];
	device_read_arch(device, arch);
	plan_init_default(&p, x, device_can(device, DEVICE_REDUCED_SIZES), arch);
	bool ok = plan_apply_words(&p, words, e);
	if (ok)
		plan_point_values(&p, 0, values);
	plan_free(&p);
	return ok;
}

static bool words_name_param(const struct argument_list *words, const char *id)
{
	size_t n = strlen(id);
	for (int i = 1; i < words->count; i++)
		if (*words->list[i] == '@' || (!strncmp(words->list[i], id, n) && words->list[i][n] == '='))
			return true;
	return false;
}

/* Where the default is assembly and the user names no variant: the word that selects HIP, which the caller frees. */
static char *choose_hip_source(struct experiment *x, const struct argument_list *words, const double *values)
{
	char hip[256], assembly[256];
	double other[PARAMS_MAX], value;
	int param = kernel_copy_find_hip(x, values, &value);
	if (param < 0 || words_name_param(words, x->params[param].id))
		return NULL;
	memcpy(other, values, sizeof other);
	other[param] = value;
	kernel_copy_source_name(x, values, assembly, sizeof assembly);
	kernel_copy_source_name(x, other, hip, sizeof hip);
	const struct param *p = &x->params[param];
	command_printf_error("editing %s (%s=%s); %s=%s edits the assembly %s", hip, p->id, p->choices[(int)value],
		p->id, p->choices[(int)values[param]], assembly);
	return xasprintf("%s=%s", p->id, p->choices[(int)value]);
}

static bool prepare_kernel_copy(struct experiment *x, const struct argument_list *words, const char *device,
	struct kernel_copy *d, struct err *e)
{
	double values[PARAMS_MAX];
	return first_values(x, words, device, values, e) && kernel_copy_prepare(x, values, d, e);
}

/* The user's words and those that were chosen. */
static struct argument_list join_words(const struct argument_list *words, const char *more)
{
	struct argument_list all = {.list = xcalloc((size_t)words->count + 2, sizeof *all.list)};
	for (int i = 0; i < words->count; i++)
		all.list[all.count++] = words->list[i];
	if (more)
		all.list[all.count++] = more;
	return all;
}

static int measure_into_session(
	const struct argument_list *words, const char *experiment, const char *device, const char *record)
{
	const char *name = words->list[0];
	words->list[0] = experiment;
	unlink(record);
	int status = command_run_recorded(words, device, record);
	words->list[0] = name;
	return status;
}

/* The copy first, so that a compiler error is reported at once. */
static int measure_both_kernels(
	const struct argument_list *words, const char *id, const char *device, const struct kernel_copy *d)
{
	char *original = xasprintf("%s/original.wbs", d->folder), *edited = xasprintf("%s/edited.wbs", d->folder);
	const char *both[] = {original, edited};
	int status = measure_into_session(words, d->definition, device, edited), other = ST_OK;
	if (status == ST_OK)
		other = measure_into_session(words, id, device, original);
	if (status == ST_OK && other == ST_OK)
		status = command_print_comparison(both, 2);
	else
		command_printf_error(
			"the edited copy is %s; `wavedeck edit %s` opens it again, --reset deletes it", d->kernel, id);
	free(original);
	free(edited);
	return status != ST_OK ? status : other;
}

static int edit_and_measure(struct experiment *x, const struct argument_list *words, const char *device,
	struct kernel_copy *d, struct err *e)
{
	double values[PARAMS_MAX];
	int status = ST_FAILED;
	if (!first_values(x, words, device, values, e))
		return status;
	char *chosen = choose_hip_source(x, words, values);
	struct argument_list all = join_words(words, chosen);
	if (!prepare_kernel_copy(x, &all, device, d, e) || !kernel_copy_run_editor(d, e))
		;
	else if (d->pristine && !d->changed) {
		printf("%s is unchanged; nothing was measured\n", path_basename(d->kernel));
		status = ST_OK;
	} else
		status = measure_both_kernels(&all, words->list[0], device, d);
	free(all.list);
	free(chosen);
	return status;
}

static int edit_kernel(const struct argument_list *words, const char *device, bool reset, bool trust)
{
	struct err e = {0};
	struct catalog c = {0};
	struct kernel_copy d = {0};
	if (!command_open_catalog(&c, &e))
		return command_report_failure(&e);
	struct experiment *x = catalog_find(&c, words->list[0], &e);
	int status = ST_FAILED;
	if (x && reset)
		status = remove_kernel_copy(x);
	else if (x && command_allow_native(x, trust, &e))
		status = edit_and_measure(x, words, device, &d, &e);
	if (e.text[0])
		status = command_report_failure(&e);
	kernel_copy_free(&d);
	catalog_free(&c);
	return status;
}

int command_edit(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	const char *device = NULL;
	bool reset = false, trust = false;
	const struct option options[] = {
		{"--device", &device, NULL},
		{"--reset", NULL, &reset},
		{"--trust", NULL, &trust},
		{NULL, NULL, NULL},
	};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	device = command_default_device(device);
	int status = ST_REQUEST;
	if (!words.count)
		err_set(&e, ST_REQUEST, "edit needs an experiment; `wavedeck list` lists them");
	else if (device_can(device, DEVICE_RECORDING))
		err_set(&e, ST_REQUEST, "a recording cannot run an edited kernel; name a device such as soft:mi25");
	else if (device_name_check(device, &e))
		status = edit_kernel(&words, device, reset, trust);
	if (e.text[0])
		status = command_report_failure(&e);
	free(words.list);
	return status;
}
