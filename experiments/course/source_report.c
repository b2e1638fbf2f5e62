#include "experiments/course/source_report.h"

#include <jansson.h>
#include <string.h>

#include "base/text_width.h"
#include "experiments/course/lesson_source.h"
#include "sessions/export/csv_line.h"

/* --- one source --- */
struct source_row {
	const struct lesson *l;
	int step;
	int number;       /* of the source within the step, from 1 */
	const char *kind; /* "" for an answer without a source */
	const char *text;
};

typedef void source_row_writer(void *ctx, const struct source_row *row);

static void write_source_rows(const struct lesson *const *list, int count, source_row_writer *write, void *ctx)
{
	for (int i = 0; i < count; i++)
		for (int step = 1; step <= list[i]->step_count; step++) {
			struct source_row row = {list[i], step, 1, "", ""};
			const struct lesson_block *b = lesson_find_block(list[i], step, LESSON_BASIS, 1);
			do {
				row.kind = b ? lesson_source_name((enum source_kind)b->source) : "";
				row.text = b ? b->text : "";
				write(ctx, &row);
				b = lesson_find_block(list[i], step, LESSON_BASIS, ++row.number);
			} while (b);
		}
}

static const char *row_title(const struct source_row *row)
{
	return lesson_find_step(row->l, row->step)->title;
}

/* --- text --- */
struct source_table {
	FILE *out;
	int width, lesson_width;
};

/* The lesson and the step stand in the first row of the step only. */
static void write_text_source(void *ctx, const struct source_row *row)
{
	const struct source_table *t = ctx;
	char lead[120], indent[120], step[12] = "";
	bool first = row->number == 1;
	if (first)
		snprintf(step, sizeof step, "%d", row->step);
	snprintf(lead, sizeof lead, "%-*s  %4s  %-10s  ", t->lesson_width, first ? row->l->id : "", step,
		*row->kind ? row->kind : "-");
	snprintf(indent, sizeof indent, "%*s", (int)strlen(lead), "");
	text_print_wrapped(t->out, lead, indent, *row->text ? row->text : "no source", t->width);
}

static void write_text_sources(const struct lesson *const *list, int count, int width, FILE *out)
{
	struct source_table t = {out, width, (int)strlen("lesson")};
	for (int i = 0; i < count; i++)
		if ((int)strlen(list[i]->id) > t.lesson_width)
			t.lesson_width = (int)strlen(list[i]->id);
	fprintf(out, "%-*s  step  %-10s  source\n", t.lesson_width, "lesson", "kind");
	write_source_rows(list, count, write_text_source, &t);
}

/* --- CSV --- */
static void put_source_text(void *ctx, const char *text)
{
	fputs(text, ctx);
}

static void write_csv_source(void *ctx, const struct source_row *row)
{
	struct csv_line line = {0};
	csv_add_text(&line, row->l->id);
	csv_add_count(&line, (size_t)row->step);
	csv_add_text(&line, row_title(row));
	csv_add_text(&line, row->kind);
	csv_add_text(&line, row->text);
	csv_end_line(&line, put_source_text, ctx);
	buf_free(&line.text);
}

static void write_csv_sources(const struct lesson *const *list, int count, int width, FILE *out)
{
	(void)width;
	fputs("lesson,step,title,kind,source\n", out);
	write_source_rows(list, count, write_csv_source, out);
}

/* --- JSON --- */
static void add_json_source(void *ctx, const struct source_row *row)
{
	json_array_append_new(ctx,
		json_pack("{s:s,s:i,s:s,s:s,s:s}", "lesson", row->l->id, "step", row->step, "title", row_title(row),
			"kind", row->kind, "source", row->text));
}

static void write_json_sources(const struct lesson *const *list, int count, int width, FILE *out)
{
	(void)width;
	json_t *rows = json_array();
	write_source_rows(list, count, add_json_source, rows);
	json_dumpf(rows, out, JSON_INDENT(1));
	fputc('\n', out);
	json_decref(rows);
}

/* --- Markdown --- */
/* A bar would end the cell. */
static void put_markdown_cell(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '|')
			fputc('\\', out);
		fputc(*text, out);
	}
	fputs(" |", out);
}

static void write_markdown_source(void *ctx, const struct source_row *row)
{
	FILE *out = ctx;
	bool first = row->number == 1;
	if (first)
		fprintf(out, "| %d. ", row->step);
	else
		fputs("|", out);
	put_markdown_cell(out, first ? row_title(row) : "");
	fprintf(out, " %s | ", row->kind);
	put_markdown_cell(out, row->text);
	fputc('\n', out);
}

static void write_markdown_sources(const struct lesson *const *list, int count, int width, FILE *out)
{
	(void)width;
	for (int i = 0; i < count; i++) {
		fprintf(out, "%s## %s\n\n`%s`\n\n| question | kind | source |\n|---|---|---|\n", i ? "\n" : "",
			list[i]->title, list[i]->id);
		write_source_rows(list + i, 1, write_markdown_source, out);
	}
}

static const struct {
	const char *name;
	source_report *write;
} formats[] = {{"text", write_text_sources}, {"csv", write_csv_sources}, {"json", write_json_sources},
	{"markdown", write_markdown_sources}};

source_report *source_report_find(const char *format, struct err *e)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (!strcmp(formats[i].name, format))
			return formats[i].write;
	err_set(e, ST_REQUEST, "unknown format '%.40s'; --sources prints text, csv, json or markdown", format);
	return NULL;
}
