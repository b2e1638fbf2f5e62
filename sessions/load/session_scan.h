/* A session file read in slices: what a list needs to know of it, and where its points are, without parsing them. A
 * record is parsed when it is asked for. */
#ifndef SESSIONS_LOAD_SESSION_SCAN_H
#define SESSIONS_LOAD_SESSION_SCAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct session_summary {
	json_t *header;         /* NULL in what is no session */
	size_t points, samples; /* records; their samples */
	size_t expected;        /* points that the sweep has, by its header */
	size_t failed, wrong, broken, moved,
		unverified; /* of the points: no measurement, wrong result, contract, clock, not compared */
	size_t bad_lines;
	bool torn, ended; /* the last line is cut off; there is an end record */
	bool recording;   /* a program is writing it: for the library to say */
	char note[160];   /* the last one; "" without */
	size_t notes;
};

struct session_scan;
/* NULL with one line when the file cannot be read. `keep`: for session_scan_read_point. */
struct session_scan *session_scan_open(const char *path, bool keep, struct err *e);
void session_scan_close(struct session_scan *s);
/* Reads about so many bytes more; false when there are none. */
bool session_scan_read(struct session_scan *s, size_t bytes);
const struct session_summary *session_scan_summary(const struct session_scan *s); /* of what was read up to now */
/* The i-th point's record, read and parsed now, without its samples (record_sample_count knows their number); the
 * caller owns it. NULL when it cannot be. */
json_t *session_scan_read_point(const struct session_scan *s, size_t i);

struct session_summary session_summary_copy(const struct session_summary *s);
void session_summary_free(struct session_summary *s);
/* "clean", "2 clocks moved, torn, 12 of 64 points": what is to be said of the session, the worst first. */
char *session_summary_format(const struct session_summary *s, char *out, size_t size);
bool session_summary_is_clean(const struct session_summary *s);

#endif
