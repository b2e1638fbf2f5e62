/* `lesson`: lists the lessons, prints one, or runs one of its steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"
#include "experiments/course/course_report.h"
#include "experiments/course/lesson_handout.h"
#include "experiments/course/lesson_text.h"
#include "experiments/course/lessons.h"
#include "experiments/course/source_report.h"
#include "cli/cli_support.h"
#include "cli/command_lesson.h"

enum { STEP_WORDS = 32 };

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

static int print_sources(const struct lessons *all, const struct argument_list *names, const char *format)
{
	struct err e = {0};
	int count;
	source_report *write = source_report_find(format, &e);
	const struct lesson **list = write ? select_lessons(all, names, &count, &e) : NULL;
	if (!list)
		return command_report_failure(&e);
	write(list, count, terminal_width(TEXT_WIDTH_MAX), stdout);
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
	int width = terminal_width(80);
	lesson_text_write(stdout, l, true, width > TEXT_WIDTH_MAX ? TEXT_WIDTH_MAX : width);
	return ST_OK;
}

static int save_handout(const struct lessons *all, const char *name, const char *path, bool answers)
{
	struct err e = {0};
	struct lesson *file = lesson_name_is_file(name) ? lesson_load(name, &e) : NULL;
	const struct lesson *l = lesson_name_is_file(name) ? file : lessons_find(all, name, &e);
	bool saved = l && lesson_handout_save(path, l, answers, &e);
	if (saved)
		fprintf(stderr, "written: %s\n", path);
	if (file)
		lesson_free(file);
	return saved ? ST_OK : command_report_failure(&e);
}

int command_lesson(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	struct lessons all;
	const char *device = "soft:mi25", /* the numbers in the lessons are for this device */
		*format = NULL;
	const char *handout = NULL;
	bool check = false, progress = false, sources = false, answers = false;
	const struct option options[] = {{"--check", NULL, &check}, {"--progress", NULL, &progress},
		{"--sources", NULL, &sources}, {"--device", &device, NULL}, {"--format", &format, NULL},
		{"--handout", &handout, NULL}, {"--answers", NULL, &answers}, {NULL, NULL, NULL}};
	int status = ST_OK;
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	char *folder = path_share("lessons"), *own = path_user_data("lessons");
	if (format && !progress && !sources)
		err_set(&e, ST_REQUEST, "--format needs --progress or --sources");
	if (check + progress + sources > 1)
		err_set(&e, ST_REQUEST, "--check, --progress and --sources exclude each other");
	if (answers && !handout)
		err_set(&e, ST_REQUEST, "--answers needs --handout FILE");
	if (handout && (check || progress || sources || words.count != 1))
		err_set(&e, ST_REQUEST, "--handout needs the name of one lesson, or its file");
	if (*e.text || !lessons_load(folder, &all, print_lesson_mistake, NULL, &e)) {
		status = command_report_failure(&e);
		all = (struct lessons){0};
	} else if (check) {
		if (words.count) /* own lessons by their names */
			lessons_add_folder(own, &all, print_lesson_mistake, NULL);
		status = lesson_check_facts(&all, &words, device);
	} else {
		lessons_add_folder(own, &all, print_lesson_mistake, NULL);
		status = handout   ? save_handout(&all, words.list[0], handout, answers)
			: progress ? print_progress(&all, &words, format ? format : "text")
			: sources  ? print_sources(&all, &words, format ? format : "text")
				   : print_or_run(&all, &words);
	}
	lessons_free(&all);
	free(folder);
	free(own);
	free(words.list);
	return status;
}
