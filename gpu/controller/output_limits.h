/* How much a worker may send that is no answer: a worker that floods must not keep the front end busy, fill its
 * memory or push everything else out of the log. */
#ifndef GPU_CONTROLLER_OUTPUT_LIMITS_H
#define GPU_CONTROLLER_OUTPUT_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

enum {
	/* Bytes that are read in one turn: to handle them takes about 10 ms. */
	OUTPUT_TURN = 256 << 10,
	ERRORS_TURN = 64 << 10,
};

struct output_limits {
	long long lines, bytes;             /* that are not records, or that answer nothing */
	long long error_lines, error_bytes; /* standard error since the last point */
	long long second;                   /* that `records` and `logged` belong to */
	int records, logged;
	bool greeted; /* after the worker's hello; a login may print a text before it */
};

/* False if it is too much; `why` says what: "it sent 100 lines that are not records". */
bool output_count_stray(struct output_limits *o, size_t bytes, char *why, size_t size);
bool output_count_errors(struct output_limits *o, size_t bytes, char *why, size_t size);
/* A record that is not the answer to a job. `now` in ms. */
bool output_count_record(struct output_limits *o, long long now, char *why, size_t size);
/* Whether one more line of this worker goes to the log. *last: it is the last one for now. */
bool output_may_log(struct output_limits *o, long long now, bool *last);

#endif
