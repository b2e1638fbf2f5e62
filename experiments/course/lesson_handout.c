#include "experiments/course/lesson_handout.h"

#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/buf.h"
#include "base/printable_text.h"
#include "experiments/course/lesson_source.h"
#include "experiments/course/lesson_text.h"
#include "plot/chart_svg.h"

enum { TEXT_COLUMNS = 80 };

struct handout {
	const struct lesson *l;
	bool answers;
	struct buf *out;
};

/* --- text --- */
/* `code` in the font of code. */
static void put_marked(const struct handout *h, const char *text)
{
	bool code = false;
	for (size_t n;; text += n + 1, code = !code) {
		n = strcspn(text, "`");
		char *part = xasprintf("%.*s", (int)n, text);
		svg_append_escaped(h->out, part);
		free(part);
		if (!text[n])
			break;
		buf_puts(h->out, code ? "</code>" : "<code>");
	}
	if (code)
		buf_puts(h->out, "</code>");
}

static void put_element(const struct handout *h, const char *name, const char *text)
{
	buf_printf(h->out, "<%s>", name);
	put_marked(h, text);
	buf_printf(h->out, "</%.*s>\n", (int)strcspn(name, " "), name);
}

static void put_table_row(const struct handout *h, const struct lesson_block *b)
{
	char *copy = xstrdup(b->text);
	buf_puts(h->out, "<tr>");
	for (char *cell = copy, *next; cell; cell = next) {
		next = strchr(cell, '\t');
		if (next)
			*next++ = 0;
		put_element(h, b->number ? "td" : "th", cell);
	}
	buf_puts(h->out, "</tr>\n");
	free(copy);
}

/* The element around blocks of one kind; "" for those that stand alone. */
static const char *group_name(const struct lesson_block *b)
{
	switch (b->kind) {
	case LESSON_ITEM: return b->number ? "ol" : "ul";
	case LESSON_BASIS: return "ul class=\"source\"";
	case LESSON_ROW: return "table";
	default: return "";
	}
}

static void put_source(const struct handout *h, const struct lesson_block *b)
{
	char *text = lesson_source_format(b);
	put_element(h, "li", text);
	free(text);
}

static void put_block(const struct handout *h, const struct lesson_block *b)
{
	switch (b->kind) {
	case LESSON_PARAGRAPH: put_element(h, "p", b->text); break;
	case LESSON_ASK: put_element(h, "p class=\"question\"", b->text); break;
	case LESSON_ITEM: put_element(h, "li", b->text); break;
	case LESSON_BASIS: put_source(h, b); break;
	case LESSON_ROW: put_table_row(h, b); break;
	case LESSON_CODE:
		buf_puts(h->out, "<pre>");
		svg_append_escaped(h->out, b->text);
		buf_puts(h->out, "</pre>\n");
		break;
	case LESSON_COMMAND:
		buf_puts(h->out, "<pre>wavedeck ");
		svg_append_escaped(h->out, b->text);
		buf_puts(h->out, "</pre>\n");
		break;
	case LESSON_CHOICE:
	case LESSON_FEEDBACK: break; /* with the question: put_choices */
	}
}

static void end_group(const struct handout *h, const char *group)
{
	buf_printf(h->out, "</%.*s>\n", (int)strcspn(group, " "), group);
}

static void put_part(const struct handout *h, enum lesson_part part, int step)
{
	const char *group = "";
	for (int i = 0; i < h->l->block_count; i++) {
		const struct lesson_block *b = &h->l->blocks[i];
		if (b->part != part || b->step != step)
			continue;
		if (strcmp(group, group_name(b)) || (b->kind == LESSON_ROW && !b->number)) {
			if (*group)
				end_group(h, group);
			group = group_name(b);
			if (*group)
				buf_printf(h->out, "<%s>\n", group);
		}
		put_block(h, b);
	}
	if (*group)
		end_group(h, group);
}

static void put_named_part(const struct handout *h, enum lesson_part part)
{
	if (!lesson_has_part(h->l, part))
		return;
	put_element(h, "h2", lesson_part_name(part));
	put_part(h, part, 0);
}

/* --- a step --- */
static void put_choices(const struct handout *h, int step)
{
	int order[LESSON_CHOICES_MAX];
	lesson_order_choices(h->l, step, 0, order);
	buf_puts(h->out, "<ul class=\"choices\">\n");
	for (int place = 0; place < lesson_find_step(h->l, step)->choice_count; place++) {
		const struct lesson_block *b = lesson_find_block(h->l, step, LESSON_CHOICE, order[place]);
		bool right = h->answers && b->right;
		buf_printf(h->out, "<li%s><span class=\"box\">%s</span> %c) ", right ? " class=\"right\"" : "",
			right ? "&#9745;" : "&#9744;", 'a' + place);
		put_marked(h, b->text);
		const struct lesson_block *why = lesson_find_block(h->l, step, LESSON_FEEDBACK, order[place]);
		if (h->answers && why) {
			buf_puts(h->out, "<div class=\"why\">");
			put_marked(h, why->text);
			buf_puts(h->out, "</div>");
		}
		buf_puts(h->out, "</li>\n");
	}
	buf_puts(h->out, "</ul>\n");
}

/* Empty axes, and lines for the reason. */
static void put_own_answer(const struct handout *h, const struct lesson_step *s)
{
	buf_puts(h->out,
		"<div class=\"own\"><svg viewBox=\"0 0 360 180\" role=\"img\" aria-label=\"axes for your curve\">"
		"<path d=\"M30 10V150H350\" fill=\"none\" stroke=\"#000\"/><text x=\"36\" y=\"20\">");
	svg_append_escaped(h->out, s->metric);
	buf_puts(h->out, "</text><text x=\"350\" y=\"170\" text-anchor=\"end\">");
	svg_append_escaped(h->out, s->x);
	buf_puts(h->out, "</text></svg><div class=\"lines\"><p>Your reason:</p><hr><hr><hr><hr></div></div>\n");
}

static void put_answer(const struct handout *h, int step)
{
	put_part(h, LESSON_REVEAL, step);
	if (lesson_count_sources(h->l, step))
		put_element(h, "p class=\"source\"", "Source:");
	put_part(h, LESSON_SOURCE, step);
}

static void put_step(const struct handout *h, int step)
{
	const struct lesson_step *s = lesson_find_step(h->l, step);
	buf_puts(h->out, "<section>\n<h2>");
	buf_printf(h->out, "%d. ", step);
	put_marked(h, s->title);
	buf_puts(h->out, "</h2>\n");
	put_part(h, LESSON_QUESTION, step);
	put_choices(h, step);
	if (h->answers)
		put_answer(h, step);
	else
		put_own_answer(h, s);
	buf_puts(h->out, "<p class=\"command\">Measure it: <code>wavedeck ");
	svg_append_escaped(h->out, s->command);
	buf_puts(h->out, "</code></p>\n</section>\n");
}

/* --- the page --- */
static const char handout_style[] =
	"body{font:16px/1.5 Georgia,serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#000;background:#fff}"
	"h1,h2{font-family:system-ui,sans-serif;line-height:1.2}h2{font-size:1.2rem;margin-top:2rem}"
	"code,pre{font-family:ui-monospace,monospace;font-size:.9em}pre{white-space:pre-wrap;margin-left:1rem}"
	"table{border-collapse:collapse;margin:1rem 0}td,th{border:1px solid #999;padding:.2rem .6rem;text-align:left}"
	".question{font-weight:600}.choices{list-style:none;padding-left:.5rem}.choices li{margin:.4rem 0}"
	".right{font-weight:600}.source{font-size:.9em;color:#333}.why{font-weight:400;color:#333;margin-left:1.5rem}.command{color:#333}"
	".own{display:flex;gap:1.5rem}.own svg{flex:1;min-width:0;font:12px system-ui,sans-serif}.lines{flex:1}"
	"hr{border:0;border-bottom:1px solid #999;margin:1.6rem 0}.name{text-align:right}"
	"@media print{body{margin:0;font-size:11pt}section,.choices,.own,table{break-inside:avoid}h2{break-after:avoid}}"
	"@page{margin:2cm}";

static void put_handout(const struct handout *h)
{
	buf_puts(h->out,
		"<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
		"content=\"width=device-width, initial-scale=1\"><title>");
	svg_append_escaped(h->out, h->l->title);
	buf_printf(h->out, "</title>\n<style>%s</style></head><body>\n", handout_style);
	if (!h->answers)
		buf_puts(h->out, "<p class=\"name\">Name: ______________________</p>\n");
	put_element(h, "h1", h->l->title);
	put_part(h, LESSON_INTRODUCTION, 0);
	put_named_part(h, LESSON_WORDS);
	for (int step = 1; step <= h->l->step_count; step++)
		put_step(h, step);
	if (h->answers)
		put_named_part(h, LESSON_OTHERS);
	put_named_part(h, LESSON_EXERCISES);
	if (h->answers)
		put_named_part(h, LESSON_ANSWERS);
	buf_puts(h->out, "</body></html>\n");
}

static void print_printable(FILE *out, const char *text, size_t len)
{
	struct buf printable = {0};
	printable_append(&printable, text, len);
	fputs(printable.data, out);
	buf_free(&printable);
}

static void print_handout_html(FILE *out, const void *handout)
{
	struct handout h = *(const struct handout *)handout;
	struct buf b = {0};
	h.out = &b;
	put_handout(&h);
	print_printable(out, b.data, b.len);
	buf_free(&b);
}

static void print_handout_text(FILE *out, const void *handout)
{
	const struct handout *h = handout;
	char *text = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len);
	if (!memory)
		return;
	lesson_text_write(memory, h->l, h->answers, TEXT_COLUMNS);
	if (!fclose(memory))
		print_printable(out, text, len);
	free(text);
}

bool lesson_handout_save(const char *path, const struct lesson *l, bool answers, struct err *e)
{
	const struct handout h = {l, answers, NULL};
	const char *dot = strrchr(path, '.');
	bool html = dot && !strcmp(dot, ".html"), text = dot && !strcmp(dot, ".txt");
	if (!html && !text)
		return err_set(e, ST_REQUEST, "the handout's file name must end with .html or .txt");
	return file_write_atomic(path, html ? print_handout_html : print_handout_text, &h, "", e);
}
