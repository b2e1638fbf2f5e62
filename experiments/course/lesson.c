#include "experiments/course/lesson.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "experiments/course/lesson_fact.h"
#include "experiments/course/lesson_markdown.h"

static const char *const part_titles[LESSON_PARTS] = {
	[LESSON_QUESTION] = "Question",
	[LESSON_PREDICT] = "Predict",
	[LESSON_RUN] = "Run",
	[LESSON_CURVE] = "What the curve shows",
	[LESSON_WHY] = "Why",
	[LESSON_OTHERS] = "On other GPUs",
	[LESSON_EXERCISES] = "Exercises",
	[LESSON_ANSWERS] = "Answers",
};

const char *lesson_part_name(enum lesson_part part)
{
	return part_titles[part];
}

/* --- reading a page --- */
struct page {
	struct lesson *l;
	int part; /* -1 before the first section */
	int choices;
	int line;      /* currently being read */
	struct err *e; /* the first error */
	bool bad;
};

static void report_mistake(struct page *p, const char *text)
{
	if (!p->bad)
		err_set(p->e, ST_REQUEST, "%s.md:%d: %s", p->l->id, p->line, text);
	p->bad = true;
}

static void handle_heading(void *ctx, int level, const char *text)
{
	struct page *p = ctx;
	char why[160];
	if (level == 1) {
		if (p->l->title)
			report_mistake(p, "second title; a lesson has only one");
		else
			p->l->title = xstrdup(text);
		return;
	}
	if (level > 2)
		return report_mistake(p, "headings below sections are not allowed; use a paragraph instead");
	if (++p->part < LESSON_PARTS && !strcmp(text, part_titles[p->part]))
		return;
	snprintf(why, sizeof why, "unexpected section '%.40s'; expected %s%s%s here", text,
		p->part < LESSON_PARTS ? "'" : "",
		p->part < LESSON_PARTS ? part_titles[p->part] : "the end of the lesson",
		p->part < LESSON_PARTS ? "'" : "");
	report_mistake(p, why);
}

static void add_block(struct page *p, enum lesson_kind kind, int number, bool right, const char *text)
{
	struct lesson *l = p->l;
	l->blocks = xrealloc(l->blocks, (size_t)(l->block_count + 1) * sizeof *l->blocks);
	l->blocks[l->block_count++] =
		(struct lesson_block){(enum lesson_part)p->part, kind, number, right, xstrdup(text)};
}

static void add_steps(struct page *p, const char *lines)
{
	char *copy = xstrdup(lines);
	for (char *save = NULL, *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		add_block(p, LESSON_STEP, ++p->l->step_count, false, line);
	free(copy);
}

static void handle_block(void *ctx, enum lesson_kind kind, int number, bool right, const char *text, const char *info)
{
	struct page *p = ctx;
	if (p->part < 0 || p->part >= LESSON_PARTS)
		return report_mistake(p, "text outside of a section; move it below a section heading");
	if (kind == LESSON_CODE && !strcmp(info, "wavedeck"))
		return add_steps(p, text);
	add_block(p, kind, kind == LESSON_CHOICE ? ++p->choices : number, right, text);
}

static void ignore_link(void *ctx, const char *target)
{
	(void)ctx, (void)target;
}

static void handle_html(void *ctx, const char *text)
{
	struct page *p = ctx;
	char why[200];
	if (strncmp(text, "<!--", 4))
		return report_mistake(p, "HTML is not supported; write Markdown");
	if (!lesson_facts_read(p->l, (enum lesson_part)p->part, text, why, sizeof why))
		report_mistake(p, why);
}

/* --- checks --- */
static int count_blocks(const struct lesson *l, enum lesson_part part, enum lesson_kind kind)
{
	int n = 0;
	for (int i = 0; i < l->block_count; i++)
		n += l->blocks[i].part == part && l->blocks[i].kind == kind &&
			(kind != LESSON_ITEM || l->blocks[i].number > 0);
	return n;
}

static int count_right_choices(const struct lesson *l)
{
	int n = 0;
	for (int i = 0; i < l->block_count; i++)
		n += l->blocks[i].part == LESSON_PREDICT && l->blocks[i].kind == LESSON_CHOICE && l->blocks[i].right;
	return n;
}

static void check_page_complete(struct page *p)
{
	struct lesson *l = p->l;
	int exercises = count_blocks(l, LESSON_EXERCISES, LESSON_ITEM);
	if (!l->title)
		report_mistake(p, "missing title; write '# Title' first");
	if (p->part + 1 < LESSON_PARTS)
		report_mistake(p, "missing sections; a lesson ends with 'Answers'");
	if (count_blocks(l, LESSON_PREDICT, LESSON_CHOICE) < 2 || count_right_choices(l) != 1)
		report_mistake(p,
			"'Predict' needs at least two choices, exactly one of them ticked: '- [ ] text' and '- [x] text'");
	if (!count_blocks(l, LESSON_RUN, LESSON_STEP))
		report_mistake(p, "'Run' has no steps; add a code block that starts with ```wavedeck");
	if (!exercises || exercises != count_blocks(l, LESSON_ANSWERS, LESSON_ITEM))
		report_mistake(p, "'Exercises' and 'Answers' must be ordered lists of the same length");
	char why[200];
	if (!lesson_facts_resolve(l, why, sizeof why))
		report_mistake(p, why);
}

/* --- files --- */
enum { LESSON_FILE_MAX = 1 << 20 };

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
	struct page p = {.l = xcalloc(1, sizeof *p.l), .part = -1, .line = 1, .e = e};
	const struct markdown m = {&p, handle_heading, handle_block, ignore_link, handle_html, &p.line};
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

void lesson_free(struct lesson *l)
{
	if (!l)
		return;
	for (int i = 0; i < l->block_count; i++)
		free(l->blocks[i].text);
	free(l->blocks);
	lesson_facts_free(l);
	free(l->title);
	free(l);
}

const struct lesson_block *lesson_find_step(const struct lesson *l, int number)
{
	for (int i = 0; i < l->block_count; i++)
		if (l->blocks[i].kind == LESSON_STEP && l->blocks[i].number == number)
			return &l->blocks[i];
	return NULL;
}

const struct lesson_block *lesson_right_choice(const struct lesson *l)
{
	const struct lesson_block *b = l->blocks;
	while (!b->right)
		b++; /* check_page_complete guarantees one */
	return b;
}

/* Counts UTF-8 characters: continuation bytes take no column. */
int lesson_cell_length(const char *cell)
{
	int n = 0;
	for (; *cell && *cell != '\t'; cell++)
		n += (*cell & 0xC0) != 0x80;
	return n;
}

int lesson_column_width(const struct lesson *l, const struct lesson_block *row, int column)
{
	const struct lesson_block *end = l->blocks + l->block_count;
	int widest = -1;
	while (row->number)
		row--; /* the header */
	do {
		const char *cell = row->text;
		for (int k = 0; cell && k < column; k++)
			cell = (cell = strchr(cell, '\t')) ? cell + 1 : NULL;
		int n = cell ? lesson_cell_length(cell) : -1;
		widest = n > widest ? n : widest;
	} while (++row < end && row->kind == LESSON_ROW && row->number);
	return widest;
}

/* --- the course --- */
struct contents {
	const char *folder;
	struct lessons *out;
	void (*bad)(void *ctx, const char *line);
	void *ctx;
};

static void ignore_heading(void *ctx, int level, const char *text)
{
	(void)ctx, (void)level, (void)text;
}

static void ignore_block(void *ctx, enum lesson_kind kind, int number, bool right, const char *text, const char *info)
{
	(void)ctx, (void)kind, (void)number, (void)right, (void)text, (void)info;
}

static void ignore_html(void *ctx, const char *text)
{
	(void)ctx, (void)text;
}

static bool is_markdown_name(const char *name)
{
	size_t len = strlen(name);
	return len > 3 && !strcmp(name + len - 3, ".md");
}

static void add_page(struct contents *c, const char *name)
{
	struct err e = {0};
	char *path = xasprintf("%s/%s", c->folder, name);
	struct lesson *l = lesson_load(path, &e);
	free(path);
	if (!l) {
		if (c->bad)
			c->bad(c->ctx, e.text);
		return;
	}
	c->out->list = xrealloc(c->out->list, (size_t)(c->out->count + 1) * sizeof *c->out->list);
	c->out->list[c->out->count++] = l;
}

static void add_linked_page(void *ctx, const char *target)
{
	struct contents *c = ctx;
	if (is_markdown_name(target) && !strchr(target, '/'))
		add_page(c, target);
}

bool lessons_load(
	const char *folder, struct lessons *out, void (*bad)(void *ctx, const char *line), void *ctx, struct err *e)
{
	struct buf text = {0};
	char *path = xasprintf("%s/README.md", folder);
	struct contents c = {folder, out, bad, ctx};
	const struct markdown m = {&c, ignore_heading, ignore_block, add_linked_page, ignore_html, NULL};
	*out = (struct lessons){0};
	bool ok = read_lesson_file(path, &text, e);
	if (ok && !markdown_read(text.data, text.len, &m))
		ok = err_set(e, ST_REQUEST, "cannot parse %s as Markdown", path);
	buf_free(&text);
	free(path);
	if (!ok)
		lessons_free(out);
	return ok;
}

static int is_lesson_file(const struct dirent *f)
{
	return is_markdown_name(f->d_name) && strcmp(f->d_name, "README.md");
}

void lessons_add_folder(const char *folder, struct lessons *out, void (*bad)(void *ctx, const char *line), void *ctx)
{
	struct contents c = {folder, out, bad, ctx};
	struct dirent **files;
	int n = scandir(folder, &files, is_lesson_file, alphasort);
	for (int i = 0; i < n; i++) {
		add_page(&c, files[i]->d_name);
		free(files[i]);
	}
	if (n >= 0)
		free(files);
}

void lessons_free(struct lessons *l)
{
	for (int i = 0; i < l->count; i++)
		lesson_free(l->list[i]);
	free(l->list);
	*l = (struct lessons){0};
}

const struct lesson *lessons_find(const struct lessons *l, const char *id, struct err *e)
{
	const char **ids = xmalloc((size_t)(l->count + 1) * sizeof *ids);
	const struct lesson *found = NULL;
	for (int i = 0; i < l->count; i++) {
		ids[i] = l->list[i]->id;
		found = strcmp(ids[i], id) ? found : l->list[i];
	}
	const char *near = found ? NULL : find_nearest_name(id, ids, l->count);
	if (!found)
		err_set(e, ST_REQUEST, "unknown lesson '%.60s'; %s%s%s`wavedeck lesson` lists all", id,
			near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
	free(ids);
	return found;
}
