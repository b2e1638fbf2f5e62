/* `lesson --check`: checks the facts in the lessons against the software GPU. Each command runs once, in a process of
 * its own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
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

/* Runs the command of fact `from` and checks all facts about it. Returns how many are false; -1 if it cannot run. */
static int check_facts_of_command(const struct lesson *l, int from, const char *device, struct err *e)
{
	struct outcome o = {0};
	char found[200];
	int broken = 0;
	progress_show(l->facts[from].command);
	bool carried = run_lesson_command(l->facts[from].command, device, &o, e);
	progress_clear();
	if (!carried)
		broken = -1;
	for (int i = from; carried && i < l->fact_count && !command_interrupted; i++) {
		const struct lesson_fact *f = &l->facts[i];
		if (strcmp(f->command, l->facts[from].command))
			continue;
		bool holds = lesson_fact_holds(f, o.printed, o.run, found, sizeof found);
		print_fact(f, holds, found);
		broken += !holds;
	}
	fflush(stdout);
	json_decref(o.run);
	free(o.printed);
	return broken;
}

static bool is_checked(const struct lesson *l, int fact)
{
	for (int i = 0; i < fact; i++)
		if (!strcmp(l->facts[i].command, l->facts[fact].command))
			return true;
	return false;
}

static bool check_lesson(const struct lesson *l, const char *device, int *broken, struct err *e)
{
	printf("%s: %d facts\n", l->id, l->fact_count);
	for (int i = 0; i < l->fact_count; i++) {
		int n = is_checked(l, i) || command_interrupted ? 0 : check_facts_of_command(l, i, device, e);
		if (n < 0)
			return false;
		*broken += n;
	}
	return true;
}

int lesson_check_facts(const struct lessons *all, const struct argument_list *names, const char *device)
{
	struct err e = {0};
	int broken = 0, facts = 0;
	if (!device_name_check(device, &e))
		return command_report_failure(&e);
	for (int i = 0; i < names->count; i++)
		if (!lessons_find(all, names->list[i], &e))
			return command_report_failure(&e);
	command_catch_interrupts();
	for (int i = 0; i < all->count && !command_interrupted; i++) {
		bool asked = !names->count;
		for (int k = 0; k < names->count; k++)
			asked = asked || !strcmp(names->list[k], all->list[i]->id);
		if (asked && !check_lesson(all->list[i], device, &broken, &e))
			return command_report_failure(&e);
		facts += asked ? all->list[i]->fact_count : 0;
	}
	if (command_interrupted)
		return ST_INTERRUPTED;
	printf("%d of %d facts are true\n", facts - broken, facts);
	return broken ? ST_FAILED : ST_OK;
}
