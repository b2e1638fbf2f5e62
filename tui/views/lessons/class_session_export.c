/* The results of a class session as a table, and as a page with the votes and the curve of each question. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/buf.h"
#include "base/printable_text.h"
#include "experiments/analysis/session_extras.h"
#include "plot/chart_svg.h"
#include "sessions/export/csv_line.h"
#include "sessions/export/svg_picture.h"
#include "tui/views/lessons/class_session.h"
#include "gpu/protocol/header_record.h"

static void append_class_text(void *ctx, const char *text)
{
	buf_puts(ctx, text);
}

static void append_csv_choice(struct buf *out, const struct class_result *r, int place)
{
	struct csv_line line = {0};
	char letter[2] = {(char)('a' + place), 0};
	csv_add_text(&line, r->time);
	csv_add_text(&line, r->lesson);
	csv_add_count(&line, (size_t)r->step);
	csv_add_count(&line, (size_t)r->question.round);
	csv_add_text(&line, r->question.text);
	csv_add_text(&line, letter);
	csv_add_text(&line, r->question.choices[place]);
	csv_add_count(&line, place == r->question.right);
	csv_add_count(&line, (size_t)r->counts[place]);
	csv_add_number(
		&line, (struct reading){r->total > 0, r->total ? round(100.0 * r->counts[place] / r->total) : 0});
	csv_end_line(&line, append_class_text, out);
}

/* A lesson's text can come from other people. */
void class_csv_append(struct buf *out, const struct class_session *c, int first)
{
	struct buf rows = {0};
	buf_puts(&rows, first ? "" : "time,lesson,step,round,question,choice,text,right,votes,share_percent\n");
	for (int i = first; i < c->result_count; i++)
		for (int place = 0; place < c->results[i].question.count; place++)
			append_csv_choice(&rows, &c->results[i], place);
	printable_append(out, rows.data, rows.len);
	buf_free(&rows);
}

static void print_class_csv(FILE *out, const void *session)
{
	struct buf b = {0};
	class_csv_append(&b, session, 0);
	fputs(b.data, out);
	buf_free(&b);
}

/* The curve as in the report of a session. */
static void add_html_curve(struct buf *b, const struct class_result *r)
{
	struct session_extras extras;
	struct session_output o = {.header = r->header, .points = &r->points};
	if (!r->header) {
		buf_puts(b, "<p class=\"time\">The curve was not measured.</p>\n");
		return;
	}
	o.extras = session_extras_make(&extras, r->header, &r->points, NULL);
	buf_puts(b, "<figure><div class=\"wide\">\n");
	bool drawn = svg_append_picture(b, &o, false);
	buf_puts(b, "</div><figcaption>");
	svg_append_escaped(b, drawn ? header_get_title(r->header) : "no points were measured");
	buf_puts(b, ", ");
	svg_append_escaped(b, device_get_name(header_get_device(r->header)));
	buf_puts(b, "</figcaption></figure>\n");
	session_extras_free(&extras);
}

/* "12 votes, 60 %" as cells, with a bar. */
static void add_html_share(struct buf *b, const struct class_result *r, int place)
{
	double share = r->total ? 100.0 * r->counts[place] / r->total : 0;
	buf_printf(b, "<td class=\"number\">%d</td><td class=\"number\">%.0f %%</td>", r->counts[place], share);
	buf_printf(b, "<td class=\"bar\"><div style=\"width:%.0f%%\"></div></td>", share);
}

static void add_html_choice(struct buf *b, const struct class_result *first, const struct class_result *r, int place)
{
	const struct vote_question *q = &r->question;
	bool right = place == q->right;
	buf_printf(b, "<tr%s><td>%c) ", right ? " class=\"right\"" : "", 'a' + place);
	svg_append_escaped(b, q->choices[place]);
	buf_puts(b, right ? " &#10003;" : "");
	if (*q->reasons[place]) {
		buf_puts(b, "<div class=\"why\">");
		svg_append_escaped(b, q->reasons[place]);
		buf_puts(b, "</div>");
	}
	buf_puts(b, "</td>");
	if (first)
		add_html_share(b, first, place);
	add_html_share(b, r, place);
	buf_puts(b, "</tr>\n");
}

static void add_html_votes(struct buf *b, const struct class_result *r)
{
	char when[UTC_TEXT];
	buf_printf(b, "%s%s, %d vote%s", r->question.round > 1 ? "second round " : "",
		utc_format_for_people(when, r->time), r->total, r->total == 1 ? "" : "s");
}

/* Both rounds of a question in one table. */
static void add_html_result(struct buf *b, const struct class_session *c, int result)
{
	const struct class_result *r = &c->results[result], *first = class_session_first_round(c, result);
	buf_puts(b, "<h2>");
	svg_append_escaped(b, r->title);
	buf_puts(b, "</h2>\n<p>");
	svg_append_escaped(b, r->question.text);
	buf_puts(b, "</p>\n<p class=\"time\">");
	if (first) {
		add_html_votes(b, first);
		buf_puts(b, "; ");
	}
	add_html_votes(b, r);
	buf_puts(b, "</p>\n<table>\n");
	if (first)
		buf_puts(b,
			"<tr><th></th><th colspan=\"2\">first round</th><th class=\"bar\"></th>"
			"<th colspan=\"2\">second round</th><th class=\"bar\"></th></tr>\n");
	for (int place = 0; place < r->question.count; place++)
		add_html_choice(b, first, r, place);
	buf_puts(b, "</table>\n");
	add_html_curve(b, r);
}

static void print_class_html(FILE *out, const void *session)
{
	const struct class_session *c = session;
	struct buf b = {0};
	buf_puts(&b,
		"<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
		"content=\"width=device-width, initial-scale=1\"><title>Class session</title>\n<style>"
		"body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#111}"
		"table{border-collapse:collapse;width:100%}td{padding:.3rem .6rem;border-bottom:1px solid #ccc}"
		"th{font-weight:400;color:#555}.number{text-align:right;white-space:nowrap}.bar{width:15%;min-width:4rem}"
		".why{font-weight:400;color:#555;font-size:.9em}"
		".bar div{background:#8a97a8;height:1rem}.right .bar div{background:#1a7f37}.right{font-weight:600}"
		"@media(max-width:36rem){.bar{display:none}}"
		".time,figcaption{color:#555}figure{margin:1rem 0 2rem}.wide{overflow-x:auto}"
		"figure svg{display:block;width:100%;min-width:36rem;height:auto}</style></head><body>\n<h1>Class session</h1>\n");
	for (int i = 0; i < c->result_count; i++)
		if (!class_session_has_second_round(c, i))
			add_html_result(&b, c, i);
	buf_puts(&b, "</body></html>\n");
	struct buf printable = {0};
	printable_append(&printable, b.data, b.len);
	fputs(printable.data, out);
	buf_free(&printable);
	buf_free(&b);
}

bool class_session_export(const struct class_session *c, const char *path, struct err *e)
{
	const char *dot = strrchr(path, '.');
	bool csv = dot && !strcmp(dot, ".csv"), html = dot && !strcmp(dot, ".html");
	if (!csv && !html)
		return err_set(e, ST_REQUEST, "the file's name must end with .csv or .html");
	if (!c->result_count)
		return err_set(e, ST_REQUEST, "no vote has ended yet");
	return file_write_atomic(path, csv ? print_class_csv : print_class_html, c, "", e);
}
