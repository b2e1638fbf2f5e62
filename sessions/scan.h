/* A session file read in slices: what a list needs to know of it, and where its points are, without parsing them. A
 * record is parsed when it is asked for. */
#ifndef SESSIONS_SCAN_H
#define SESSIONS_SCAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct summary {
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

struct scan;
/* NULL with one line when the file cannot be read. `keep`: for scan_point. */
struct scan *scan_open(const char *path, bool keep, struct err *e);
void scan_close(struct scan *s);
/* Reads about so many bytes more; false when there are none. */
bool scan_step(struct scan *s, size_t bytes);
const struct summary *scan_summary(const struct scan *s); /* of what was read up to now */
/* The i-th point's record, read and parsed now, without its samples (record_samples knows their number); the caller
 * owns it. NULL when it cannot be. */
json_t *scan_point(const struct scan *s, size_t i);

struct summary summary_copy(const struct summary *s);
void summary_free(struct summary *s);
/* "clean", "2 clocks moved, torn, 12 of 64 points": what is to be said of the session, the worst first. */
char *summary_quality(const struct summary *s, char *out, size_t size);
bool summary_clean(const struct summary *s);

#endif
