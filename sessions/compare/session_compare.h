/* Recorded sessions of one experiment held against each other: points that all of them have, ratios to the first
 * session, whether a difference is more than noise, what else differs, and which points say nothing and why. */
#ifndef SESSIONS_COMPARE_SESSION_COMPARE_H
#define SESSIONS_COMPARE_SESSION_COMPARE_H

#include "sessions/load/session_columns.h"
#include "sessions/session.h"

enum { COMPARE_MAX = 8 };

struct compared_session {
	const char *name;
	const struct session *session;
	struct session_columns columns;
	bool deterministic;
};
struct comparison_row {
	const json_t *points[COMPARE_MAX];
}; /* the same parameters in all */
struct excluded_point {
	int side;
	const json_t *point;
	char *why;
}; /* a point without partner, or a row that gives no ratio */

struct session_comparison {
	struct compared_session sides[COMPARE_MAX];
	int count;
	struct comparison_row *rows; /* in the order of the first session */
	size_t row_count;
	struct excluded_point *left;
	size_t left_count;
};

/* Borrows names and sessions. False with one line when they are of different experiments. No point in common is no
 * error: row_count is 0. */
bool comparison_make(struct session_comparison *c, const char *const *names, const struct session *const *sessions,
	int count, struct err *e);
void comparison_free(struct session_comparison *c);

enum comparison_verdict {
	COMPARED_SAME,
	COMPARED_DIFFERENT,
	COMPARED_FAULT /* one of the two is not to be trusted */,
	COMPARED_MISSING /* a reading is not there */
};
struct compared_value {
	struct reading value;
	double low, high; /* quartiles; equal without samples */
	double ratio; /* to the first session; only where the verdict is one of the first two and the first is not 0 */
	bool has_ratio;
	enum comparison_verdict verdict;
};
/* A metric of the first session's columns, at a row, of a side (0: the first, compared with itself). Two deterministic
 * devices are the same when their numbers are; others when the quartiles of their samples overlap. */
struct compared_value comparison_value_at(const struct session_comparison *c, size_t row, int metric, int side);
const char *comparison_verdict_text(enum comparison_verdict v); /* "same", "differs", "!", "-" */

struct comparison_summary {
	size_t compared, same, left_out;
	double median_ratio, least, most;
};
struct comparison_summary comparison_summarize(const struct session_comparison *c, int metric, int side);

/* "4 KiB, published": the values of a point that vary in the comparison's first session, for a person. */
char *comparison_format_point(const struct session_comparison *c, const json_t *point);
/* A parameter's plain value or name; the caller frees it. */
char *column_param_plain_text(const struct column *c, const json_t *point);
/* The same for a person: bytes in binary steps, so that only other units have to stand above. */
char *column_param_format(const struct column *c, const json_t *point);

/* --- what else differs (session_differences.c) --- */
struct difference {
	char *what;
	char *values[COMPARE_MAX];
}; /* "" where a session does not say */
struct differences {
	struct difference *list;
	int count;
};
/* Device, constants, versions, definition, program, compilers, kernels and the range of the core clock. */
void differences_make(const struct session_comparison *c, struct differences *out);
void differences_free(struct differences *d);

#endif
