/* `lesson --check`: checks the facts in the lessons against the software GPU. Each command runs once, in a process of
 * its own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "experiments/course/lesson_answer.h"
#include "experiments/course/lesson_fact.h"
#include "gpu/backends/backend.h"
#include "cli/cli_support.h"
#include "cli/command_lesson.h"

enum { WORDS_MAX = 40 };

/* --- one command --- */
struct outcome {
	char *printed;
	json_t *run;
}; /* all output, then the messages; the points of `run` */

/* Builds the arguments, with the options that make the output parsable. They point into `copy`; a device in the command
 * has priority. */
static void make_check_arguments(char *copy, const char *device, char **argv)
{
	int n = 0;
	bool names_one = strstr(copy, "--device"), run = !strncmp(copy, "run ", 4),
	     opens = run || strstr(copy, "--profile");
	argv[n++] = (char *)"wavedeck";
	for (char *save = NULL, *w = strtok_r(copy, " ", &save); w && n < WORDS_MAX - 5; w = strtok_r(NULL, " ", &save))
		argv[n++] = w;
	if (opens && !names_one) {
		argv[n++] = (char *)"--device";
		argv[n++] = (char *)device;
	}
	if (run) {
		argv[n++] = (char *)"--format";
		argv[n++] = (char *)"json";
	}
	argv[n] = NULL;
}

static void append_file(struct buf *b, FILE *f)
{
	char part[4096];
	size_t n;
	rewind(f);
	while ((n = fread(part, 1, sizeof part, f)))
		buf_add(b, part, n);
	buf_add(b, "", 0);
}

/* Nothing was measured: the command's message is the reason. Always returns false. */
static bool report_command_error(const char *messages, int status, struct err *e)
{
	const char *from = strncmp(messages, "wavedeck: ", 10) ? messages : messages + 10;
	return err_set(e, status == ST_REQUEST ? ST_REQUEST : ST_FAILED, "%.*s", (int)strcspn(from, "\n"), from);
}

static bool run_lesson_command(const char *command, const char *device, struct outcome *out, struct err *e)
{
	char *copy = xstrdup(command), *argv[WORDS_MAX];
	FILE *said = tmpfile(), *messages = tmpfile();
	struct buf text = {0};
	int status = 0;
	make_check_arguments(copy, device, argv);
	pid_t child = said && messages ? fork() : -1;
	if (!child) {
		dup2(fileno(said), STDOUT_FILENO);
		dup2(fileno(messages), STDERR_FILENO);
		execv("/proc/self/exe", argv);
		_exit(127);
	}
	bool ran = child > 0, read = false;
	while (ran && waitpid(child, &status, 0) < 0)
		ran = errno == EINTR;
	if (ran) {
		append_file(&text, said);
		size_t end = text.len;
		out->run = strncmp(command, "run ", 4) ? NULL : json_loads(text.data, 0, NULL);
		append_file(&text, messages);
		read = out->run || strncmp(command, "run ", 4) ||
			report_command_error(text.data + end, WEXITSTATUS(status), e);
	}
	out->printed = text.data;
	if (said)
		fclose(said);
	if (messages)
		fclose(messages);
	free(copy);
	return ran ? read : err_set(e, ST_FAILED, "cannot run '%.80s': %s", command, strerror(errno));
}

/* --- a lesson --- */
static void print_fact(const struct lesson_fact *f, bool holds, const char *found)
{
	char whose[24];
	snprintf(whose, sizeof whose, "step %d", f->step);
	printf("  %-5s %s: %s%s%s\n", holds ? "true" : "FALSE", f->step ? whose : f->command, f->text,
		*found ? "   " : "", found);
}

struct tally {
	int checked, broken;
};

/* The ticked choice of a step whose question asks for an extreme of its curve counts as a fact. */
static void check_answer(const struct lesson *l, int step, const json_t *run, struct tally *t)
{
	char found[300];
	enum lesson_answer a = run ? lesson_answer_compare(l, step, run, found, sizeof found) : ANSWER_NOT_COMPARED;
	if (a == ANSWER_NOT_COMPARED)
		return;
	if (a == ANSWER_HOLDS)
		printf("  true  step %d: the ticked choice is the %s\n", step, found);
	else
		printf("  FALSE %s\n", found);
	t->checked++;
	t->broken += a == ANSWER_FAILS;
}

/* Runs a command and checks all facts and answers about it. False if it cannot run. */
static bool check_command(
	const struct lesson *l, const char *command, const char *device, struct tally *t, struct err *e)
{
	struct outcome o = {0};
	char found[200];
	progress_show(command);
	bool carried = run_lesson_command(command, device, &o, e);
	progress_clear();
	for (int i = 0; carried && i < l->fact_count && !command_interrupted; i++) {
		const struct lesson_fact *f = &l->facts[i];
		if (strcmp(f->command, command))
			continue;
		bool holds = lesson_fact_holds(f, o.printed, o.run, found, sizeof found);
		print_fact(f, holds, found);
		t->checked++;
		t->broken += !holds;
	}
	for (int step = 1; carried && step <= l->step_count && !command_interrupted; step++)
		if (!strcmp(lesson_find_step(l, step)->command, command))
			check_answer(l, step, o.run, t);
	fflush(stdout);
	json_decref(o.run);
	free(o.printed);
	return carried;
}

/* Each once: those of the facts, then those of steps whose answer can be compared. */
static int list_commands(const struct lesson *l, const char **list)
{
	int count = 0;
	for (int i = 0; i < l->fact_count + l->step_count; i++) {
		int step = i - l->fact_count + 1, k = 0;
		if (step >= 1 && !lesson_answer_is_extreme(l, step))
			continue;
		const char *command = step >= 1 ? lesson_find_step(l, step)->command : l->facts[i].command;
		while (k < count && strcmp(list[k], command))
			k++;
		if (k == count)
			list[count++] = command;
	}
	return count;
}

static bool check_lesson(const struct lesson *l, const char *device, struct tally *t, struct err *e)
{
	const char **commands = xcalloc((size_t)(l->fact_count + l->step_count) + 1, sizeof *commands);
	int count = list_commands(l, commands);
	bool ok = true;
	printf("%s: %d facts\n", l->id, l->fact_count);
	for (int i = 0; ok && i < count && !command_interrupted; i++)
		ok = check_command(l, commands[i], device, t, e);
	free(commands);
	return ok;
}

static bool check_named_lesson(
	const struct lessons *all, const char *name, const char *device, struct tally *t, struct err *e)
{
	struct lesson *file = lesson_name_is_file(name) ? lesson_load(name, e) : NULL;
	const struct lesson *l = file || lesson_name_is_file(name) ? file : lessons_find(all, name, e);
	bool ok = l && check_lesson(l, device, t, e);
	if (file)
		lesson_free(file);
	return ok;
}

int lesson_check_facts(const struct lessons *all, const struct argument_list *names, const char *device)
{
	struct err e = {0};
	struct tally t = {0};
	bool ok = device_name_check(device, &e);
	if (ok && device_is_noisy(device))
		ok = err_set(&e, ST_REQUEST,
			"%s has noise or faults, and the facts of lessons are exact; remove noise= and fault=", device);
	for (int i = 0; ok && i < names->count; i++)
		ok = lesson_name_is_file(names->list[i]) || lessons_find(all, names->list[i], &e);
	command_catch_interrupts();
	for (int i = 0; ok && i < names->count && !command_interrupted; i++)
		ok = check_named_lesson(all, names->list[i], device, &t, &e);
	for (int i = 0; ok && !names->count && i < all->count && !command_interrupted; i++)
		ok = check_lesson(all->list[i], device, &t, &e);
	if (!ok)
		return command_report_failure(&e);
	if (command_interrupted)
		return ST_INTERRUPTED;
	printf("%d of %d facts are true\n", t.checked - t.broken, t.checked);
	return t.broken ? ST_FAILED : ST_OK;
}
