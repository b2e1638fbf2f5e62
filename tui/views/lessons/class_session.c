#include "tui/views/lessons/class_session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "plot/chart_svg.h"
#include "sessions/export/csv_line.h"

/* --- votes --- */
static void copy_without_backticks(char *out, size_t size, const char *text)
{
	size_t n = 0;
	for (; *text && n + 1 < size; text++)
		if (*text != '`')
			out[n++] = *text;
	out[n] = 0;
}

static void fill_vote_question(struct vote_question *q, const struct lesson *l, int step, const int *order)
{
	*q = (struct vote_question){.count = lesson_find_step(l, step)->choice_count};
	copy_without_backticks(q->text, sizeof q->text, lesson_find_block(l, step, LESSON_ASK, 0)->text);
	for (int place = 0; place < q->count; place++)
		copy_without_backticks(q->choices[place], sizeof q->choices[place],
			lesson_find_block(l, step, LESSON_CHOICE, order[place])->text);
}

void class_session_ask(struct class_session *c, const struct lesson *l, int step, const int *order)
{
	struct vote_question q;
	if (!c->server)
		return;
	fill_vote_question(&q, l, step, order);
	vote_server_ask(c->server, &q);
}

int class_session_count(const struct class_session *c, int counts[LESSON_CHOICES_MAX])
{
	memset(counts, 0, LESSON_CHOICES_MAX * sizeof *counts);
	return c->server ? vote_server_count(c->server, counts) : 0;
}

void class_session_keep(struct class_session *c, const struct lesson *l, int step, const int *order, const int *counts)
{
	if (c->server)
		vote_server_end_vote(c->server);
	c->results = xrealloc(c->results, (size_t)(c->result_count + 1) * sizeof *c->results);
	struct class_result *r = &c->results[c->result_count++];
	*r = (struct class_result){.step = step};
	now_utc(r->time);
	snprintf(r->lesson, sizeof r->lesson, "%s", l->id);
	snprintf(r->title, sizeof r->title, "%s: %s", l->title, lesson_find_step(l, step)->title);
	fill_vote_question(&r->question, l, step, order);
	for (int place = 0; place < r->question.count; place++) {
		r->counts[place] = counts[place];
		r->total += counts[place];
		if (order[place] == lesson_right_choice(l, step))
			r->right = place;
	}
}

/* --- the page for phones --- */
bool class_session_start_server(struct class_session *c, const char *where, struct err *e)
{
	class_session_stop_server(c);
	c->server = vote_server_start(where, e);
	if (c->server)
		qr_code_make(&c->code, vote_server_url(c->server));
	return c->server != NULL;
}

void class_session_stop_server(struct class_session *c)
{
	vote_server_stop(c->server);
	c->server = NULL;
	c->code.side = 0;
}

void class_session_free(struct class_session *c)
{
	class_session_stop_server(c);
	free(c->results);
}

/* --- export --- */
static void put_class_text(void *ctx, const char *text)
{
	fputs(text, ctx);
}

/* A row for each choice of each vote. */
static void print_class_csv(FILE *out, const void *session)
{
	const struct class_session *c = session;
	struct csv_line line = {0};
	fputs("time,lesson,step,question,choice,text,right,votes,share_percent\n", out);
	for (int i = 0; i < c->result_count; i++)
		for (int place = 0; place < c->results[i].question.count; place++) {
			const struct class_result *r = &c->results[i];
			char letter[2] = {(char)('a' + place), 0};
			csv_add_text(&line, r->time);
			csv_add_text(&line, r->lesson);
			csv_add_count(&line, (size_t)r->step);
			csv_add_text(&line, r->question.text);
			csv_add_text(&line, letter);
			csv_add_text(&line, r->question.choices[place]);
			csv_add_count(&line, place == r->right);
			csv_add_count(&line, (size_t)r->counts[place]);
			csv_add_number(&line,
				(struct reading){
					r->total > 0, r->total ? round(100.0 * r->counts[place] / r->total) : 0});
			csv_end_line(&line, put_class_text, out);
		}
	buf_free(&line.text);
}

static void add_html_result(struct buf *b, const struct class_result *r)
{
	buf_puts(b, "<h2>");
	svg_append_escaped(b, r->title);
	buf_puts(b, "</h2>\n<p>");
	svg_append_escaped(b, r->question.text);
	buf_printf(
		b, "</p>\n<p class=\"time\">%s, %d vote%s</p>\n<table>\n", r->time, r->total, r->total == 1 ? "" : "s");
	for (int place = 0; place < r->question.count; place++) {
		double share = r->total ? 100.0 * r->counts[place] / r->total : 0;
		bool right = place == r->right;
		buf_printf(b, "<tr%s><td>%c) ", right ? " class=\"right\"" : "", 'a' + place);
		svg_append_escaped(b, r->question.choices[place]);
		buf_printf(b, "%s</td><td>%d</td><td>%.0f %%</td>", right ? " &#10003;" : "", r->counts[place], share);
		buf_printf(b, "<td class=\"bar\"><div style=\"width:%.0f%%\"></div></td></tr>\n", share);
	}
	buf_puts(b, "</table>\n");
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
		"td:nth-child(2),td:nth-child(3){text-align:right;white-space:nowrap}.bar{width:30%}"
		".bar div{background:#8a97a8;height:1rem}.right .bar div{background:#1a7f37}.right{font-weight:600}"
		".time{color:#555}</style></head><body>\n<h1>Class session</h1>\n");
	for (int i = 0; i < c->result_count; i++)
		add_html_result(&b, &c->results[i]);
	buf_puts(&b, "</body></html>\n");
	fputs(b.data, out);
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
