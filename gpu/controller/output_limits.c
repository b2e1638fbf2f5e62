#include "gpu/controller/output_limits.h"

#include <stdio.h>

enum {
	STRAY_LINES = 100,
	BANNER_LINES = 1000, /* before hello: a login's messages */
	STRAY_BYTES = 64 << 20,
	/* A kernel's printf goes to standard error. */
	ERROR_LINES = 1000000,
	ERROR_BYTES = 64 << 20,
	/* Progress and clocks come ten times a second, states twice for each point. */
	RECORDS_A_SECOND = 20000,
	LOGGED_A_SECOND = 100,
};

static void begin_second(struct output_limits *o, long long now)
{
	if (o->second == now / 1000)
		return;
	o->second = now / 1000;
	o->records = o->logged = 0;
}

bool output_count_stray(struct output_limits *o, size_t bytes, char *why, size_t size)
{
	o->lines++;
	o->bytes += (long long)bytes;
	if (o->lines < (o->greeted ? STRAY_LINES : BANNER_LINES) && o->bytes < STRAY_BYTES)
		return true;
	if (o->bytes >= STRAY_BYTES)
		snprintf(why, size, "it sent %lld MiB that are not records", o->bytes >> 20);
	else
		snprintf(why, size, "it sent %lld lines that are not records", o->lines);
	return false;
}

bool output_count_errors(struct output_limits *o, size_t bytes, char *why, size_t size)
{
	o->error_lines++;
	o->error_bytes += (long long)bytes;
	if (o->error_lines < ERROR_LINES && o->error_bytes < ERROR_BYTES)
		return true;
	if (o->error_bytes >= ERROR_BYTES)
		snprintf(why, size, "it wrote %lld MiB to standard error", o->error_bytes >> 20);
	else
		snprintf(why, size, "it wrote %lld lines to standard error", o->error_lines);
	return false;
}

bool output_count_record(struct output_limits *o, long long now, char *why, size_t size)
{
	begin_second(o, now);
	if (++o->records < RECORDS_A_SECOND)
		return true;
	snprintf(why, size, "it sent %d records in a second that answer no job", o->records);
	return false;
}

bool output_may_log(struct output_limits *o, long long now, bool *last)
{
	begin_second(o, now);
	o->logged += o->logged <= LOGGED_A_SECOND;
	*last = o->logged == LOGGED_A_SECOND;
	return o->logged <= LOGGED_A_SECOND;
}
