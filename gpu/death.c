#include "gpu/death.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

void last_words_add(struct last_words *w, const char *line)
{
	snprintf(w->line[w->count++ % DEATH_LINES], DEATH_WIDTH, "%s", line);
}

/* What libraries print before they abort, the most telling first. ROCr 5.2 prints "Memory access fault by GPU node-1 (...) on address 0x... .
 * Reason: ..."; ROCclr prints ":0:rocdevice.cpp:...: aborting with error : HSA_STATUS_ERROR_...". */
static const struct { const char *mark, *title; } marks[] = {
	{ "softgpu: ", "GPU stopped the kernel: " },
	{ "Memory access fault by GPU", "GPU memory fault: " },
	{ "HSA_STATUS_ERROR", "GPU queue error: " },
	{ "ERROR: AddressSanitizer", "" },
	{ "runtime error:", "" },
	{ "terminate called", "" },
	{ "out of memory", "" },
	{ "symbol lookup error", "" },
	{ "error while loading shared libraries", "" },
	{ "cannot be preloaded", "" },
	{ "Assertion", "" },
};

static const char *last_line(const struct last_words *w)
{
	return w->count ? w->line[(w->count - 1) % DEATH_LINES] : "";
}

/* The newest line that holds `mark`, from the mark on; NULL without. */
static const char *find(const struct last_words *w, const char *mark)
{
	size_t kept = w->count < DEATH_LINES ? w->count : DEATH_LINES;
	for (size_t i = 1; i <= kept; i++) {
		const char *at = strstr(w->line[(w->count - i) % DEATH_LINES], mark);
		if (at)
			return at;
	}
	return NULL;
}

static void how(char *out, size_t size, int status)
{
	if (WIFSIGNALED(status)) {
		const char *name = sigabbrev_np(WTERMSIG(status));
		snprintf(out, size, "killed by SIG%s", name ? name : "?");
	} else {
		snprintf(out, size, "ended with status %d", WEXITSTATUS(status));
	}
}

void death_text(char *out, size_t size, int status, const struct last_words *w, const char *doing)
{
	char end[64];
	how(end, sizeof end, status);
	const char *during = *doing ? " while " : "";
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		const char *said = find(w, marks[i].mark);
		if (!said)
			continue;
		if (*marks[i].title == 'G' && !strncmp(marks[i].mark, "softgpu", 7))
			said += strlen(marks[i].mark);
		snprintf(out, size, "%s%s (worker %s%s%s)", marks[i].title, said, end, during, doing);
		return;
	}
	bool out_of_memory = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
	const char *said = last_line(w);
	snprintf(out, size, "worker %s%s%s%s%s%s", end, during, doing, out_of_memory ? ", perhaps for want of memory" : "", *said ? ": " : "", said);
}
