/* `compare`: prints the ratios of recorded sessions to the first one, point by point, and their other differences. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "sessions/compare/session_compare.h"
#include "cli/cli_support.h"
#include "sessions/export/exporters.h"
#include "sessions/session.h"

enum { SKIPPED_SHOWN = 12 };

static char side_name(int side)
{
	return (char)('A' + side);
}

/* --- table --- */

static void print_compared_reading(struct reading r)
{
	char text[40];
	if (r.valid)
		snprintf(text, sizeof text, "%.5g", r.value);
	printf("  %12s", r.valid ? text : "-");
}

static void print_compared_row(const struct session_comparison *c, int metric, size_t row)
{
	const struct session_columns *columns = &c->sides[0].columns;
	for (int i = 0; i < columns->param_count; i++) {
		char *text = column_param_format(&columns->params[i], c->rows[row].points[0]);
		printf("%s%12s", i ? "  " : "", text);
		free(text);
	}
	for (int i = 0; i < c->count; i++) {
		struct compared_value at = comparison_value_at(c, row, metric, i);
		print_compared_reading(at.value);
		if (i && at.has_ratio)
			printf("  %8.3f  %-7s", at.ratio, comparison_verdict_text(at.verdict));
		else if (i)
			printf("  %8s  %-7s", comparison_verdict_text(at.verdict), "");
	}
	putchar('\n');
}

static void print_metric_summary(const struct session_comparison *c, int metric)
{
	for (int i = 1; i < c->count; i++) {
		struct comparison_summary s = comparison_summarize(c, metric, i);
		bool exact = c->sides[0].deterministic && c->sides[i].deterministic;
		if (s.compared)
			printf("%c / A: median %.4g, range %.4g to %.4g; %zu of %zu %s\n", side_name(i), s.median_ratio,
				s.least, s.most, s.same, s.compared,
				exact ? "exactly equal" : "equal within noise (overlapping quartiles)");
	}
}

static void print_compared_metric(const struct session_comparison *c, int metric)
{
	const struct session_columns *columns = &c->sides[0].columns;
	const struct column *m = &columns->metrics[metric];
	printf("\n%s%s%s\n", m->id, *m->unit ? ", " : "", m->unit);
	for (int i = 0; i < columns->param_count; i++)
		printf("%s%12s", i ? "  " : "", columns->params[i].id);
	for (int i = 0; i < c->count; i++) {
		printf("  %12c", side_name(i));
		if (i)
			printf("     %c / A         ", side_name(i));
	}
	putchar('\n');
	for (int i = 0; i < columns->param_count; i++)
		printf("%s%12s", i ? "  " : "", strcmp(columns->params[i].unit, "B") ? columns->params[i].unit : "");
	putchar('\n');
	for (size_t k = 0; k < c->row_count; k++)
		print_compared_row(c, metric, k);
	print_metric_summary(c, metric);
}

static void print_differences(const struct session_comparison *c)
{
	struct differences d;
	differences_make(c, &d);
	printf("\n%s\n", d.count ? "differences" : "no differences in device, constants, versions, kernel and clocks");
	for (int i = 0; i < d.count; i++) {
		printf("  %s\n", d.list[i].what);
		for (int k = 0; k < c->count; k++)
			printf("    %c  %s\n", side_name(k), *d.list[i].values[k] ? d.list[i].values[k] : "-");
	}
	differences_free(&d);
}

static void print_skipped(const struct session_comparison *c)
{
	if (c->left_count)
		printf("\nskipped (!)\n");
	for (size_t i = 0; i < c->left_count && i < SKIPPED_SHOWN; i++) {
		char *name = comparison_format_point(c, c->left[i].point);
		printf("  %c  %s: %s\n", side_name(c->left[i].side), name, c->left[i].why);
		free(name);
	}
	if (c->left_count > SKIPPED_SHOWN)
		printf("  and %zu more; --format json lists all\n", c->left_count - SKIPPED_SHOWN);
}

static void print_comparison_table(const struct session_comparison *c)
{
	printf("%s\n", record_get_text(c->sides[0].session->header, "experiment"));
	for (int i = 0; i < c->count; i++) {
		const struct session *s = c->sides[i].session;
		printf("%c  %s  %s  %s  %zu point%s\n", side_name(i), c->sides[i].name,
			record_get_text(json_object_get(s->header, "device"), "device"),
			record_get_text(s->header, "time"), s->point_count, plural_s(s->point_count));
	}
	for (int m = 0; c->row_count && m < c->sides[0].columns.metric_count; m++)
		print_compared_metric(c, m);
	print_differences(c);
	print_skipped(c);
}

/* --- CSV --- */

static void print_csv_number(struct reading r)
{
	char text[40];
	printf(",%s", r.valid ? number_format_exact(text, sizeof text, r.value) : "");
}

static void print_csv_head(const struct session_comparison *c)
{
	const struct session_columns *columns = &c->sides[0].columns;
	for (int i = 0; i < columns->param_count; i++)
		printf("%s%s", i ? "," : "", columns->params[i].id);
	for (int m = 0; m < columns->metric_count; m++)
		for (int i = 0; i < c->count; i++) {
			const char *id = columns->metrics[m].id;
			printf(",%s_%c", id, side_name(i));
			if (i)
				printf(",%s_%c_ratio,%s_%c_same", id, side_name(i), id, side_name(i));
		}
	putchar('\n');
}

static void print_csv_cells(const struct session_comparison *c, size_t row)
{
	for (int m = 0; m < c->sides[0].columns.metric_count; m++)
		for (int i = 0; i < c->count; i++) {
			struct compared_value at = comparison_value_at(c, row, m, i);
			print_csv_number(at.value);
			if (i)
				print_csv_number((struct reading){at.has_ratio, at.ratio});
			if (i)
				printf(",%s",
					at.verdict == COMPARED_SAME                ? "yes"
						: at.verdict == COMPARED_DIFFERENT ? "no"
										   : "");
		}
	putchar('\n');
}

/* Control characters must not break the line. */
static void print_csv_comment(const char *name, char side, const char *text)
{
	printf("# %s%s%c: ", name, *name ? " " : "", side);
	for (; *text; text++)
		putchar((unsigned char)*text < ' ' ? ' ' : *text);
	putchar('\n');
}

static void print_comparison_csv(const struct session_comparison *c)
{
	const struct session_columns *columns = &c->sides[0].columns;
	struct differences d;
	printf("# experiment: %s\n", record_get_text(c->sides[0].session->header, "experiment"));
	for (int i = 0; i < c->count; i++)
		print_csv_comment("", side_name(i), c->sides[i].name);
	differences_make(c, &d);
	for (int i = 0; i < d.count; i++)
		for (int k = 0; k < c->count; k++)
			print_csv_comment(d.list[i].what, side_name(k), d.list[i].values[k]);
	differences_free(&d);
	for (size_t i = 0; i < c->left_count; i++) {
		char *name = comparison_format_point(c, c->left[i].point),
		     *text = xasprintf("%s: %s", name, c->left[i].why);
		print_csv_comment("left out", side_name(c->left[i].side), text);
		free(name);
		free(text);
	}
	print_csv_head(c);
	for (size_t k = 0; k < c->row_count; k++) {
		for (int i = 0; i < columns->param_count; i++) {
			char *text = column_param_plain_text(&columns->params[i], c->rows[k].points[0]);
			struct buf field = {0};
			csv_append_field(&field, text);
			printf("%s%s", i ? "," : "", field.len ? field.data : "");
			buf_free(&field);
			free(text);
		}
		print_csv_cells(c, k);
	}
}

/* --- JSON --- */

static json_t *make_json_cell(const struct session_comparison *c, size_t row, int metric, int side)
{
	struct compared_value at = comparison_value_at(c, row, metric, side);
	json_t *o = json_object();
	record_set_reading(o, "value", at.value);
	if (at.value.valid && at.low < at.high)
		json_object_set_new(o, "quartiles", json_pack("[f, f]", at.low, at.high));
	if (side) {
		record_set_reading(o, "ratio", (struct reading){at.has_ratio, at.ratio});
		json_object_set_new(o, "same",
			at.verdict <= COMPARED_DIFFERENT ? json_boolean(at.verdict == COMPARED_SAME) : json_null());
	}
	return o;
}

static json_t *make_json_row(const struct session_comparison *c, size_t row)
{
	json_t *metrics = json_object();
	for (int m = 0; m < c->sides[0].columns.metric_count; m++) {
		json_t *sides = json_object();
		for (int i = 0; i < c->count; i++)
			json_object_set_new(sides, (char[]){side_name(i), 0}, make_json_cell(c, row, m, i));
		json_object_set_new(metrics, c->sides[0].columns.metrics[m].id, sides);
	}
	return json_pack("{s:O, s:o}", "params", json_object_get(c->rows[row].points[0], "params"), "metrics", metrics);
}

static json_t *make_json_sessions(const struct session_comparison *c)
{
	json_t *list = json_array();
	for (int i = 0; i < c->count; i++) {
		const struct session *s = c->sides[i].session;
		const json_t *device = json_object_get(s->header, "device");
		json_array_append_new(list,
			json_pack("{s:o, s:o, s:s, s:s, s:b, s:I}", "name", json_sprintf("%c", side_name(i)), "file",
				json_utf8_string(c->sides[i].name), "device", record_get_text(device, "device"), "time",
				record_get_text(s->header, "time"), "deterministic", (int)c->sides[i].deterministic,
				"points", (json_int_t)s->point_count));
	}
	return list;
}

static json_t *make_json_differences(const struct session_comparison *c)
{
	struct differences d;
	json_t *list = json_array();
	differences_make(c, &d);
	for (int i = 0; i < d.count; i++) {
		json_t *o = json_pack("{s:s}", "what", d.list[i].what);
		for (int k = 0; k < c->count; k++)
			json_object_set_new(o, (char[]){side_name(k), 0},
				*d.list[i].values[k] ? json_utf8_string(d.list[i].values[k]) : json_null());
		json_array_append_new(list, o);
	}
	differences_free(&d);
	return list;
}

static json_t *make_json_skipped(const struct session_comparison *c)
{
	json_t *list = json_array();
	for (size_t i = 0; i < c->left_count; i++)
		json_array_append_new(list,
			json_pack("{s:o, s:O*, s:o}", "session", json_sprintf("%c", side_name(c->left[i].side)),
				"params", json_object_get(c->left[i].point, "params"), "why",
				json_utf8_string(c->left[i].why)));
	return list;
}

static void print_comparison_json(const struct session_comparison *c)
{
	json_t *points = json_array();
	for (size_t k = 0; k < c->row_count; k++)
		json_array_append_new(points, make_json_row(c, k));
	json_t *all = json_pack("{s:s, s:o, s:o, s:o, s:o}", "experiment",
		record_get_text(c->sides[0].session->header, "experiment"), "sessions", make_json_sessions(c),
		"different", make_json_differences(c), "points", points, "left_out", make_json_skipped(c));
	command_print_json(all);
}

/* --- the command --- */

static int compare_sessions(const char *const *paths, int count, enum export_format format)
{
	struct err e = {0};
	struct session *sessions[COMPARE_MAX] = {0};
	struct session_comparison c = {0};
	bool ok = true;
	for (int i = 0; ok && i < count; i++)
		ok = (sessions[i] = session_load(paths[i], &e)) != NULL;
	ok = ok && comparison_make(&c, paths, (const struct session *const *)sessions, count, &e);
	if (ok && format == FORMAT_TABLE)
		print_comparison_table(&c);
	else if (ok && format == FORMAT_CSV)
		print_comparison_csv(&c);
	else if (ok)
		print_comparison_json(&c);
	ok = ok &&
		(c.row_count ||
			err_set(&e, ST_REQUEST,
				"these sessions have no common points; record them with the same parameters"));
	comparison_free(&c);
	for (int i = 0; i < count; i++)
		session_free(sessions[i]);
	return ok ? ST_OK : command_report_failure(&e);
}

int command_print_comparison(const char *const *paths, int count)
{
	return compare_sessions(paths, count, FORMAT_TABLE);
}

int command_compare(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	const char *text = "table";
	enum export_format format = FORMAT_TABLE;
	const struct option options[] = {{"--format", &text, NULL}, {NULL, NULL, NULL}};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	bool ok = exporter_find(text, EXPORT_COMPARISON, &format, &e);
	if (ok && (words.count < 2 || words.count > COMPARE_MAX))
		ok = err_set(&e, ST_REQUEST, "compare needs 2 to %d session files, not %d", COMPARE_MAX, words.count);
	int status = ok ? compare_sessions(words.list, words.count, format) : command_report_failure(&e);
	free(words.list);
	return status;
}
