/* Code to compare an experiment's code with: the same point with another parameter value, or the edited kernel. */
#ifndef EXPERIMENTS_ANALYSIS_CODE_VARIANT_H
#define EXPERIMENTS_ANALYSIS_CODE_VARIANT_H

#include "experiments/definition/experiment.h"

/* The edited copy of the experiment (kernel_copy.h), owned by the catalog. NULL if there is none, or with an error if
 * it does not load. */
struct experiment *variant_load_edited(struct experiment *x, struct err *e);
/* Changes `values` by one word: NAME=VALUE, or a choice of one of the parameters. */
bool variant_apply_word(const struct experiment *x, const char *word, double *values, struct err *e);

#endif
