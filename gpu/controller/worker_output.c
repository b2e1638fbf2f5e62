/* Reads what a worker writes: lines with records, other lines, and standard error. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/host_clock.h"
#include "gpu/controller/controller_state.h"
#include "gpu/protocol/record.h"

/* --- limits --- */
enum { STRAY_LOGGED = 3 /* lines that are not records */ };

void controller_count_stray(struct worker_controller *w, size_t bytes)
{
	char why[120];
	if (!output_count_stray(&w->limits, bytes, why, sizeof why))
		controller_kill_flooder(w, why);
}

void controller_log_line(struct worker_controller *w, enum log_level level, const char *before, const char *text)
{
	bool last;
	if (!output_may_log(&w->limits, now_ms(), &last))
		return;
	log_printf(level, "%s%.300s", before, text);
	if (last)
		log_printf(level, "the worker writes more lines in this second; they are left out");
}

/* --- lines --- */
/* A login may print a text before the worker starts. */
static void handle_line(struct worker_controller *w, const char *line, size_t n)
{
	json_t *r = *line == '{' ? json_loadb(line, n, 0, NULL) : NULL;
	if (r && controller_handle_record(w, r))
		return;
	json_decref(r);
	controller_count_stray(w, n);
	if (w->limits.lines > STRAY_LOGGED)
		return;
	bool banner = w->via && !w->limits.greeted;
	char *text = xasprintf("%.*s", (int)(n < 120 ? n : 120), line);
	controller_log_line(
		w, banner ? LOG_INFO : LOG_WARNING, "ignored a line from the worker that is not a record: ", text);
	free(text);
}

/* What ROCm's libraries print although the worker goes on without them: HIP that does not know a GPU's target, where
 * the worker writes the driver's queues itself (gpu/backends/aql). */
static bool line_is_expected(const char *line)
{
	static const char *const expected[] = {"Warning: Agent creation failed."};
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		if (!strncmp(line, expected[i], strlen(expected[i])))
			return true;
	return false;
}

static void handle_stderr_line(struct worker_controller *w, const char *line, size_t n)
{
	char why[120];
	stderr_summary_add(&w->summary, line);
	controller_log_line(w, line_is_expected(line) ? LOG_DEBUG : LOG_INFO, "worker: ", line);
	if (!output_count_errors(&w->limits, n, why, sizeof why))
		controller_kill_flooder(w, why);
}

/* Passes every complete line of `b` to `handle`, and an endless one in parts. */
static void handle_lines(
	struct worker_controller *w, struct buf *b, void (*handle)(struct worker_controller *, const char *, size_t))
{
	size_t at = 0;
	for (char *nl; at < b->len && !w->ignored && (nl = memchr(b->data + at, '\n', b->len - at));
		at = (size_t)(nl - b->data) + 1) {
		*nl = 0;
		if (nl > b->data + at)
			handle(w, b->data + at, (size_t)(nl - b->data) - at);
	}
	buf_consume(b, w->ignored ? b->len : at);
	if (b->len > RECORD_LINE_MAX) {
		handle(w, "(an endless line)", b->len);
		buf_clear(b);
	}
}

/* --- bytes --- */
/* Reads what is available, at most about `most` bytes; true if there was something. */
static bool read_available(int *fd, struct buf *b, size_t most)
{
	char bytes[16384];
	size_t got = 0;
	while (*fd >= 0 && got < most) {
		ssize_t n = read(*fd, bytes, sizeof bytes);
		if (n > 0) {
			buf_add(b, bytes, (size_t)n);
			got += (size_t)n;
		} else if (n < 0 && errno == EINTR) {
			continue;
		} else {
			if (n == 0 || errno != EAGAIN)
				worker_spawn_close(fd);
			break;
		}
	}
	return got > 0;
}

bool controller_read_output(struct worker_controller *w)
{
	bool records = read_available(&w->process.out, &w->from, OUTPUT_TURN);
	if (records) {
		w->heard = now_ms();
		handle_lines(w, &w->from, handle_line);
	}
	bool errors = read_available(&w->process.err, &w->err_text, ERRORS_TURN);
	if (errors)
		handle_lines(w, &w->err_text, handle_stderr_line);
	return records || errors;
}

void controller_read_rest(struct worker_controller *w)
{
	while (controller_read_output(w) && !w->ignored)
		;
	if (w->err_text.len)
		handle_stderr_line(w, w->err_text.data, w->err_text.len); /* the last line has no newline */
}

void controller_discard_output(struct worker_controller *w)
{
	read_available(&w->process.out, &w->from, OUTPUT_TURN);
	read_available(&w->process.err, &w->err_text, ERRORS_TURN);
	buf_clear(&w->from);
	buf_clear(&w->err_text);
}
