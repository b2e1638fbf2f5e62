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

#include "base/buf.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/worker_folder.h"

enum { PRIVATE_FD = 60 }; /* above the descriptors that libraries use */

static int in = 0, out = 1;
static pthread_mutex_t out_lock = PTHREAD_MUTEX_INITIALIZER;
static struct buf unread; /* the reader thread's */

/* With few descriptors any number does: the worker only reports that. */
static int move_descriptor(int fd)
{
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, PRIVATE_FD);
	return moved >= 0 ? moved : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

void protocol_open(void)
{
	signal(SIGPIPE, SIG_IGN);
	in = move_descriptor(0);
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

/* Removes the first complete line from `unread` and parses it; NULL if it is not a record. *more: there was a line. */
static json_t *take_request(bool *more)
{
	char *nl = unread.len ? memchr(unread.data, '\n', unread.len) : NULL;
	*more = nl != NULL;
	if (!nl)
		return NULL;
	size_t n = (size_t)(nl - unread.data);
	json_t *r = n ? parse_request(unread.data, n) : NULL;
	buf_consume(&unread, n + 1);
	return r;
}

json_t *protocol_read(void)
{
	for (;;) {
		bool more = true;
		while (more) {
			json_t *r = take_request(&more);
			if (r)
				return r;
		}
		char bytes[8192];
		ssize_t n = read(in, bytes, sizeof bytes);
		if (n > 0)
			buf_add(&unread, bytes, (size_t)n);
		else if (n == 0 || errno != EINTR)
			return NULL;
	}
}
