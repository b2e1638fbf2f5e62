#include "captures/replay_check.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/input_file.h"
#include "gpu/protocol/record.h"
#include "gpu/softgpu-link/captured_file.h"

enum { PROCESSES_MAX = 8, POLL_MS = 100, ANSWER_BYTES = 512 /* one write to a pipe, which stays in one piece */ };

/* Processes that take every `count`-th launch, and the pipe for their answers: "NUMBER SHARE STALL|REASON" and a
 * newline; STALL and REASON may be empty. */
struct check {
	const char *folder;
	json_t *launches;
	pid_t process[PROCESSES_MAX];
	int count, answers;
	bool *answered; /* by launch */
	size_t done;
};

static bool can_run(const json_t *launch)
{
	return !*record_get_text(launch, "reason");
}

/* --- a process --- */
static void answer_launch(const struct check *c, size_t i, int to)
{
	char text[ANSWER_BYTES], why[300] = "";
	char *file = xasprintf("%s/%s", c->folder, record_get_text(json_array_get(c->launches, i), "file"));
	struct captured_stall stall;
	captured_file_replay(file, &stall, why, sizeof why);
	int n = snprintf(text, sizeof text, "%zu %.3f %s|%s\n", i, stall.share, stall.name, why);
	(void)!write(to, text, (size_t)n);
	free(file);
}

static void answer_launches(const struct check *c, int first, int to)
{
	signal(SIGINT, SIG_IGN); /* the parent ends us */
	for (size_t i = (size_t)first; i < json_array_size(c->launches); i += (size_t)c->count)
		if (can_run(json_array_get(c->launches, i)))
			answer_launch(c, i, to);
	_exit(0);
}

static bool start_processes(struct check *c, struct err *e)
{
	int ends[2];
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	size_t launches = json_array_size(c->launches);
	c->count = (int)(cores < 1 ? 1 : cores > PROCESSES_MAX ? PROCESSES_MAX : cores);
	c->count = (size_t)c->count > launches ? (int)launches : c->count;
	if (pipe(ends))
		return err_set(e, ST_FAILED, "cannot start a process: %s", strerror(errno));
	for (int i = 0; i < c->count; i++) {
		c->process[i] = fork();
		if (!c->process[i]) {
			close(ends[0]);
			answer_launches(c, i, ends[1]);
		}
	}
	close(ends[1]);
	c->answers = ends[0];
	fcntl(c->answers, F_SETFL, O_NONBLOCK); /* a launch may take hours, and Ctrl-C must not wait for it */
	return true;
}

/* --- the answers --- */
static void note_answer(struct check *c, char *line)
{
	char *rest;
	size_t i = strtoull(line, &rest, 10);
	double share = strtod(rest, &rest);
	char *why = strchr(rest, '|');
	json_t *launch = json_array_get(c->launches, i);
	if (!launch || c->answered[i] || *rest != ' ' || !why)
		return;
	*why++ = 0;
	c->answered[i] = true;
	c->done++;
	if (*why)
		json_object_set_new(launch, "reason", json_utf8_string(why));
	if (rest[1])
		json_object_set_new(launch, "stall", json_pack("{s:s, s:f}", "stall_reason", rest + 1, "share", share));
}

/* Returns when the processes have ended; false: progress returned false. */
static bool read_answers(
	struct check *c, bool (*progress)(void *ctx, size_t done, size_t total), void *ctx, size_t total)
{
	struct line_reader *r = line_reader_new(c->answers, ANSWER_BYTES);
	struct pollfd p = {.fd = c->answers, .events = POLLIN};
	struct text_line line;
	enum line_status status;
	bool go = true, ended = false;
	while (go && !ended) {
		poll(&p, 1, POLL_MS);
		while ((status = line_reader_step(r, &line)) == LINE_READY)
			note_answer(c, line.text);
		ended = status == LINE_END && line_reader_error(r) != EAGAIN;
		go = ended || !progress || progress(ctx, c->done, total);
	}
	line_reader_free(r); /* and the pipe */
	return go;
}

static void end_processes(struct check *c, bool kill_them)
{
	for (int i = 0; i < c->count; i++) {
		if (c->process[i] <= 0)
			continue;
		if (kill_them)
			kill(c->process[i], SIGKILL);
		while (waitpid(c->process[i], NULL, 0) < 0 && errno == EINTR)
			;
	}
}

/* A process that ended early has answered none of the rest. */
static void note_missing_answers(struct check *c)
{
	for (size_t i = 0; i < json_array_size(c->launches); i++) {
		json_t *launch = json_array_get(c->launches, i);
		if (!c->answered[i] && can_run(launch))
			json_object_set_new(launch, "reason", json_string("the process that ran it again ended early"));
	}
}

bool replay_check_launches(const char *folder, json_t *launches, bool (*progress)(void *ctx, size_t done, size_t total),
	void *ctx, struct err *e)
{
	struct check c = {.folder = folder, .launches = launches};
	size_t total = 0;
	for (size_t i = 0; i < json_array_size(launches); i++)
		total += can_run(json_array_get(launches, i));
	if (!total)
		return true;
	if (!captured_file_load_library(e) || !start_processes(&c, e))
		return false;
	c.answered = xcalloc(json_array_size(launches), sizeof *c.answered);
	bool complete = read_answers(&c, progress, ctx, total);
	end_processes(&c, !complete);
	if (complete)
		note_missing_answers(&c);
	free(c.answered);
	return complete || err_set(e, ST_INTERRUPTED, "interrupted");
}
