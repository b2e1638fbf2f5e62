/* What a cause costs a launch: the same launch on a device that is the same, but for one ideal part. The difference in
 * cycles is the cost. Costs of several causes do not add up, because a wave that no longer waits for one thing may wait
 * for another. */
#ifndef EXPERIMENTS_ANALYSIS_WHAT_IF_H
#define EXPERIMENTS_ANALYSIS_WHAT_IF_H

#include <jansson.h>

#include "base/err.h"
#include "experiments/definition/sweep_plan.h"
#include "gpu/protocol/stalls/ideal_causes.h"

/* The devices of a study: as it is, with each ideal part, and with all of them. */
enum { WHAT_IF_AS_IT_IS, WHAT_IF_FIRST, WHAT_IF_ALL = WHAT_IF_FIRST + IDEAL_PARTS, WHAT_IF_DEVICES };

/* Less of a launch's cycles is no cost: the order in which its waves meet makes as much. */
#define WHAT_IF_LEAST 0.005

struct what_if_result {
	bool measured;
	double cycles;
	char digest[20]; /* of the memory after the launch; "": not known */
	char why[200];   /* why it was not measured */
};

struct what_if {
	struct what_if_result result[WHAT_IF_DEVICES];
};

/* "soft:mi25,ideal=l1"; false with one line: the device is no software GPU, or has ideal parts already. */
bool what_if_device(const char *device, int number, char *out, size_t size, struct err *e);

/* "LDS bank conflicts", "all of these". */
const char *what_if_cause(int number);

/* Sets what a plan must measure for a study. */
void what_if_prepare_plan(struct plan *p);
/* From the record of its point. */
void what_if_take(struct what_if *w, int number, const json_t *record);

/* The part of the cycles as it is that this device saves, 0 to 1; below 0: it takes longer. NAN: not measured. */
double what_if_saved(const struct what_if *w, int number);
/* Whether it has left other results in memory, so that its cycles are those of another computation. */
bool what_if_changes_results(const struct what_if *w, int number);
/* "41 % of the launch, 12345 cycles, without LDS bank conflicts"; "": not measured. */
char *what_if_format_cost(const struct what_if *w, int number, char *out, size_t size);
/* The numbers of the causes that save at least `least`, largest first; returns how many. */
int what_if_order(const struct what_if *w, double least, int out[IDEAL_PARTS]);
/* The record of a session: {"type":"what_if",..}, docs/protocol.md. `params`: of the point. The caller owns it. */
json_t *what_if_make_record(const struct what_if *w, const json_t *params);

#endif
