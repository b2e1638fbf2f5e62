/* A ring buffer of log lines. Any thread may write; readers use the main thread. */
#include "base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { KEPT = 1000, WIDTH = 400 };
static struct {
	enum log_level level;
	time_t at;
	char text[WIDTH];
} ring[KEPT];
static size_t count;
static enum log_level to_stderr = LOG_WARNING;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void log_to_stderr(enum log_level least)
{
	to_stderr = least;
}
size_t log_line_count(void)
{
	return count;
}

const char *log_get_line(size_t index, enum log_level *level)
{
	if (index >= count || index + KEPT < count)
		return NULL;
	if (level)
		*level = ring[index % KEPT].level;
	return ring[index % KEPT].text;
}

long long log_line_time(size_t index)
{
	return index >= count || index + KEPT < count ? 0 : (long long)ring[index % KEPT].at;
}

void log_printf(enum log_level level, const char *fmt, ...)
{
	pthread_mutex_lock(&lock);
	char *text = ring[count % KEPT].text;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, WIDTH, fmt, ap);
	va_end(ap);
	text[strcspn(text, "\n")] = 0;
	ring[count % KEPT].level = level;
	ring[count % KEPT].at = time(NULL);
	count++;
	if (level >= to_stderr)
		fprintf(stderr, "wavedeck: %s\n", text);
	pthread_mutex_unlock(&lock);
}
