/* `devices`: the devices of this machine, or all hardware constants of a software GPU. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "base/buf.h"
#include "base/units.h"
#include "base/vendor/vendor_words.h"
#include "gpu/clocks/lock_note.h"
#include "gpu/controller/device_list.h"
#include "gpu/softgpu-link/model_table.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/header_record.h"
#include "cli/cli_support.h"
#include "cli/command_devices.h"

/* --- a model's constants --- */
static json_t *constant_json(char *field[CONSTANT_FIELDS])
{
	return json_pack("{s:s, s:I, s:s, s:I, s:I, s:s, s:s}", "name", field[CONSTANT_NAME], "value",
		(json_int_t)strtoll(field[CONSTANT_VALUE], NULL, 10), "unit", field[CONSTANT_UNIT], "min",
		(json_int_t)strtoll(field[CONSTANT_LOW], NULL, 10), "max",
		(json_int_t)strtoll(field[CONSTANT_HIGH], NULL, 10), "source", field[CONSTANT_SOURCE], "help",
		field[CONSTANT_HELP]);
}

static void print_constant(char *field[CONSTANT_FIELDS])
{
	char *range = xasprintf("%s .. %s", field[CONSTANT_LOW], field[CONSTANT_HIGH]);
	printf("%-26s %14s %-10s %-28s %s\n%27s%s\n", field[CONSTANT_NAME], field[CONSTANT_VALUE], field[CONSTANT_UNIT],
		range, field[CONSTANT_HELP], "", field[CONSTANT_SOURCE]);
	free(range);
}

static int print_model(const char *model, bool json)
{
	struct err e = {0};
	char *table = softgpu_read_model_table(model, &e), *save = NULL, *field[CONSTANT_FIELDS];
	json_t *all = json_array();
	if (!table) {
		json_decref(all);
		return command_report_failure(&e);
	}
	if (!json)
		printf("%-26s %14s %-10s %-28s %s\n\n", "constant", "value", "unit", "range",
			"meaning (source in the next line)");
	for (char *line = strtok_r(table, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		softgpu_split_constant(line, field);
		if (json)
			json_array_append_new(all, constant_json(field));
		else
			print_constant(field);
	}
	if (json)
		command_print_json(json_pack("{s:s, s:O}", "model", model, "constants", all));
	else
		printf("\nto change a constant, add it to the device name: --device soft:%s,NAME=VALUE\n", model);
	json_decref(all);
	free(table);
	return ST_OK;
}

/* --- the devices --- */

static json_t *entry_json(const struct device_entry *d)
{
	struct clock_note n;
	json_t *clock = NULL;
	if (clock_note_read(d->device, &n))
		clock = json_pack("{s:i, s:b, s:i, s:s}", "mhz", (int)n.mhz, "held", n.held, "pid", n.pid, "give_back",
			n.give_back);
	return json_pack("{s:s, s:s, s:s, s:O, s:o*}", "device", d->device, "state", d->state, "text", d->text,
		"record", d->record ? d->record : json_null(), "locked_clock", clock);
}

static void print_entry(const struct device_entry *d)
{
	printf("%-14s %-8s %s", d->device, d->state, d->text);
	if (d->record) {
		const json_t *p = device_get_properties(d->record);
		struct reading units = record_get_reading(p, "compute_units"),
			       bytes = record_get_reading(p, "memory_bytes");
		char text[40];
		printf("  %s", device_get_arch(d->record));
		if (units.valid) {
			snprintf(text, sizeof text, "%.0f CUs", units.value);
			printf("  %s", vendor_words_apply(device_get_arch(d->record), text, sizeof text));
		}
		if (bytes.valid)
			printf("  %s", units_format(text, sizeof text, bytes.value, "B", 3));
		if (*record_get_text(device_get_versions(d->record), "runtime"))
			printf("  (%s)", record_get_text(device_get_versions(d->record), "runtime"));
	}
	putchar('\n');
}

/* Also of devices that cannot be opened. */
static void print_locked_clock(const struct clock_note *n)
{
	if (n->held)
		printf("%-14s %-8s its clock is locked at %u MHz while wavedeck measures (process %d)\n", n->device,
			"locked", n->mhz, n->pid);
	else {
		char *path = clock_note_path(n->device);
		printf("%-14s %-8s its clock is still locked at %u MHz: wavedeck was killed; give it back as root: %s && rm %s\n",
			n->device, "locked", n->mhz, n->give_back, path);
		free(path);
	}
}

static void print_locked_clocks(void)
{
	struct clock_note list[DEVICES_MAX];
	size_t count = clock_notes_list(list, DEVICES_MAX);
	for (size_t i = 0; i < count; i++)
		print_locked_clock(&list[i]);
}

static int print_devices(bool json)
{
	struct device_entry *list;
	size_t count = device_probe_all(&list);
	json_t *all = json_array();
	for (size_t i = 0; i < count; i++) {
		if (json)
			json_array_append_new(all, entry_json(&list[i]));
		else
			print_entry(&list[i]);
	}
	if (json)
		command_print_json(json_incref(all));
	else
		print_locked_clocks();
	json_decref(all);
	device_entries_free(list, count);
	return ST_OK;
}

int command_devices(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	const char *model = NULL;
	bool json = false, test = false;
	const struct option options[] = {
		{"--model", &model, NULL}, {"--json", NULL, &json}, {"--test", NULL, &test}, {NULL, NULL, NULL}};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	const char *tested = test && words.count ? words.list[0] : device_default_name();
	const char *extra = words.count > test ? words.list[words.count - 1] : NULL;
	free(words.list);
	if (extra)
		return command_report_extra_word("devices", extra);
	if (test)
		return command_devices_test(tested, json);
	if (model)
		model = device_rest(model);
	return model ? print_model(model, json) : print_devices(json);
}
