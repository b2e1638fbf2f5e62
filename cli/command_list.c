/* `list` and `show`: the experiments of the catalog. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/units.h"
#include "experiments/definition/default_values.h"
#include "experiments/definition/words/experiment_words.h"
#include "experiments/sweep/sweep.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/record.h"
#include "cli/validate/shown_accuracy.h"
#include "sessions/compare/published_rows.h"
#include "sessions/compare/published_sources.h"
#include "sessions/export/csv_line.h"
#include "captures/capture_file.h"
#include "cli/captured_names.h"
#include "cli/cli_support.h"

/* --- list --- */

static json_t *experiment_summary_json(const struct experiment *x)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "id", x->id, "chapter", x->chapter, "title", x->title,
		"question", x->question, "source", x->source, "needs", x->needs);
}

static void print_summary(const struct experiment *x)
{
	printf("%-10s %-24s  %s%s%s%s\n", x->chapter, x->id, x->title, *x->needs ? "   [needs " : "", x->needs,
		*x->needs ? "]" : "");
}

/* "76 experiments: dispatch 4, alu 6, ...; 5 need another device". The catalog is sorted by chapter. */
static void print_chapter_counts(const struct catalog *c)
{
	int unsupported = 0;
	printf("\n%d experiment%s", c->count, c->count == 1 ? "" : "s");
	for (int i = 0, first = 0; i < c->count; i++) {
		unsupported += *c->list[i]->needs != 0;
		if (i + 1 < c->count && !strcmp(c->list[i]->chapter, c->list[i + 1]->chapter))
			continue;
		printf("%s %s %d", first ? "," : ":", c->list[i]->chapter, i + 1 - first);
		first = i + 1;
	}
	if (unsupported)
		printf("; %d need%s another device", unsupported, unsupported == 1 ? "s" : "");
	putchar('\n');
}

static void print_summary_table(const struct catalog *c)
{
	for (int i = 0; i < c->count; i++)
		print_summary(c->list[i]);
	if (isatty(STDOUT_FILENO)) /* for people: a program reads one experiment from each line */
		print_chapter_counts(c);
}

static void print_summary_json(const struct catalog *c)
{
	json_t *all = json_array();
	for (int i = 0; i < c->count; i++)
		json_array_append_new(all, experiment_summary_json(c->list[i]));
	command_print_json(all);
}

static void put_text(void *ctx, const char *text)
{
	(void)ctx;
	fputs(text, stdout);
}

static void print_summary_csv(const struct catalog *c)
{
	static const char *const columns[] = {"chapter", "id", "title", "question", "source", "needs"};
	struct csv_line line = {0};
	for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
		csv_add_text(&line, columns[k]);
	csv_end_line(&line, put_text, NULL);
	for (int i = 0; i < c->count; i++) {
		json_t *o = experiment_summary_json(c->list[i]);
		for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
			csv_add_text(&line, record_get_text(o, columns[k]));
		csv_end_line(&line, put_text, NULL);
		json_decref(o);
	}
	buf_free(&line.text);
}

static const char *const list_formats[] = {"table", "json", "csv", NULL};

static int list_experiments(int format)
{
	static void (*const print[])(const struct catalog *) = {
		print_summary_table, print_summary_json, print_summary_csv};
	struct catalog c;
	struct err e = {0};
	if (!command_load_catalog(&c, true, &e))
		return command_report_failure(&e);
	print[format](&c);
	catalog_free(&c);
	return ST_OK;
}

int command_list(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	const char *name = NULL;
	bool json = false;
	const struct option options[] = {{"--json", NULL, &json}, {"--format", &name, NULL}, {NULL, NULL, NULL}};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	int format = name_list_index(name ? name : json ? "json" : "table", list_formats), status;
	if (format < 0)
		err_set(&e, ST_REQUEST, "unknown format '%.40s'; use table, json or csv", name);
	if (format >= 0 && words.count == 1 && capture_is_named(words.list[0]))
		status = command_list_capture(words.list[0], format == 1, &e) ? command_finish_output(ST_OK)
									      : command_report_failure(&e);
	else
		status = words.count ? command_report_extra_word("list", words.list[0])
			: format < 0 ? command_report_failure(&e)
				     : list_experiments(format);
	free(words.list);
	return status;
}

/* --- show --- */

static json_t *param_value_json(const struct param *p, double v)
{
	return p->kind == PARAM_STEP_CHOICE ? json_string(p->choices[(int)v]) : json_exact_number(v);
}

static json_t *target_defaults_json(const struct param *p)
{
	json_t *o = json_object();
	for (int i = 0; i < p->soft_on_count; i++)
		json_object_set_new(o, p->soft_on[i].arch, param_value_json(p, p->soft_on[i].value));
	return o;
}

static json_t *param_json(const struct param *p)
{
	static const char *const kinds[] = {
		[PARAM_STEP_ADD] = "add", [PARAM_STEP_MULTIPLY] = "times", [PARAM_STEP_CHOICE] = "choice"};
	json_t *o = json_pack(
		"{s:s, s:s, s:s, s:s}", "id", p->id, "unit", p->unit, "help", p->help, "kind", kinds[p->kind]);
	if (p->kind == PARAM_STEP_CHOICE) {
		json_t *choices = json_array();
		for (int i = 0; i < p->choice_count; i++)
			json_array_append_new(choices, json_string(p->choices[i]));
		json_object_set_new(o, "choices", choices);
	} else {
		json_object_set_new(o, "min", json_exact_number(p->low));
		json_object_set_new(o, "max", json_exact_number(p->high));
		json_object_set_new(o, "step", json_exact_number(p->step));
	}
	json_object_set_new(o, "default", param_value_json(p, p->value));
	json_object_set_new(o, "soft", param_value_json(p, p->soft));
	if (p->soft_on_count)
		json_object_set_new(o, "soft_on", target_defaults_json(p));
	json_object_set_new(o, "sweep", json_boolean(p->sweep));
	return o;
}

static json_t *presets_json(const struct experiment *x)
{
	json_t *all = json_object();
	for (int i = 0; i < x->preset_count; i++) {
		json_t *arguments = json_array();
		for (int k = 0; k < x->presets[i].argument_count; k++)
			json_array_append_new(arguments, json_string(x->presets[i].arguments[k]));
		json_object_set_new(all, x->presets[i].id,
			json_pack("{s:s, s:o}", "help", x->presets[i].help, "arguments", arguments));
	}
	return all;
}

/* `arch`: the target of a device, or NULL for all rows. */
static bool row_is_shown(const struct published *set, int i, const struct experiment *x, const char *arch)
{
	return !strcmp(set->rows[i].experiment, x->id) && published_row_fits_arch(&set->rows[i], arch);
}

static json_t *published_json(const struct published *set, const struct experiment *x, const char *arch)
{
	json_t *all = json_array();
	for (int i = 0; i < set->count; i++) {
		const struct published_row *r = &set->rows[i];
		if (row_is_shown(set, i, x, arch))
			json_array_append_new(all,
				json_pack("{s:s, s:s, s:s, s:o, s:o, s:s, s:s, s:s, s:s}", "params", r->params,
					"metric", r->metric, "unit", r->unit, "value", json_exact_number(r->value),
					"other", published_is_interval(r) ? json_exact_number(r->other) : json_null(),
					"state", published_state_name(r->state), "device", r->device, "arch", r->arch,
					"source", r->source));
	}
	return all;
}

static json_t *experiment_json(const struct experiment *x, const struct published *set,
	const struct accuracy_table *accuracy, const char *arch)
{
	static const char *const axes[] = {"left", "right", "x"};
	json_t *o = experiment_summary_json(x), *params = json_array(), *metrics = json_array();
	json_object_set_new(o, "file", json_string(x->path));
	json_object_set_new(o, "verified", json_boolean(x->verified));
	for (int i = 0; i < x->param_count; i++)
		json_array_append_new(params, param_json(&x->params[i]));
	for (int i = 0; i < x->metric_count; i++) {
		const struct metric *m = &x->metrics[i];
		json_t *axis = m->axis >= 0 ? json_string(axes[m->axis]) : json_null();
		json_array_append_new(metrics,
			json_pack("{s:s, s:s, s:s, s:o}", "id", m->id, "unit", m->unit, "help", m->help, "axis", axis));
	}
	json_object_set_new(o, "params", params);
	json_object_set_new(o, "metrics", metrics);
	json_object_set_new(o, "presets", presets_json(x));
	json_object_set_new(o, "published", published_json(set, x, arch));
	json_object_set_new(o, "accuracy", accuracy_json(accuracy, set, x->id));
	return o;
}

static void format_param_range(const struct param *p, char *out, size_t size)
{
	char low[48], high[48], step[48];
	size_t n = 0;
	out[0] = 0;
	if (p->kind == PARAM_STEP_CHOICE) {
		for (int i = 0; i < p->choice_count && n < size; i++)
			n += (size_t)snprintf(out + n, size - n, "%s%s", i ? " | " : "", p->choices[i]);
		return;
	}
	if (p->kind == PARAM_STEP_MULTIPLY)
		snprintf(step, sizeof step, "x%s", number_format_exact(low, sizeof low, p->step));
	else
		snprintf(step, sizeof step, "+%s", param_format(p, p->step, low, sizeof low));
	snprintf(out, size, "%s .. %s, %s", param_format(p, p->low, low, sizeof low),
		param_format(p, p->high, high, sizeof high), step);
}

/* The default sweep. */
static void format_default_sweep(const struct param *p, char *out, size_t size)
{
	char low[48], high[48];
	if (p->kind == PARAM_STEP_CHOICE)
		snprintf(out, size, "   swept");
	else if (p->sweep_list_count)
		snprintf(out, size, "   swept: %d values", p->sweep_list_count);
	else
		snprintf(out, size, "   swept: %s .. %s", param_format(p, p->sweep_low, low, sizeof low),
			param_format(p, p->sweep_high, high, sizeof high));
}

static void print_reduced_sizes(const struct param *p)
{
	char text[64];
	if (!param_has_reduced_size(p))
		return;
	printf(" [reduced for the software GPU: ");
	if (p->soft != p->value)
		printf("%s", param_format(p, p->soft, text, sizeof text));
	for (int i = 0; i < p->soft_on_count; i++)
		printf("%s%s on %s", i || p->soft != p->value ? ", " : "",
			param_format(p, p->soft_on[i].value, text, sizeof text), p->soft_on[i].arch);
	printf("]");
}

static void print_param(const struct param *p)
{
	char value[64], range[400], sweep[128] = "";
	param_format(p, p->value, value, sizeof value);
	format_param_range(p, range, sizeof range);
	printf("  %c %-12s %s", p->sweep ? 'x' : ' ', p->id, value);
	print_reduced_sizes(p);
	if (p->sweep)
		format_default_sweep(p, sweep, sizeof sweep);
	printf("   (%s)%s\n", range, sweep);
	if (*p->help)
		printf("      %s\n", p->help);
}

/* How the results are verified depends on the kind of experiment. */
static const char *verification_text(const struct experiment *x)
{
	switch (x->work) {
	case WORK_FORMULA: return "computed from the parameters; no kernel is launched";
	case WORK_COMPILE: return "the verdict of the compiler; no kernel is launched";
	case WORK_PROGRAM: return "launches of a program, which checks its results itself";
	case WORK_DELEGATED: return "measures other experiments of the catalog, which verify their results";
	case WORK_LAUNCH: break;
	}
	return x->verified ? "results are verified against a reference" : "results are not verified: no reference";
}

static void print_presets(const struct experiment *x)
{
	printf("\npresets\n");
	for (int i = 0; i < x->preset_count; i++) {
		const struct preset *p = &x->presets[i];
		printf("    @%-11s", p->id);
		for (int k = 0; k < p->argument_count; k++)
			printf(strchr(p->arguments[k], ' ') ? " '%s'" : " %s", p->arguments[k]);
		printf("%s%s\n", *p->help ? "   " : "", p->help);
	}
	for (int g = 0; g < GENERAL_PRESET_COUNT; g++) {
		const char *id = plan_preset_name(x, g);
		bool own = false;
		for (int i = 0; i < x->preset_count; i++)
			own = own || !strcmp(x->presets[i].id, id);
		if (!own)
			printf("    @%-11s %s\n", id, general_preset_help(g));
	}
}

/* Groups the rows by device. */
static void print_published(const struct published *set, const struct experiment *x, const char *arch)
{
	const char *device = NULL;
	char value[80], source[120];
	int width = 0;
	for (int i = 0; i < set->count; i++)
		if (row_is_shown(set, i, x, arch) && (int)strlen(set->rows[i].params) > width)
			width = (int)strlen(set->rows[i].params);
	for (int i = 0; i < set->count; i++) {
		const struct published_row *r = &set->rows[i];
		if (!row_is_shown(set, i, x, arch))
			continue;
		if (!device || strcmp(device, r->device))
			printf("\npublished values%s%s%s%s%s\n", *r->device ? ", " : "", r->device,
				*r->arch ? " (" : "", r->arch, *r->arch ? ")" : "");
		device = r->device;
		published_format_value(value, sizeof value, r);
		published_source_format(source, sizeof source, r->source);
		printf("    %-*s  %-16s %14s %-12s %s\n", width, r->params, r->metric, value,
			unit_display(r->unit, terminal_is_ascii()), source);
	}
}

static void print_experiment(const struct experiment *x, const struct published *set,
	const struct accuracy_table *accuracy, const char *arch)
{
	static const char *const axes[] = {"left axis", "right axis", "x axis"};
	char source[200];
	printf("%s  -  %s\n\n%s\n", x->id, x->title, x->question);
	if (*x->source)
		printf("source: %s\n", published_source_format(source, sizeof source, x->source));
	if (*x->needs)
		printf("needs: %s\n", x->needs);
	printf("file: %s\n%s\n\nparameters\n", x->path, verification_text(x));
	for (int i = 0; i < x->param_count; i++)
		print_param(&x->params[i]);
	printf("\nmetrics\n");
	for (int i = 0; i < x->metric_count; i++) {
		const struct metric *m = &x->metrics[i];
		printf("    %-20s %-14s %-11s%s%s\n", m->id,
			*m->unit ? unit_display(metric_unit(m), terminal_is_ascii()) : "-",
			m->axis >= 0 ? axes[m->axis] : "table only", *m->help ? "   " : "", m->help);
	}
	print_presets(x);
	print_published(set, x, arch);
	accuracy_print(accuracy, set, x->id);
}

/* Words and defaults, as far as they are known before the device is open. */
static void show_for_device(struct experiment *x, const char *device, const char *arch)
{
	experiment_use_words(x, arch);
	for (int i = 0; i < x->param_count; i++) {
		struct param *p = &x->params[i];
		p->value = p->soft = param_default_value(p, device_can(device, DEVICE_REDUCED_SIZES), arch);
		p->on_count = p->soft_on_count = 0;
	}
}

/* `device`: NULL for all devices. */
static int show_experiment(const char *name, bool json, const char *device)
{
	char arch[DEVICE_ARCH];
	struct catalog c;
	struct published set = {0};
	struct err e = {0};
	struct accuracy_table accuracy = {0};
	char *rows = path_published(), *models = path_share("accuracy");
	bool is_open = command_open_catalog(&c, &e);
	struct experiment *x = is_open ? catalog_find(&c, name, &e) : NULL;
	bool ok = x && (!device || device_name_check(device, &e)) && published_load(rows, &set, &e) &&
		accuracy_load(models, &accuracy, &e);
	if (ok && device) {
		device_read_arch(device, arch);
		show_for_device(x, device, arch);
	}
	if (ok && json)
		command_print_json(experiment_json(x, &set, &accuracy, device ? arch : NULL));
	else if (ok)
		print_experiment(x, &set, &accuracy, device ? arch : NULL);
	accuracy_free(&accuracy);
	published_free(&set);
	if (is_open)
		catalog_free(&c);
	free(rows);
	free(models);
	return ok ? ST_OK : command_report_failure(&e);
}

int command_show(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	const char *device = NULL;
	bool json = false;
	int status;
	const struct option options[] = {{"--device", &device, NULL}, {"--json", NULL, &json}, {NULL, NULL, NULL}};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	if (!command_resolve_capture(&words, NULL, &e)) {
		status = command_report_failure(&e);
	} else if (words.count == 1) {
		status = show_experiment(words.list[0], json, device);
	} else {
		err_set(&e, ST_REQUEST, "show needs one experiment; `wavedeck list` lists them");
		status = words.count ? command_report_extra_word("show", words.list[1]) : command_report_failure(&e);
	}
	free(words.list);
	return status;
}
