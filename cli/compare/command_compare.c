/* `compare`: prints the ratios of recorded sessions to the first one, point by point, and their other differences. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/printable_text.h"
#include "base/units.h"
#include "captures/capture_file.h"
#include "sessions/compare/session_compare.h"
#include "cli/cli_support.h"
#include "cli/compare/compare_captures.h"
#include "sessions/export/csv_line.h"
#include "sessions/export/exporters.h"
#include "sessions/session.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

enum { SKIPPED_SHOWN = 12 };

static char side_name(int side)
{
	return (char)('A' + side);
}

/* --- table --- */

static void append_compared_reading(struct buf *line, struct reading r)
{
	char text[40];
	if (r.valid)
		snprintf(text, sizeof text, "%.5g", r.value);
	buf_printf(line, "  %12s", r.valid ? text : "-");
}

static void print_compared_row(const struct session_comparison *c, int metric, size_t row)
{
	const struct session_columns *columns = &c->sides[0].columns;
	struct buf line = {0};
	for (int i = 0; i < columns->param_count; i++) {
		char *text = column_param_format(&columns->params[i], comparison_first_point(c, row));
		buf_printf(&line, "%s%12s", i ? "  " : "", text);
		free(text);
	}
	for (int i = 0; i < c->count; i++) {
		struct compared_value at = comparison_value_at(c, row, metric, i);
		append_compared_reading(&line, at.value);
		if (i && at.has_ratio)
			buf_printf(&line, "  %8.3f  %-7s", at.ratio, comparison_verdict_text(at.verdict));
		else if (i)
			buf_printf(&line, "  %8s  %-7s", comparison_verdict_text(at.verdict), "");
	}
	text_print_line(stdout, &line);
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

static void print_metric_head(const struct session_comparison *c, const struct column *metric)
{
	const struct session_columns *columns = &c->sides[0].columns;
	struct buf line = {0};
	buf_printf(&line, "%s%s%s", metric->id, *metric->unit ? ", " : "", metric->unit);
	text_print_line(stdout, &line);
	for (int i = 0; i < columns->param_count; i++)
		buf_printf(&line, "%s%12s", i ? "  " : "", columns->params[i].id);
	for (int i = 0; i < c->count; i++) {
		buf_printf(&line, "  %12c", side_name(i));
		if (i)
			buf_printf(&line, "     %c / A         ", side_name(i));
	}
	text_print_line(stdout, &line);
	for (int i = 0; i < columns->param_count; i++)
		buf_printf(&line, "%s%12s", i ? "  " : "",
			strcmp(columns->params[i].unit, "B") ? columns->params[i].unit : "");
	text_print_line(stdout, &line);
}

static void print_compared_metric(const struct session_comparison *c, int metric)
{
	putchar('\n');
	print_metric_head(c, &c->sides[0].columns.metrics[metric]);
	for (size_t k = 0; k < c->row_count; k++)
		print_compared_row(c, metric, k);
	print_metric_summary(c, metric);
}

static void print_differences(const struct session_comparison *c)
{
	struct differences d;
	struct buf line = {0};
	differences_make(c, &d);
	printf("\n%s\n", d.count ? "differences" : "no differences in device, constants, versions, kernel and clocks");
	for (int i = 0; i < d.count; i++) {
		buf_printf(&line, "  %s", d.list[i].what);
		text_print_line(stdout, &line);
		for (int k = 0; k < c->count; k++) {
			buf_printf(&line, "    %c  %s", side_name(k), *d.list[i].values[k] ? d.list[i].values[k] : "-");
			text_print_line(stdout, &line);
		}
	}
	differences_free(&d);
}

static void print_skipped(const struct session_comparison *c)
{
	struct buf line = {0};
	if (c->left_count)
		printf("\nskipped (!)\n");
	for (size_t i = 0; i < c->left_count && i < SKIPPED_SHOWN; i++) {
		char *name = comparison_format_point(c, comparison_excluded_point(c, i));
		buf_printf(&line, "  %c  %s: %s", side_name(c->left[i].side), name, c->left[i].why);
		text_print_line(stdout, &line);
		free(name);
	}
	if (c->left_count > SKIPPED_SHOWN)
		printf("  and %zu more; --format json lists all\n", c->left_count - SKIPPED_SHOWN);
}

static void print_comparison_table(const struct session_comparison *c)
{
	struct buf line = {0};
	buf_puts(&line, record_get_experiment(c->sides[0].session->header));
	text_print_line(stdout, &line);
	for (int i = 0; i < c->count; i++) {
		const struct session *s = c->sides[i].session;
		buf_printf(&line, "%c  %s  %s  %s  %zu point%s", side_name(i), c->sides[i].name,
			device_get_id(header_get_device(s->header)), record_get_text(s->header, "time"),
			s->points.count, plural_s(s->points.count));
		text_print_line(stdout, &line);
	}
	for (int m = 0; c->row_count && m < c->sides[0].columns.metric_count; m++)
		print_compared_metric(c, m);
	print_differences(c);
	print_skipped(c);
}

/* --- CSV --- */

static void put_on_stdout(void *ctx, const char *text)
{
	(void)ctx;
	fputs(text, stdout);
}

static void add_side_head(struct csv_line *line, const char *id, int side, const char *ending)
{
	char *head = xasprintf("%s_%c%s", id, side_name(side), ending);
	csv_add_text(line, head);
	free(head);
}

static void print_comparison_head(const struct session_comparison *c)
{
	const struct session_columns *columns = &c->sides[0].columns;
	struct csv_line line = {0};
	for (int i = 0; i < columns->param_count; i++)
		csv_add_text(&line, columns->params[i].id);
	for (int m = 0; m < columns->metric_count; m++)
		for (int i = 0; i < c->count; i++) {
			add_side_head(&line, columns->metrics[m].id, i, "");
			if (i) {
				add_side_head(&line, columns->metrics[m].id, i, "_ratio");
				add_side_head(&line, columns->metrics[m].id, i, "_same");
			}
		}
	csv_end_line(&line, put_on_stdout, NULL);
}

static void print_comparison_row(const struct session_comparison *c, size_t row)
{
	const struct session_columns *columns = &c->sides[0].columns;
	struct csv_line line = {0};
	for (int i = 0; i < columns->param_count; i++)
		csv_add_param(&line, &columns->params[i], comparison_first_point(c, row));
	for (int m = 0; m < columns->metric_count; m++)
		for (int i = 0; i < c->count; i++) {
			struct compared_value at = comparison_value_at(c, row, m, i);
			csv_add_number(&line, at.value);
			if (!i)
				continue;
			csv_add_number(&line, (struct reading){at.has_ratio, at.ratio});
			csv_add_text(&line,
				at.verdict == COMPARED_SAME                ? "yes"
					: at.verdict == COMPARED_DIFFERENT ? "no"
									   : "");
		}
	csv_end_line(&line, put_on_stdout, NULL);
}

static void print_side_comment(const char *what, int side, const char *text)
{
	char *name = xasprintf("%s%s%c", what, *what ? " " : "", side_name(side));
	csv_put_comment(name, text, put_on_stdout, NULL);
	free(name);
}

static void print_comparison_comments(const struct session_comparison *c)
{
	struct differences d;
	csv_put_comment("experiment", record_get_experiment(c->sides[0].session->header), put_on_stdout, NULL);
	for (int i = 0; i < c->count; i++)
		print_side_comment("", i, c->sides[i].name);
	differences_make(c, &d);
	for (int i = 0; i < d.count; i++)
		for (int k = 0; k < c->count; k++)
			print_side_comment(d.list[i].what, k, d.list[i].values[k]);
	differences_free(&d);
	for (size_t i = 0; i < c->left_count; i++) {
		char *name = comparison_format_point(c, comparison_excluded_point(c, i)),
		     *text = xasprintf("%s: %s", name, c->left[i].why);
		print_side_comment("left out", c->left[i].side, text);
		free(name);
		free(text);
	}
}

static void print_comparison_csv(const struct session_comparison *c)
{
	print_comparison_comments(c);
	print_comparison_head(c);
	for (size_t k = 0; k < c->row_count; k++)
		print_comparison_row(c, k);
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
	return json_pack("{s:O, s:o}", "params", record_get_params(comparison_first_point(c, row)), "metrics", metrics);
}

static json_t *make_json_sessions(const struct session_comparison *c)
{
	json_t *list = json_array();
	for (int i = 0; i < c->count; i++) {
		const struct session *s = c->sides[i].session;
		const json_t *device = header_get_device(s->header);
		json_array_append_new(list,
			json_pack("{s:o, s:o, s:s, s:s, s:b, s:I}", "name", json_sprintf("%c", side_name(i)), "file",
				json_utf8_string(c->sides[i].name), "device", device_get_id(device), "time",
				record_get_text(s->header, "time"), "deterministic", (int)c->sides[i].deterministic,
				"points", (json_int_t)s->points.count));
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
				"params", record_get_params(comparison_excluded_point(c, i)), "why",
				json_utf8_string(c->left[i].why)));
	return list;
}

static void print_comparison_json(const struct session_comparison *c)
{
	json_t *points = json_array();
	for (size_t k = 0; k < c->row_count; k++)
		json_array_append_new(points, make_json_row(c, k));
	json_t *all = json_pack("{s:s, s:o, s:o, s:o, s:o}", "experiment",
		record_get_experiment(c->sides[0].session->header), "sessions", make_json_sessions(c), "different",
		make_json_differences(c), "points", points, "left_out", make_json_skipped(c));
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

static int count_captures(const struct argument_list *words)
{
	int captures = 0;
	for (int i = 0; i < words->count; i++)
		captures += capture_is_named(words->list[i]);
	return captures;
}

static int compare_two_captures(const struct argument_list *words, enum export_format format)
{
	struct err e = {0};
	bool ok = (words->count == 2 && count_captures(words) == 2) ||
		err_set(&e, ST_REQUEST,
			"compare takes two captures or several sessions; write for example: wavedeck compare before.wbc after.wbc");
	ok = ok && compare_captures(words->list[0], words->list[1], format, &e);
	return ok ? command_finish_output(ST_OK) : command_report_failure(&e);
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
	if (ok && count_captures(&words)) {
		int status = compare_two_captures(&words, format);
		free(words.list);
		return status;
	}
	if (ok && (words.count < 2 || words.count > COMPARE_MAX))
		ok = err_set(&e, ST_REQUEST, "compare needs 2 to %d session files, not %d", COMPARE_MAX, words.count);
	int status = ok ? compare_sessions(words.list, words.count, format) : command_report_failure(&e);
	free(words.list);
	return status;
}
