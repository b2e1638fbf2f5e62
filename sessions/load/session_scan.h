/* Reads a session file in slices and collects a summary for lists, and the positions of its points. Points are parsed
 * only on demand. */
#ifndef SESSIONS_LOAD_SESSION_SCAN_H
#define SESSIONS_LOAD_SESSION_SCAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct session_summary {
	json_t *header; /* NULL: not a session */
	size_t points, samples;
	size_t expected; /* points of the sweep, from the header */
	/* numbers of points: not measured, wrong result, unexpected instructions, clock moved, not verified */
	size_t failed, wrong, broken, moved, unverified;
	size_t bad_lines;
	bool torn, ended; /* the last line is incomplete; the file has an end record */
	bool recording;   /* a program is writing the file; set by the library */
	char note[160];   /* the last note; "": none */
	size_t notes;
};

struct session_scan;
/* NULL with one line in `e` if the file cannot be read. `keep` enables session_scan_read_point. */
struct session_scan *session_scan_open(const char *path, bool keep, struct err *e);
void session_scan_close(struct session_scan *s);
/* Reads about `bytes` more bytes; false at the end of the file. */
bool session_scan_read(struct session_scan *s, size_t bytes);
const struct session_summary *session_scan_summary(const struct session_scan *s); /* of the part read so far */
/* Reads and parses point `i` without its samples (record_sample_count returns their number) and without code that the
 * file has elsewhere; the caller owns it. NULL on failure. */
json_t *session_scan_read_point(const struct session_scan *s, size_t i);

struct session_summary session_summary_copy(const struct session_summary *s);
void session_summary_free(struct session_summary *s);
/* The warnings about a session, the most serious first: "2 clocks moved, truncated"; "clean" without any. */
char *session_summary_format(const struct session_summary *s, char *out, size_t size);
bool session_summary_is_clean(const struct session_summary *s);

#endif
