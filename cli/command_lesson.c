/* `lesson`: lists the lessons, prints one, or runs one of its steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"
#include "experiments/course/lesson.h"
#include "cli/cli_support.h"
#include "cli/command_lesson.h"

enum { WIDTH_MAX = 100, STEP_WORDS = 32 };

/* --- a lesson --- */
/* Breaks at spaces. UTF-8 continuation bytes take no column. */
static void print_wrapped(const char *first, const char *rest, const char *text, int width)
{
	int column = printf("%s", first);
	for (bool begun = false; *(text += strspn(text, " "));) {
		int bytes = (int)strcspn(text, " "), columns = 0;
		for (int i = 0; i < bytes; i++)
			columns += (text[i] & 0xC0) != 0x80;
		if (begun && column + 1 + columns > width)
			column = printf("\n%s", rest) - 1, begun = false;
		column += printf("%s%.*s", begun ? " " : "", bytes, text) - bytes + columns;
		begun = true;
		text += bytes;
	}
	putchar('\n');
}

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

static void print_lesson_block(const struct lesson *l, const struct lesson_block *b, int width)
{
	char lead[24], rest[24];
	switch (b->kind) {
	case LESSON_PARAGRAPH:
		print_wrapped("", "", b->text, width);
		putchar('\n');
		break;
	case LESSON_ITEM:
		snprintf(lead, sizeof lead, b->number ? "%3d. " : "  -  ", b->number);
		print_wrapped(lead, "     ", b->text, width);
		break;
	case LESSON_CHOICE:
		snprintf(lead, sizeof lead, "  %c) ", 'a' + b->number - 1);
		print_wrapped(lead, "     ", b->text, width);
		break;
	case LESSON_STEP:
		snprintf(rest, sizeof rest, "step %d", b->number);
		printf("  %-8s wavedeck %s\n", rest, b->text);
		break;
	case LESSON_CODE: print_indented_lines("    ", b->text); break;
	case LESSON_ROW: print_table_row(l, b); break;
	}
	if (b->kind != LESSON_PARAGRAPH &&
		(b + 1 == l->blocks + l->block_count || b[1].kind != b->kind || b[1].part != b->part))
		putchar('\n');
}

static void print_lesson(const struct lesson *l)
{
	int width = terminal_width(80);
	width = width > WIDTH_MAX ? WIDTH_MAX : width;
	printf("%s\n", l->title);
	for (int i = 0; i < l->block_count; i++) {
		const struct lesson_block *b = &l->blocks[i];
		if (!i || b->part != b[-1].part)
			printf("%s== %s\n\n", i ? "" : "\n", lesson_part_name(b->part));
		if (b->part == LESSON_CURVE && (!i || b[-1].part != LESSON_CURVE))
			printf("Correct prediction: %c).\n\n", 'a' + lesson_right_choice(l)->number - 1);
		print_lesson_block(l, b, width);
	}
}

/* --- a step --- */
static int run_lesson_step(const struct lesson *l, const char *text)
{
	struct err e = {0};
	char *end, *argv[STEP_WORDS + 1];
	const struct lesson_block *step = lesson_find_step(l, (int)strtol(text, &end, 10));
	if (*end || !step) {
		err_set(&e, ST_REQUEST, "the lesson '%s' has steps 1 to %d, not '%.20s'", l->id, l->step_count, text);
		return command_report_failure(&e);
	}
	char *copy = xstrdup(step->text);
	int argc = 0;
	for (char *save = NULL, *w = strtok_r(copy, " ", &save); w && argc < STEP_WORDS; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	argv[argc] = NULL;
	const struct command *c = command_find(argv[0], &e);
	fprintf(stderr, "wavedeck %s\n", step->text);
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

int command_lesson(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	struct lessons all;
	const char *device = "soft:mi25"; /* the numbers in the lessons are for this device */
	bool check = false;
	const struct option options[] = {{"--check", NULL, &check}, {"--device", &device, NULL}, {NULL, NULL, NULL}};
	int status = ST_OK;
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	char *folder = path_share("lessons"), *own = path_user_data("lessons");
	if (!lessons_load(folder, &all, print_lesson_mistake, NULL, &e)) {
		status = command_report_failure(&e);
	} else if (check) {
		status = lesson_check_facts(&all, &words, device);
	} else {
		lessons_add_folder(own, &all, print_lesson_mistake, NULL);
		const struct lesson *l = words.count ? lessons_find(&all, words.list[0], &e) : NULL;
		if (words.count > 2)
			l = NULL,
			err_set(&e, ST_REQUEST,
				"lesson takes the name of a lesson and the number of a step; see `wavedeck help lesson`");
		if (!words.count)
			print_course(&all);
		else if (!l)
			status = command_report_failure(&e);
		else if (words.count == 2)
			status = run_lesson_step(l, words.list[1]);
		else
			print_lesson(l);
	}
	lessons_free(&all);
	free(folder);
	free(own);
	free(words.list);
	return status;
}
