/* Compares recorded sessions of one experiment: their common points, ratios to the first session, whether a difference
 * exceeds the noise, other differences, and the skipped points with the reason. */
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
	size_t at[COMPARE_MAX]; /* indexes of the points with the same parameters in all sessions */
};
struct excluded_point {
	int side;
	size_t at;
	char *why;
}; /* a point that another session does not have, or that cannot be trusted */
struct side_value;

struct session_comparison {
	struct compared_session sides[COMPARE_MAX];
	int count;
	struct comparison_row *rows; /* in the order of the first session */
	size_t row_count;
	struct side_value *values; /* of each row, session and metric: read in one pass */
	struct excluded_point *left;
	size_t left_count;
};

/* Borrows names and sessions. False with one line if the sessions are of different experiments. Without a common point,
 * row_count is 0. */
bool comparison_make(struct session_comparison *c, const char *const *names, const struct session *const *sessions,
	int count, struct err *e);
void comparison_free(struct session_comparison *c);

enum comparison_verdict {
	COMPARED_SAME,
	COMPARED_DIFFERENT,
	COMPARED_FAULT /* one of the two points is not trusted */,
	COMPARED_MISSING /* a reading is not available */
};
struct compared_value {
	struct reading value;
	double low, high; /* quartiles; equal without samples */
	double ratio;     /* to the first session; only if has_ratio */
	bool has_ratio;   /* same or different, and the first session's value is not 0 */
	enum comparison_verdict verdict;
};
/* The value of a metric (a column of the first session) in a row and session. For two deterministic devices, values are
 * the same if they are equal; otherwise, if the quartiles of their samples overlap. */
struct compared_value comparison_value_at(const struct session_comparison *c, size_t row, int metric, int side);
const char *comparison_verdict_text(enum comparison_verdict v); /* "same", "differs", "!", "-" */

struct comparison_summary {
	size_t compared, same, left_out;
	double median_ratio, least, most;
};
struct comparison_summary comparison_summarize(const struct session_comparison *c, int metric, int side);

/* The point of a row in the first session. Valid until other points of the session are read. */
const json_t *comparison_first_point(const struct session_comparison *c, size_t row);
const json_t *comparison_excluded_point(const struct session_comparison *c, size_t i);
/* "stride=4 KiB variant=published": the swept parameters of a point; the caller frees it. */
char *comparison_format_point(const struct session_comparison *c, const json_t *point);
/* A parameter's plain value or name; the caller frees it. */
char *column_param_plain_text(const struct column *c, const json_t *point);
/* The same with bytes as "4 KiB", for tables; other units belong in the column's head. */
char *column_param_format(const struct column *c, const json_t *point);

/* --- other differences (session_differences.c) --- */
struct difference {
	char *what;
	char *values[COMPARE_MAX];
}; /* "": the session has no value */
struct differences {
	struct difference *list;
	int count;
};
/* Finds differences in device, constants, versions, definition, program, compilers, kernels and core clock. */
void differences_make(const struct session_comparison *c, struct differences *out);
void differences_free(struct differences *d);

#endif
