/* Compares the nodes or devices of a fleet: each point relative to its median over all of them. */
#ifndef CLI_BATCH_FLEET_TABLE_H
#define CLI_BATCH_FLEET_TABLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "sessions/join/session_join.h"

/* An outlier is more than OUTLIER_DEVIATIONS robust standard deviations (1.4826 times the median absolute deviation,
 * which for a normal distribution is the standard deviation) away from the median over the nodes, and at least
 * OUTLIER_LEAST: on nodes that are equal, noise is not an outlier. */
#define OUTLIER_DEVIATIONS 3.0
#define OUTLIER_LEAST      0.01

struct fleet_row {
	const char *node;
	int points;               /* compared; 0: none */
	double median, low, high; /* of its values relative to the medians over the nodes */
	bool outlier;
	char *differs; /* what its device differs in from that of most nodes; NULL: nothing */
};
struct fleet_table {
	struct fleet_row *rows; /* those furthest from 1 first, those without points last */
	int count;
	double spread; /* greatest minus least median */
	char metric[64];
};

/* `metric` NULL or "": the experiment's first. False with one line if no node has a value of it. */
bool fleet_table_make(struct fleet_table *t, const struct session_join *joins, const char *const *nodes, int count,
	const char *metric, struct err *e);
void fleet_table_free(struct fleet_table *t);
/* `what` a row is: "node" or "device". */
void fleet_table_print(const struct fleet_table *t, const char *what, FILE *out);
void fleet_table_print_csv(const struct fleet_table *t, const char *what, FILE *out);

#endif
