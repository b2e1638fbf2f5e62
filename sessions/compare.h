/* Recorded sessions of one experiment held against each other: points that all of them have, ratios to the first
 * session, whether a difference is more than noise, what else differs, and which points say nothing and why. */
#ifndef SESSIONS_COMPARE_H
#define SESSIONS_COMPARE_H

#include "sessions/columns.h"
#include "sessions/session.h"

enum { COMPARE_MAX = 8 };

struct compare_side {
	const char *name;
	const struct session *session;
	struct session_columns columns;
	bool deterministic;
};
struct compare_row {
	const json_t *points[COMPARE_MAX];
}; /* the same parameters in all */
struct left_out {
	int side;
	const json_t *point;
	char *why;
}; /* a point without partner, or a row that gives no ratio */

struct session_comparison {
	struct compare_side sides[COMPARE_MAX];
	int count;
	struct compare_row *rows; /* in the order of the first session */
	size_t row_count;
	struct left_out *left;
	size_t left_count;
};

/* Borrows names and sessions. False with one line when they are of different experiments. No point in common is no
 * error: row_count is 0. */
bool compare_make(struct session_comparison *c, const char *const *names, const struct session *const *sessions,
	int count, struct err *e);
void compare_free(struct session_comparison *c);

enum verdict {
	COMPARED_SAME,
	COMPARED_OTHER,
	COMPARED_FAULT /* one of the two is not to be trusted */,
	COMPARED_MISSING /* a reading is not there */
};
struct compared {
	struct reading value;
	double low, high; /* quartiles; equal without samples */
	double ratio; /* to the first session; only where the verdict is one of the first two and the first is not 0 */
	bool has_ratio;
	enum verdict verdict;
};
/* A metric of the first session's columns, at a row, of a side (0: the first, compared with itself). Two deterministic
 * devices are the same when their numbers are; others when the quartiles of their samples overlap. */
struct compared compare_at(const struct session_comparison *c, size_t row, int metric, int side);
const char *verdict_text(enum verdict v); /* "same", "differs", "!", "-" */

struct compare_summary {
	size_t compared, same, left_out;
	double median_ratio, least, most;
};
struct compare_summary compare_summary(const struct session_comparison *c, int metric, int side);

/* "4 KiB, published": the values of a point that vary in the comparison's first session, for a person. */
char *compare_point_name(const struct session_comparison *c, const json_t *point);
/* A parameter's plain value or name; the caller frees it. */
char *column_param_text(const struct column *c, const json_t *point);
/* The same for a person: bytes in binary steps, so that only other units have to stand above. */
char *column_param_shown(const struct column *c, const json_t *point);

/* --- what else differs (differences.c) --- */
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
