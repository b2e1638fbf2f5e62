/* Parts of building a point's job that several files need. Private to experiments/definition. */
#ifndef EXPERIMENTS_DEFINITION_POINT_JOB_H
#define EXPERIMENTS_DEFINITION_POINT_JOB_H

#include "experiments/definition/definition.h"

/* Sets "FILE:LINE: FIELD: ..." and returns false. */
bool definition_set_field_error(const struct experiment *x, const char *field, struct err *e, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Adds "kernel" to the job or to its reference; `field` is where the definition has it. */
struct job_kernel_values {
	const char *file, *defines, *entry, *source;
	bool any_entry; /* a symbol may have '.' */
};
bool definition_add_kernel(
	json_t *to, const struct experiment *x, const char *field, const struct job_kernel_values *k, struct err *e);
/* Adds "grid", "block" and "dynamic_lds". */
struct job_launch_values {
	const double *grid, *block;
	double lds;
};
bool definition_add_launch(
	json_t *to, const struct experiment *x, const char *field, const struct job_launch_values *l, struct err *e);
bool definition_check_defines(const struct experiment *x, const char *field, const char *defines, struct err *e);
/* Adds "reference", and whether results are compared. */
bool definition_add_reference(json_t *job, const struct experiment *x, const double *values, const struct evaluation *v,
	bool verify, struct err *e);

#endif
