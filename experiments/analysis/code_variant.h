/* What an experiment's code can be compared with: the same point with one parameter changed, or with the edited copy of
 * its kernel. */
#ifndef EXPERIMENTS_ANALYSIS_CODE_VARIANT_H
#define EXPERIMENTS_ANALYSIS_CODE_VARIANT_H

#include "experiments/definition/experiment.h"

/* The edited copy of the experiment (kernel_copy.h); NULL when there is none, or with one line when it does not load.
 * The catalog's. */
struct experiment *variant_load_edited(struct experiment *x, struct err *e);
/* `word`: a choice of one of its parameters, or NAME=VALUE. Changes `values`. */
bool variant_apply_word(const struct experiment *x, const char *word, double *values, struct err *e);

#endif
