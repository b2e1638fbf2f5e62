#include "cli/captured_names.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/units.h"
#include "captures/capture_experiments.h"
#include "captures/capture_file.h"
#include "gpu/protocol/record.h"

bool command_resolve_capture(struct argument_list *words, const char **device, struct err *e)
{
	static char *definition, *of_capture; /* until the next call; the words point to them */
	if (!words->count || !capture_is_named(words->list[0]))
		return true;
	free(definition);
	free(of_capture);
	of_capture = NULL;
	definition = capture_find_definition(words->list[0], &of_capture, e);
	if (!definition)
		return false;
	words->list[0] = definition;
	if (device && !*device)
		*device = of_capture;
	return true;
}

static json_t *kernel_json(const struct captured_kernel *k)
{
	return json_pack("{s:s, s:s, s:s, s:i, s:f, s:O, s:s*}", "experiment", k->id, "name", k->name, "model",
		k->model, "launches", k->launches, "seconds", k->seconds, "slowest", k->launch, "reason",
		*k->reason ? k->reason : NULL);
}

static void print_kernel(const struct captured_kernel *k)
{
	char time[40];
	printf("%-28s %8d %12s  %s%s%s\n", k->id, k->launches,
		units_format(
			time, sizeof time, 1e6 * json_number_value(json_object_get(k->launch, "duration")), "us", 4),
		k->name, *k->reason ? "; cannot run again: " : "", k->reason);
}

bool command_list_capture(const char *file, bool json, struct err *e)
{
	struct opened_capture c;
	int count;
	if (!capture_open(file, &c, e))
		return false;
	struct captured_kernel *list = capture_list_kernels(c.capture, &count);
	json_t *all = json_array();
	if (!json)
		printf("%-28s %8s %12s  %s\n", "experiment", "launches", "slowest", "kernel");
	for (int i = 0; i < count; i++)
		if (json)
			json_array_append_new(all, kernel_json(&list[i]));
		else
			print_kernel(&list[i]);
	if (json)
		command_print_json(json_incref(all));
	json_decref(all);
	free(list);
	capture_close(&c);
	return true;
}
