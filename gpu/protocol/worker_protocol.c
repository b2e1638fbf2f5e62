/* Sends and receives records in the worker process. */
#include "gpu/protocol/worker_protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input_file.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/worker_folder.h"

enum { PRIVATE_FD = 60 }; /* above the descriptors that libraries use */

static int out = 1;
static pthread_mutex_t out_lock = PTHREAD_MUTEX_INITIALIZER;
static struct line_reader *requests; /* the reader thread's */

/* With few descriptors any number does: the worker only reports that. */
static int move_descriptor(int fd)
{
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, PRIVATE_FD);
	return moved >= 0 ? moved : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

void protocol_open(void)
{
	signal(SIGPIPE, SIG_IGN);
	requests = line_reader_new(move_descriptor(0), RECORD_LINE_MAX);
	out = move_descriptor(1);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null >= 0) {
		dup2(null, 0);
		close(null);
	}
	dup2(2, 1);
}

static void write_all(const char *bytes, size_t n)
{
	while (n) {
		ssize_t done = write(out, bytes, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			worker_exit(0); /* the front end is gone */
		bytes += done;
		n -= (size_t)done;
	}
}

void protocol_send(json_t *record)
{
	char *line = record_format_line(record);
	pthread_mutex_lock(&out_lock);
	write_all(line, strlen(line));
	pthread_mutex_unlock(&out_lock);
	free(line);
	json_decref(record);
}

void protocol_log(const char *level, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	protocol_send(json_pack("{s:s,s:s,s:s*}", "type", "log", "level", level, "text", text));
}

static json_t *parse_request(const char *line, size_t n)
{
	json_error_t bad;
	json_t *r = json_loadb(line, n, 0, &bad);
	if (r && *record_get_type(r))
		return r;
	protocol_log("warning", "ignored a request that is not a record (%s)", r ? "\"type\" is missing" : bad.text);
	json_decref(r);
	return NULL;
}

/* NULL if the line is not a record. */
static json_t *take_request(const struct text_line *line)
{
	if (line->too_long)
		protocol_log("warning", "skipped a request of %zu bytes; a request has at most %d MiB", line->length,
			RECORD_LINE_MAX >> 20);
	return line->length && !line->too_long ? parse_request(line->text, line->length) : NULL;
}

/* A last line without an end is of a front end that died while it wrote. */
json_t *protocol_read(void)
{
	struct text_line line;
	json_t *r = NULL;
	while (!r && line_reader_next(requests, &line) && line.ended)
		r = take_request(&line);
	return r;
}
