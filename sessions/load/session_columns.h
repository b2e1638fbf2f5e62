/* The columns of a session's table, from "columns" in its header (docs/protocol.md), or derived from its other
 * members if it has none. */
#ifndef SESSIONS_LOAD_SESSION_COLUMNS_H
#define SESSIONS_LOAD_SESSION_COLUMNS_H

#include <jansson.h>
#include <stdbool.h>

#include "gpu/protocol/record.h"

enum { COLUMNS_MAX = 32 };

/* Everything is borrowed from the header. */
struct column {
	const char *id, *unit;
	int axis;              /* of a metric: 0 left, 1 right, 2 the x axis, -1 not drawn */
	bool log;              /* a parameter that doubles, or a metric with a logarithmic axis */
	bool line;             /* of a metric: an upper bound, drawn without marks */
	const json_t *choices; /* names of a parameter's values; NULL: numbers */
};

struct session_columns {
	struct column params[COLUMNS_MAX], metrics[COLUMNS_MAX], counters[COLUMNS_MAX];
	int param_count, metric_count, counter_count;
	const char *swept[COLUMNS_MAX]; /* parameters with more than one value, slowest first */
	int swept_count;
	int x_metric; /* the metric on the x axis; -1: a parameter */
};

/* How many curves the session has: combinations of its swept parameters, the fastest one aside. */
size_t session_curve_count(const json_t *header);
void columns_read(const json_t *header, struct session_columns *out);
/* A parameter of a point: its number, or the name of a choice (*name is NULL otherwise). */
struct reading column_param(const struct column *c, const json_t *point, const char **name);
struct reading column_metric(const struct column *c, const json_t *point);
/* The quartiles of a metric over the point's samples, as recorded. Older sessions do not have them: then the relative
 * spread of the samples is applied to the metric. With fewer than two samples, returns false and both are the value. */
bool column_quartiles(const struct column *c, const json_t *point, double *low, double *high);
/* The 95 % confidence interval of the metric's median. Older sessions have it of the times only: then its farther end
 * is applied to both sides of the metric. Without one, returns false and both are the value. */
bool column_interval(const struct column *c, const json_t *point, double *low, double *high);
struct reading column_counter(const struct column *c, const json_t *point);
/* Why the numbers of a point cannot be used, in one line: it failed, its result is wrong, or a metric's function
 * failed. False and "" if they can be used. */
bool point_describe_fault(const json_t *point, char *out, size_t size);
/* Whether it has no value: it was not measured, or the function of a metric failed. */
bool point_has_failed(const json_t *point);
bool point_has_wrong_result(const json_t *point); /* measured, but the result differs from the reference */

#endif
