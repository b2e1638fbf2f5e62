/* Explains a crash from the exit status and the most significant line of standard error. */
#include "gpu/controller/worker_crash.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

/* What libraries print before they abort, most significant first. ROCr 5.2 prints "Memory access fault by GPU node-1
 * (...) on address 0x... . Reason: ..."; ROCclr prints ":0:rocdevice.cpp:...: aborting with error :
 * HSA_STATUS_ERROR_...". */
static const struct {
	const char *mark, *title;
} marks[] = {
	{"softgpu: ", "software GPU: "},
	{"Memory access fault by GPU", "GPU memory fault: "},
	{"HSA_STATUS_ERROR", "GPU queue error: "},
	{"ERROR: AddressSanitizer", ""},
	{"runtime error:", ""},
	{"terminate called", ""},
	{"out of memory", ""},
	{"symbol lookup error", ""},
	{"error while loading shared libraries", ""},
	{"cannot be preloaded", ""},
	{"Assertion", ""},
};

enum { MARKS = sizeof marks / sizeof *marks };

/* The rank of the line: 1 is the most significant, 0 means insignificant. *at: where the significant part starts. */
static int find_mark(const char *line, const char **at)
{
	for (int i = 0; i < MARKS; i++)
		if ((*at = strstr(line, marks[i].mark)))
			return i + 1;
	return 0;
}

void stderr_summary_add(struct stderr_summary *w, const char *line)
{
	const char *at;
	int rank = find_mark(line, &at);
	snprintf(w->last, sizeof w->last, "%s", line);
	if (!rank || (w->rank && rank > w->rank))
		return;
	w->rank = rank;
	snprintf(w->significant, sizeof w->significant, "%s", at);
}

void stderr_summary_clear(struct stderr_summary *w)
{
	*w = (struct stderr_summary){0};
}

static void describe_exit(char *out, size_t size, int status)
{
	if (WIFSIGNALED(status)) {
		const char *name = sigabbrev_np(WTERMSIG(status));
		snprintf(out, size, "killed by SIG%s", name ? name : "?");
	} else {
		snprintf(out, size, "ended with status %d", WEXITSTATUS(status));
	}
}

void worker_crash_describe(char *out, size_t size, int status, const struct stderr_summary *w, const char *doing)
{
	char end[64];
	describe_exit(end, sizeof end, status);
	const char *during = *doing ? " while " : "";
	if (w->rank) {
		const char *title = marks[w->rank - 1].title;
		const char *text = w->rank == 1 ? w->significant + strlen(marks[0].mark)
						: w->significant; /* the title replaces the mark */
		snprintf(out, size, "%s%s (worker %s%s%s)", title, text, end, during, doing);
		return;
	}
	bool out_of_memory = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
	snprintf(out, size, "worker %s%s%s%s%s%s", end, during, doing, out_of_memory ? ", possibly out of memory" : "",
		*w->last ? ": " : "", w->last);
}
