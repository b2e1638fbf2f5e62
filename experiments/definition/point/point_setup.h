/* What the functions of a definition return for a point: evaluated once and kept as long as the point needs it. The
 * check of the point, the order of a sweep and the job all read it. */
#ifndef EXPERIMENTS_DEFINITION_POINT_SETUP_H
#define EXPERIMENTS_DEFINITION_POINT_SETUP_H

#include "experiments/definition/experiment.h"

/* About 5 KiB, and as much again where the experiment measures another one. */
struct point_setup;

/* Calls the functions. Keeps their error, if one fails, for point_setup_build_job. `soft`, `arch`: the device, for the
 * defaults (default_values.h) in the job and of an experiment that it measures. point_setup_free. */
struct point_setup *point_setup_evaluate(struct experiment *x, const double *values, bool soft, const char *arch);
void point_setup_free(struct point_setup *s); /* NULL is allowed */

/* As experiment_eval_work. */
bool point_setup_get_work(const struct point_setup *s, double *out);

/* The job record (docs/protocol.md). NULL if a function of the definition failed ("file:line: ...") or the launch would
 * access memory outside its buffers. The sender adds the fields `job` and `point`. */
json_t *point_setup_build_job(const struct point_setup *s, bool verify, struct err *e);

#endif
