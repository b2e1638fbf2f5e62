/* `lesson`: lists the lessons, prints one, or runs one of its steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"
#include "experiments/course/course_report.h"
#include "experiments/course/lessons.h"
#include "cli/cli_support.h"
#include "cli/command_lesson.h"

enum { STEP_WORDS = 32 };

/* --- a lesson --- */
static void print_indented_lines(const char *indent, const char *lines)
{
	for (size_t len; *lines; lines += len + (lines[len] == '\n')) {
		len = strcspn(lines, "\n");
		printf("%s%.*s\n", indent, (int)len, lines);
	}
}

static void print_table_row(const struct lesson *l, const struct lesson_block *b)
{
	const char *text = b->text;
	for (int column = 0;; column++, text++) {
		size_t len = strcspn(text, "\t");
		printf("  %.*s%*s", (int)len, text,
			text[len] ? lesson_column_width(l, b, column) - lesson_cell_length(text) : 0, "");
		text += len;
		if (!*text)
			break;
	}
	putchar('\n');
}

/* A block of a list or table, by its kind; choices are printed together (print_choices). */
static void print_lesson_block(const struct lesson *l, const struct lesson_block *b, int width)
{
	char lead[24];
	switch (b->kind) {
	case LESSON_PARAGRAPH:
	case LESSON_ASK:
		command_print_wrapped("", "", b->text, width);
		putchar('\n');
		break;
	case LESSON_ITEM:
		snprintf(lead, sizeof lead, b->number ? "%3d. " : "  -  ", b->number);
		command_print_wrapped(lead, "     ", b->text, width);
		break;
	case LESSON_COMMAND: printf("    wavedeck %s\n", b->text); break;
	case LESSON_CODE: print_indented_lines("    ", b->text); break;
	case LESSON_ROW: print_table_row(l, b); break;
	case LESSON_CHOICE:
	case LESSON_FEEDBACK: break;
	}
	bool listed =
		b->kind == LESSON_ITEM || b->kind == LESSON_COMMAND || b->kind == LESSON_CODE || b->kind == LESSON_ROW;
	if (listed && (b + 1 == l->blocks + l->block_count || b[1].kind != b->kind || b[1].part != b->part))
		putchar('\n');
}

static void print_lesson_part(const struct lesson *l, enum lesson_part part, int step, int width)
{
	bool named = *lesson_part_name(part) && part != LESSON_INTRODUCTION && lesson_has_part(l, part);
	if (named)
		printf("== %s\n\n", lesson_part_name(part));
	for (int i = 0; i < l->block_count; i++)
		if (l->blocks[i].part == part && l->blocks[i].step == step)
			print_lesson_block(l, &l->blocks[i], width);
}

static void print_choices(const struct lesson *l, int step, const int *order, int width)
{
	char lead[24];
	for (int place = 0; place < lesson_find_step(l, step)->choice_count; place++) {
		snprintf(lead, sizeof lead, "  %c) ", 'a' + place);
		command_print_wrapped(
			lead, "     ", lesson_find_block(l, step, LESSON_CHOICE, order[place])->text, width);
	}
	printf("\n  step %d   wavedeck %s\n\n", step, lesson_find_step(l, step)->command);
}

/* The right choice, and why the others are wrong. */
static void print_answer(const struct lesson *l, int step, const int *order, int width)
{
	char lead[40];
	for (int right = 1; right >= 0; right--)
		for (int place = 0; place < lesson_find_step(l, step)->choice_count; place++) {
			const struct lesson_block *b = lesson_find_block(l, step, LESSON_CHOICE, order[place]),
						  *why = lesson_find_block(l, step, LESSON_FEEDBACK, order[place]);
			if (b->right != right)
				continue;
			snprintf(lead, sizeof lead, right ? "Answer: %c) " : "Not %c: ", 'a' + place);
			command_print_wrapped(lead, "", right ? b->text : why->text, width);
		}
	putchar('\n');
}

static void print_step(const struct lesson *l, int step, int width)
{
	int order[LESSON_CHOICES_MAX];
	lesson_order_choices(l, step, 0, order);
	printf("== Step %d: %s\n\n", step, lesson_find_step(l, step)->title);
	print_lesson_part(l, LESSON_QUESTION, step, width);
	print_choices(l, step, order, width);
	print_answer(l, step, order, width);
	print_lesson_part(l, LESSON_REVEAL, step, width);
}

static void print_lesson(const struct lesson *l)
{
	int width = terminal_width(80);
	width = width > TEXT_WIDTH_MAX ? TEXT_WIDTH_MAX : width;
	printf("%s\n\n", l->title);
	print_lesson_part(l, LESSON_INTRODUCTION, 0, width);
	print_lesson_part(l, LESSON_WORDS, 0, width);
	for (int step = 1; step <= l->step_count; step++)
		print_step(l, step, width);
	print_lesson_part(l, LESSON_OTHERS, 0, width);
	print_lesson_part(l, LESSON_EXERCISES, 0, width);
	print_lesson_part(l, LESSON_ANSWERS, 0, width);
}

/* --- a step --- */
static int run_lesson_step(const struct lesson *l, const char *text)
{
	struct err e = {0};
	char *end, *argv[STEP_WORDS + 1];
	const struct lesson_step *step = lesson_find_step(l, (int)strtol(text, &end, 10));
	if (*end || !step) {
		err_set(&e, ST_REQUEST, "the lesson '%s' has steps 1 to %d, not '%.20s'", l->id, l->step_count, text);
		return command_report_failure(&e);
	}
	char *copy = xstrdup(step->command);
	int argc = 0;
	for (char *save = NULL, *w = strtok_r(copy, " ", &save); w && argc < STEP_WORDS; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	argv[argc] = NULL;
	const struct command *c = command_find(argv[0], &e);
	fprintf(stderr, "wavedeck %s\n", step->command);
	int status = c ? c->run(argc, argv) : command_report_failure(&e);
	free(copy);
	return status;
}

/* --- the command --- */
static void print_course(const struct lessons *all)
{
	for (int i = 0; i < all->count; i++)
		printf("%-24s %2d step%s  %s\n", all->list[i]->id, all->list[i]->step_count,
			all->list[i]->step_count == 1 ? " " : "s", all->list[i]->title);
}

static void print_lesson_mistake(void *ctx, const char *line)
{
	(void)ctx;
	command_print_error(line);
}

/* The named lessons, or all. The caller frees the list; NULL with an error. */
static const struct lesson **select_lessons(
	const struct lessons *all, const struct argument_list *names, int *count, struct err *e)
{
	const struct lesson **list = xcalloc((size_t)(all->count + names->count + 1), sizeof *list);
	bool ok = true;
	*count = 0;
	for (int i = 0; !names->count && i < all->count; i++)
		list[(*count)++] = all->list[i];
	for (int i = 0; ok && i < names->count; i++)
		ok = (list[(*count)++] = lessons_find(all, names->list[i], e)) != NULL;
	if (ok)
		return list;
	free(list);
	return NULL;
}

static int print_progress(const struct lessons *all, const struct argument_list *names, const char *format)
{
	struct err e = {0};
	struct course_progress p;
	int count;
	course_report *write = course_report_find(format, &e);
	const struct lesson **list = write ? select_lessons(all, names, &count, &e) : NULL;
	if (!list)
		return command_report_failure(&e);
	if (!course_progress_load(&p, &e))
		command_print_error(e.text);
	write(list, count, &p, stdout);
	course_progress_free(&p);
	free(list);
	return ST_OK;
}

static int print_or_run(const struct lessons *all, const struct argument_list *words)
{
	struct err e = {0};
	if (!words->count) {
		print_course(all);
		return ST_OK;
	}
	const struct lesson *l = lessons_find(all, words->list[0], &e);
	if (l && words->count > 2)
		l = NULL,
		err_set(&e, ST_REQUEST,
			"lesson takes the name of a lesson and the number of a step; see `wavedeck help lesson`");
	if (!l)
		return command_report_failure(&e);
	if (words->count == 2)
		return run_lesson_step(l, words->list[1]);
	print_lesson(l);
	return ST_OK;
}

int command_lesson(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	struct lessons all;
	const char *device = "soft:mi25", /* the numbers in the lessons are for this device */
		*format = NULL;
	bool check = false, progress = false;
	const struct option options[] = {{"--check", NULL, &check}, {"--progress", NULL, &progress},
		{"--device", &device, NULL}, {"--format", &format, NULL}, {NULL, NULL, NULL}};
	int status = ST_OK;
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	char *folder = path_share("lessons"), *own = path_user_data("lessons");
	if (format && !progress)
		err_set(&e, ST_REQUEST, "--format needs --progress");
	if (*e.text || !lessons_load(folder, &all, print_lesson_mistake, NULL, &e)) {
		status = command_report_failure(&e);
		all = (struct lessons){0};
	} else if (check) {
		if (words.count) /* own lessons by their names */
			lessons_add_folder(own, &all, print_lesson_mistake, NULL);
		status = lesson_check_facts(&all, &words, device);
	} else {
		lessons_add_folder(own, &all, print_lesson_mistake, NULL);
		status = progress ? print_progress(&all, &words, format ? format : "text") : print_or_run(&all, &words);
	}
	lessons_free(&all);
	free(folder);
	free(own);
	free(words.list);
	return status;
}
