/* `edit`: opens a copy of an experiment's kernel in an editor, then measures the copy and the original. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/backends/backend.h"
#include "base/buf.h"
#include "cli/cli_support.h"
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
static bool prepare_kernel_copy(struct experiment *x, const struct argument_list *words, const char *device,
	struct kernel_copy *d, struct err *e)
{
	struct plan p;
	double values[PARAMS_MAX];
	plan_init_default(&p, x, device_can(device, DEVICE_REDUCED_SIZES));
	bool ok = plan_apply_words(&p, words, e);
	if (ok)
		plan_point_values(&p, 0, values);
	plan_free(&p);
	return ok && kernel_copy_prepare(x, values, d, e);
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

static int edit_kernel(const struct argument_list *words, const char *device, bool reset)
{
	struct err e = {0};
	struct catalog c = {0};
	struct kernel_copy d = {0};
	if (!command_open_catalog(&c, &e))
		return command_report_failure(&e);
	struct experiment *x = catalog_find(&c, words->list[0], &e);
	int status = x && reset ? remove_kernel_copy(x) : ST_FAILED;
	if (x && !reset && prepare_kernel_copy(x, words, device, &d, &e) && kernel_copy_run_editor(&d, &e))
		status = measure_both_kernels(words, words->list[0], device, &d);
	else if (e.text[0])
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
	bool reset = false;
	const struct option options[] = {{"--device", &device, NULL}, {"--reset", NULL, &reset}, {NULL, NULL, NULL}};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	device = command_default_device(device);
	int status = ST_REQUEST;
	if (!words.count)
		err_set(&e, ST_REQUEST, "edit needs an experiment; `wavedeck list` lists them");
	else if (device_can(device, DEVICE_RECORDING))
		err_set(&e, ST_REQUEST, "a recording cannot run an edited kernel; name a device such as soft:mi25");
	else if (device_name_check(device, &e))
		status = edit_kernel(&words, device, reset);
	if (e.text[0])
		status = command_report_failure(&e);
	free(words.list);
	return status;
}
