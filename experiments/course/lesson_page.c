/* lesson_load: reads a lesson's file and checks that nothing is missing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "experiments/course/lesson.h"
#include "experiments/course/lesson_fact.h"
#include "experiments/course/lesson_markdown.h"
#include "experiments/course/lesson_source.h"

enum { LESSON_FILE_MAX = 1 << 20 };

struct page {
	struct lesson *l;
	enum lesson_part part;
	int choices, commands;  /* of the step so far */
	int line;               /* currently being read */
	char metric[64], x[64]; /* named by the links of the current paragraph; "" if not */
	char metric_words[100], x_words[100];
	struct err *e; /* the first error */
	bool bad;
};

static void report_mistake(struct page *p, const char *text)
{
	if (!p->bad)
		err_set(p->e, ST_REQUEST, "%s.md:%d: %s", p->l->id, p->line, text);
	p->bad = true;
}

static struct lesson_step *current_step(struct page *p)
{
	return p->part >= LESSON_QUESTION && p->part <= LESSON_SOURCE ? &p->l->steps[p->l->step_count - 1] : NULL;
}

/* --- headings --- */
static void report_step_mistake(struct page *p, const char *what)
{
	char why[240];
	snprintf(why, sizeof why, "step '%.60s' %s", p->l->steps[p->l->step_count - 1].title, what);
	report_mistake(p, why);
}

/* The choice that is wrong decides the line: the second ticked one, the seventh, or one without its reason. NULL: all
 * are right, or the step as a whole lacks one. */
static const struct lesson_block *find_wrong_choice(const struct page *p, bool *unexplained)
{
	int right = 0;
	for (int i = 1; i <= p->choices; i++) {
		const struct lesson_block *b = lesson_find_block(p->l, p->l->step_count, LESSON_CHOICE, i);
		right += b->right;
		*unexplained = !b->right && !lesson_find_block(p->l, p->l->step_count, LESSON_FEEDBACK, i);
		if (*unexplained || i > LESSON_CHOICES_MAX || (b->right && right > 1))
			return b;
	}
	return NULL;
}

static void check_choices(struct page *p)
{
	bool unexplained = false, ticked = lesson_right_choice(p->l, p->l->step_count);
	const struct lesson_block *wrong = ticked ? find_wrong_choice(p, &unexplained) : NULL;
	int line = p->line;
	if (wrong)
		p->line = wrong->line;
	if (unexplained)
		report_step_mistake(p, "needs a line '  > why it is wrong' below each wrong choice");
	else if (wrong || !ticked || p->choices < 2)
		report_step_mistake(
			p, "needs two to six choices, exactly one of them ticked: '- [ ] text' and '- [x] text'");
	p->line = line;
}

/* What a step lacks is reported at the line where it ends. */
static void end_step(struct page *p)
{
	const struct lesson_step *s = current_step(p);
	if (!s)
		return;
	if (!s->metric)
		report_step_mistake(p,
			"has no question; write one with two links: '[latency](metric:latency) over [stride](x:stride)?'");
	if (!s->command)
		report_step_mistake(p, "has no curve; add a code block that starts with ```wavedeck and has one 'run'");
	check_choices(p);
	if (p->part == LESSON_QUESTION)
		report_step_mistake(p, "has no '### Answer'");
	if (p->part == LESSON_SOURCE && !lesson_count_sources(p->l, p->l->step_count))
		report_step_mistake(p, "has nothing below '### Source'");
}

static void begin_step(struct page *p, const char *title)
{
	struct lesson *l = p->l;
	l->steps = xrealloc(l->steps, (size_t)(l->step_count + 1) * sizeof *l->steps);
	l->steps[l->step_count++] = (struct lesson_step){.title = xstrdup(title)};
	p->part = LESSON_QUESTION;
	p->choices = p->commands = 0;
}

static void begin_section(struct page *p, const char *title)
{
	static const enum lesson_part sections[] = {LESSON_WORDS, LESSON_OTHERS, LESSON_EXERCISES, LESSON_ANSWERS};
	char why[160];
	end_step(p);
	enum lesson_part to = LESSON_QUESTION;
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
		if (!strcmp(title, lesson_part_name(sections[i])))
			to = sections[i];
	bool late = p->part > LESSON_SOURCE && to == LESSON_QUESTION;
	if (to != LESSON_QUESTION ? to <= p->part : late) {
		snprintf(why, sizeof why, "unexpected section '%.40s' after '%s'", title, lesson_part_name(p->part));
		report_mistake(p, why);
	} else if (to == LESSON_QUESTION)
		begin_step(p, title);
	else
		p->part = to;
}

static void handle_heading(void *ctx, int level, const char *text)
{
	struct page *p = ctx;
	if (level == 1 && p->l->title)
		report_mistake(p, "second title; a lesson has only one");
	else if (level == 1)
		p->l->title = xstrdup(text);
	else if (level == 2)
		begin_section(p, text);
	else if (level == 3 && !strcmp(text, "Answer") && p->part == LESSON_QUESTION)
		p->part = LESSON_REVEAL;
	else if (level == 3 && !strcmp(text, "Source") && p->part == LESSON_REVEAL)
		p->part = LESSON_SOURCE;
	else
		report_mistake(p,
			"unexpected heading; below a step, only '### Answer' is allowed, and '### Source' behind it");
}

/* --- blocks --- */
static void add_block(struct page *p, enum lesson_kind kind, int number, bool right, const char *text)
{
	struct lesson *l = p->l;
	l->blocks = xrealloc(l->blocks, (size_t)(l->block_count + 1) * sizeof *l->blocks);
	l->blocks[l->block_count++] = (struct lesson_block){
		p->part, kind, current_step(p) ? l->step_count : 0, number, right, p->line, 0, xstrdup(text)};
}

/* In the question, the command that measures its curve; in the answer, further commands. */
static void add_commands(struct page *p, const char *lines)
{
	struct lesson_step *s = current_step(p);
	char *copy = xstrdup(lines);
	for (char *save = NULL, *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (p->part == LESSON_REVEAL)
			add_block(p, LESSON_COMMAND, ++p->commands, false, line);
		else if (!s || s->command || strncmp(line, "run ", 4))
			report_mistake(
				p, "a step has one 'run' before its answer; put further commands into the answer");
		else
			s->command = xstrdup(line);
	}
	free(copy);
}

static void add_question(struct page *p, const char *text)
{
	struct lesson_step *s = current_step(p);
	if (!*p->metric || !*p->x)
		report_mistake(p, "a question has two links: '[latency](metric:latency) over [stride](x:stride)?'");
	else if (s->metric)
		report_mistake(p, "second question; a step has only one");
	else {
		s->metric = xstrdup(p->metric);
		s->x = xstrdup(p->x);
		s->metric_words = xstrdup(p->metric_words);
		s->x_words = xstrdup(p->x_words);
		add_block(p, LESSON_ASK, 0, false, text);
	}
	*p->metric = *p->x = 0;
}

static void add_choice(struct page *p, bool right, const char *text)
{
	if (p->part != LESSON_QUESTION)
		report_mistake(p, "choices belong to the question of a step");
	add_block(p, LESSON_CHOICE, ++p->choices, right, text);
	if (current_step(p))
		current_step(p)->choice_count = p->choices;
}

/* "board: what was measured, and where". */
static void add_source(struct page *p, enum lesson_kind kind, const char *text)
{
	enum source_kind source;
	const char *rest;
	char why[240];
	if (kind == LESSON_ITEM && lesson_source_read(text, &source, &rest)) {
		add_block(p, LESSON_BASIS, lesson_count_sources(p->l, p->l->step_count) + 1, false, rest);
		p->l->blocks[p->l->block_count - 1].source = (int)source;
		return;
	}
	snprintf(why, sizeof why, "unknown source '%.40s'; write a list of '- KIND: TEXT', where KIND is %s", text,
		lesson_source_names());
	report_mistake(p, why);
}

static void handle_block(void *ctx, enum lesson_kind kind, int number, bool right, const char *text, const char *info)
{
	struct page *p = ctx;
	if (p->part == LESSON_INTRODUCTION && !p->l->title)
		report_mistake(p, "text before the title");
	else if (p->part == LESSON_SOURCE)
		add_source(p, kind, text);
	else if (kind == LESSON_CODE && !strcmp(info, "wavedeck"))
		add_commands(p, text);
	else if (kind == LESSON_CHOICE)
		add_choice(p, right, text);
	else if (kind == LESSON_FEEDBACK)
		add_block(p, kind, p->choices, false, text);
	else if (p->part == LESSON_QUESTION && (*p->metric || *p->x))
		add_question(p, text);
	else
		add_block(p, kind, number, false, text);
}

/* "the number of blocks": as the title of an axis without the article, and without marks of code. */
static void copy_axis_words(const char *words, char *out, size_t size)
{
	size_t n = 0;
	words += strncasecmp(words, "the ", 4) ? 0 : 4;
	for (; *words && n + 1 < size; words++)
		if (*words != '`')
			out[n++] = *words;
	out[n] = 0;
}

static void handle_link(void *ctx, const char *target, const char *words)
{
	struct page *p = ctx;
	if (!strncmp(target, "metric:", 7) && p->part == LESSON_QUESTION) {
		snprintf(p->metric, sizeof p->metric, "%s", target + 7);
		copy_axis_words(words, p->metric_words, sizeof p->metric_words);
	} else if (!strncmp(target, "x:", 2) && p->part == LESSON_QUESTION) {
		snprintf(p->x, sizeof p->x, "%s", target + 2);
		copy_axis_words(words, p->x_words, sizeof p->x_words);
	}
}

static void handle_html(void *ctx, const char *text)
{
	struct page *p = ctx;
	char why[200];
	if (!lesson_facts_read(p->l, p->part, text, why, sizeof why))
		report_mistake(p, why);
}

/* --- checks --- */
static int count_items(const struct lesson *l, enum lesson_part part)
{
	int n = 0;
	for (int i = 0; i < l->block_count; i++)
		n += l->blocks[i].part == part && l->blocks[i].kind == LESSON_ITEM && l->blocks[i].number > 0;
	return n;
}

static void check_page_complete(struct page *p)
{
	struct lesson *l = p->l;
	char why[200];
	end_step(p);
	if (!l->title)
		report_mistake(p, "missing title; write '# Title' first");
	if (!l->step_count)
		report_mistake(p, "a lesson needs at least one step: '## Title', a question, choices, '### Answer'");
	if (count_items(l, LESSON_EXERCISES) != count_items(l, LESSON_ANSWERS) ||
		lesson_count_exercises(l) != count_items(l, LESSON_EXERCISES))
		report_mistake(p, "'Exercises' and 'Answers' must be ordered lists of the same length");
	if (!lesson_facts_resolve(l, why, sizeof why))
		report_mistake(p, why);
}

/* --- files --- */
static bool read_lesson_file(const char *path, struct buf *out, struct err *e)
{
	const char *why;
	buf_add(out, "", 0);
	return input_file_read(path, LESSON_FILE_MAX, out, &why) ||
		err_set(e, ST_REQUEST, "cannot read the lesson %s: %s", path, why);
}

static void set_lesson_id(struct lesson *l, const char *path)
{
	const char *name = path_basename(path), *dot = strstr(name, ".md");
	snprintf(l->id, sizeof l->id, "%.*s", dot ? (int)(dot - name) : 63, name);
}

struct lesson *lesson_load(const char *path, struct err *e)
{
	struct buf text = {0};
	if (!read_lesson_file(path, &text, e)) {
		buf_free(&text);
		return NULL;
	}
	struct page p = {.l = xcalloc(1, sizeof *p.l), .line = 1, .e = e};
	const struct markdown m = {&p, handle_heading, handle_block, handle_link, handle_html, &p.line};
	set_lesson_id(p.l, path);
	if (!markdown_read(text.data, text.len, &m))
		report_mistake(&p, "cannot be parsed as Markdown");
	buf_free(&text);
	check_page_complete(&p);
	if (!p.bad)
		return p.l;
	lesson_free(p.l);
	return NULL;
}
