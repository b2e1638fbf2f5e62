/* `lesson --check`: the facts of the course's pages held against the software GPU. Each command is carried out once, in
 * a process of its own. */
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
}; /* all it printed, messages behind; the points of `run` */

/* The command's words with what makes its output readable here. `copy` holds them; a device that is named there stays.
 */
static void make_words(char *copy, const char *device, char **argv)
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

static void add_file(struct buf *b, FILE *f)
{
	char part[4096];
	size_t n;
	rewind(f);
	while ((n = fread(part, 1, sizeof part, f)))
		buf_add(b, part, n);
	buf_add(b, "", 0);
}

/* Nothing was measured: what the command said is why. Always false. */
static bool tell_refusal(const char *messages, int status, struct err *e)
{
	const char *from = strncmp(messages, "wavedeck: ", 10) ? messages : messages + 10;
	return err_set(e, status == ST_REQUEST ? ST_REQUEST : ST_FAILED, "%.*s", (int)strcspn(from, "\n"), from);
}

static bool carry_out(const char *command, const char *device, struct outcome *out, struct err *e)
{
	char *copy = xstrdup(command), *argv[WORDS_MAX];
	FILE *said = tmpfile(), *messages = tmpfile();
	struct buf text = {0};
	int status = 0;
	make_words(copy, device, argv);
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
		add_file(&text, said);
		size_t end = text.len;
		out->run = strncmp(command, "run ", 4) ? NULL : json_loads(text.data, 0, NULL);
		add_file(&text, messages);
		read = out->run || strncmp(command, "run ", 4) || tell_refusal(text.data + end, WEXITSTATUS(status), e);
	}
	out->printed = text.data;
	if (said)
		fclose(said);
	if (messages)
		fclose(messages);
	free(copy);
	return ran ? read : err_set(e, ST_FAILED, "cannot carry out '%.80s': %s", command, strerror(errno));
}

/* --- a page --- */
static void print_fact(const struct lesson_fact *f, bool holds, const char *found)
{
	char whose[24];
	snprintf(whose, sizeof whose, "step %d", f->step);
	printf("  %-5s %s: %s%s%s\n", holds ? "holds" : "FALSE", f->step ? whose : f->command, f->text,
		*found ? "   " : "", found);
}

/* The facts of the command of fact `from`, that and all later ones of it. Returns how many do not hold; -1 when it
 * could not be carried out. */
static int judge(const struct lesson *l, int from, const char *device, struct err *e)
{
	struct outcome o = {0};
	char found[200];
	int broken = 0;
	progress_show(l->facts[from].command);
	bool carried = carry_out(l->facts[from].command, device, &o, e);
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

static bool judged_before(const struct lesson *l, int fact)
{
	for (int i = 0; i < fact; i++)
		if (!strcmp(l->facts[i].command, l->facts[fact].command))
			return true;
	return false;
}

static bool check_page(const struct lesson *l, const char *device, int *broken, struct err *e)
{
	printf("%s: %d facts\n", l->id, l->fact_count);
	for (int i = 0; i < l->fact_count; i++) {
		int n = judged_before(l, i) || command_interrupted ? 0 : judge(l, i, device, e);
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
		if (asked && !check_page(all->list[i], device, &broken, &e))
			return command_report_failure(&e);
		facts += asked ? all->list[i]->fact_count : 0;
	}
	if (command_interrupted)
		return ST_INTERRUPTED;
	printf("%d of %d facts hold\n", facts - broken, facts);
	return broken ? ST_FAILED : ST_OK;
}
