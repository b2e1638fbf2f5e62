#include "experiments/course/lesson_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_width.h"
#include "experiments/course/lesson_source.h"

struct lesson_printout {
	FILE *out;
	const struct lesson *l;
	int width;
};

static void print_indented_lines(FILE *out, const char *indent, const char *lines)
{
	for (size_t len; *lines; lines += len + (lines[len] == '\n')) {
		len = strcspn(lines, "\n");
		fprintf(out, "%s%.*s\n", indent, (int)len, lines);
	}
}

static void print_table_row(const struct lesson_printout *p, const struct lesson_block *b)
{
	const char *text = b->text;
	for (int column = 0;; column++, text++) {
		size_t len = strcspn(text, "\t");
		fprintf(p->out, "  %.*s%*s", (int)len, text,
			text[len] ? lesson_column_width(p->l, b, column) - lesson_cell_length(text) : 0, "");
		text += len;
		if (!*text)
			break;
	}
	fputc('\n', p->out);
}

static void print_source(const struct lesson_printout *p, const struct lesson_block *b)
{
	char *text = lesson_source_format(b);
	text_print_wrapped(p->out, "  -  ", "     ", text, p->width);
	free(text);
}

/* A block of a list or table, by its kind; choices are printed together (print_choices). */
static void print_lesson_block(const struct lesson_printout *p, const struct lesson_block *b)
{
	char lead[24];
	switch (b->kind) {
	case LESSON_PARAGRAPH:
	case LESSON_ASK:
		text_print_wrapped(p->out, "", "", b->text, p->width);
		fputc('\n', p->out);
		break;
	case LESSON_ITEM:
		snprintf(lead, sizeof lead, b->number ? "%3d. " : "  -  ", b->number);
		text_print_wrapped(p->out, lead, "     ", b->text, p->width);
		break;
	case LESSON_BASIS: print_source(p, b); break;
	case LESSON_COMMAND: fprintf(p->out, "    wavedeck %s\n", b->text); break;
	case LESSON_CODE: print_indented_lines(p->out, "    ", b->text); break;
	case LESSON_ROW: print_table_row(p, b); break;
	case LESSON_CHOICE:
	case LESSON_FEEDBACK: break;
	}
	bool listed = b->kind == LESSON_ITEM || b->kind == LESSON_BASIS || b->kind == LESSON_COMMAND ||
		b->kind == LESSON_CODE || b->kind == LESSON_ROW;
	if (listed && (b + 1 == p->l->blocks + p->l->block_count || b[1].kind != b->kind || b[1].part != b->part))
		fputc('\n', p->out);
}

static void print_lesson_part(const struct lesson_printout *p, enum lesson_part part, int step)
{
	const struct lesson *l = p->l;
	if (*lesson_part_name(part) && part != LESSON_INTRODUCTION && lesson_has_part(l, part))
		fprintf(p->out, "== %s\n\n", lesson_part_name(part));
	for (int i = 0; i < l->block_count; i++)
		if (l->blocks[i].part == part && l->blocks[i].step == step)
			print_lesson_block(p, &l->blocks[i]);
}

static void print_choices(const struct lesson_printout *p, int step, const int *order)
{
	char lead[24];
	for (int place = 0; place < lesson_find_step(p->l, step)->choice_count; place++) {
		snprintf(lead, sizeof lead, "  %c) ", 'a' + place);
		text_print_wrapped(p->out, lead, "     ",
			lesson_find_block(p->l, step, LESSON_CHOICE, order[place])->text, p->width);
	}
	fprintf(p->out, "\n  step %d   wavedeck %s\n\n", step, lesson_find_step(p->l, step)->command);
}

/* The right choice, and why the others are wrong. */
static void print_answer(const struct lesson_printout *p, int step, const int *order)
{
	char lead[40];
	for (int right = 1; right >= 0; right--)
		for (int place = 0; place < lesson_find_step(p->l, step)->choice_count; place++) {
			const struct lesson_block *b = lesson_find_block(p->l, step, LESSON_CHOICE, order[place]),
						  *why = lesson_find_block(p->l, step, LESSON_FEEDBACK, order[place]);
			if (b->right != right)
				continue;
			snprintf(lead, sizeof lead, right ? "Answer: %c) " : "Not %c: ", 'a' + place);
			text_print_wrapped(p->out, lead, "", right ? b->text : why->text, p->width);
		}
	fputc('\n', p->out);
}

static void print_step(const struct lesson_printout *p, int step, bool answers)
{
	int order[LESSON_CHOICES_MAX];
	lesson_order_choices(p->l, step, 0, order);
	fprintf(p->out, "== Step %d: %s\n\n", step, lesson_find_step(p->l, step)->title);
	print_lesson_part(p, LESSON_QUESTION, step);
	print_choices(p, step, order);
	if (!answers)
		return;
	print_answer(p, step, order);
	print_lesson_part(p, LESSON_REVEAL, step);
	if (lesson_count_sources(p->l, step))
		fprintf(p->out, "Source:\n\n");
	print_lesson_part(p, LESSON_SOURCE, step);
}

void lesson_text_write(FILE *out, const struct lesson *l, bool answers, int width)
{
	const struct lesson_printout p = {out, l, width};
	fprintf(out, "%s\n\n", l->title);
	print_lesson_part(&p, LESSON_INTRODUCTION, 0);
	print_lesson_part(&p, LESSON_WORDS, 0);
	for (int step = 1; step <= l->step_count; step++)
		print_step(&p, step, answers);
	if (answers)
		print_lesson_part(&p, LESSON_OTHERS, 0);
	print_lesson_part(&p, LESSON_EXERCISES, 0);
	if (answers)
		print_lesson_part(&p, LESSON_ANSWERS, 0);
}
