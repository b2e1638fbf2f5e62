#include "gpu/remote/via_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "base/paths.h"

enum {
	/* POSIX 2.8.2: the shell found no such program. The shell on the other machine returns the same. */
	NO_PROGRAM = 127,
	/* ssh(1), EXIT STATUS: "or with 255 if an error occurred". */
	SSH_FAILED = 255,
};

/* The last word of the command, which points into it. */
static const char *find_last_word(const char *via)
{
	const char *blank = strrchr(via, ' '), *tab = strrchr(via, '\t');
	const char *last = blank > tab ? blank : tab;
	return last ? last + 1 : via;
}

static bool names_program(const char *via)
{
	const char *word = find_last_word(via);
	return (*word == '/' || *word == '.') && !strcmp(path_basename(word), "wavedeck");
}

char *via_format_script(const char *via)
{
	return xasprintf("%s %s\"$@\"", via, names_program(via) ? "" : "wavedeck ");
}

char *via_copy_connection(const char *via)
{
	size_t n = names_program(via) ? (size_t)(find_last_word(via) - via) : strlen(via);
	while (n && strchr(" \t", via[n - 1]))
		n--;
	return xasprintf("%.*s", (int)n, via);
}

static bool is_ssh(const char *connection)
{
	char first[200];
	snprintf(first, sizeof first, "%.*s", (int)strcspn(connection, " \t"), connection);
	return !strcmp(path_basename(first), "ssh");
}

void via_format_label(const char *via, char label[VIA_LABEL_MAX])
{
	char *connection = via_copy_connection(via);
	const char *host = is_ssh(connection) ? find_last_word(connection) : connection;
	snprintf(label, VIA_LABEL_MAX, "%s", host);
	free(connection);
}

/* What programs that connect print, and what helps. %1$s is the label, %2$s the command without the program. */
static const struct {
	const char *mark, *format;
} causes[] = {
	{"Permission denied (", "%2$s needs a password or a key; set up a key: ssh-copy-id %1$s"},
	{"Host key verification failed", "%1$s is not known yet; connect once by hand: %2$s"},
	{"command not found",
		"wavedeck is not installed on %1$s; copy it there: wavedeck install --via '%2$s', or name its path: --via '%2$s /PATH/wavedeck'"},
};

/* This machine's shell did not find the command itself: "sh: 1: srun: not found". */
static bool is_command_missing(const struct via_end *end, char *out, size_t size)
{
	int length = (int)strcspn(end->via, " \t");
	char *mark = xasprintf("%.*s: not found", length, end->via),
	     *other = xasprintf("%.*s: command not found", length, end->via);
	bool missing = strstr(end->last_line, mark) || strstr(end->last_line, other);
	if (missing)
		snprintf(out, size, "%.*s is not installed on this machine; install it", length, end->via);
	free(mark);
	free(other);
	return missing;
}

static const char *find_cause(const struct via_end *end)
{
	bool no_program = WIFEXITED(end->status) && WEXITSTATUS(end->status) == NO_PROGRAM;
	for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
		if (strstr(end->last_line, causes[i].mark))
			return causes[i].format;
	return no_program ? causes[sizeof causes / sizeof *causes - 1].format : NULL;
}

static bool describe_failed_start(const struct via_end *end, char *out, size_t size, bool *hopeless)
{
	if ((*hopeless = is_command_missing(end, out, size)))
		return true;
	char *connection = via_copy_connection(end->via);
	const char *cause = find_cause(end);
	*hopeless = cause != NULL;
	if (cause)
		snprintf(out, size, cause, end->label, connection);
	else if (*end->last_line)
		snprintf(out, size, "no worker started with '%s': %s", connection, end->last_line);
	else
		snprintf(out, size, "no worker started with '%s', which ended with status %d", connection,
			WIFEXITED(end->status) ? WEXITSTATUS(end->status) : 128 + WTERMSIG(end->status));
	free(connection);
	return true;
}

bool via_describe_end(const struct via_end *end, char *out, size_t size, bool *hopeless)
{
	*hopeless = false;
	if (!end->greeted)
		return describe_failed_start(end, out, size, hopeless);
	bool of_worker = WIFEXITED(end->status) && WEXITSTATUS(end->status) && WEXITSTATUS(end->status) != SSH_FAILED;
	if (of_worker)
		return false;
	snprintf(out, size, "lost the connection to %s%s%s%s%s", end->label, *end->doing ? " while " : "", end->doing,
		*end->last_line ? ": " : "", end->last_line);
	return true;
}
