/* The default values of an experiment's parameters on a device: of full or reduced size, and with a variant of the
 * kernel that the device can run. */
#ifndef EXPERIMENTS_DEFINITION_DEFAULT_VALUES_H
#define EXPERIMENTS_DEFINITION_DEFAULT_VALUES_H

#include "experiments/definition/experiment.h"

/* The default of one parameter, whether or not the variant fits the target. */
double param_default_value(const struct param *p, bool soft, const char *arch);
/* Whether the software GPU has a default of its own on some target: the parameter is a size, and takes time. */
bool param_has_reduced_size(const struct param *p);
/* Whether it is the default on some device. */
bool param_is_some_default(const struct param *p, double value);
/* Whether `value` is the default of the software GPU with this target, and real devices have another one. */
bool param_is_reduced_to(const struct param *p, const char *arch, double value);
/* `soft`: sizes reduced for the software GPU; defaults of the target, where a parameter has some, replace them. `arch`:
 * the device's target; "": not known yet. Where the kernel of the default variant is assembly for another target, the
 * default is the first variant that fits. */
void experiment_default_values(struct experiment *x, bool soft, const char *arch, double *values /* [param_count] */);
/* Makes the default sweep for these defaults, if it is a function of them. It must have as many values for all. False
 * with one line, and the sweep stays as it was. */
bool experiment_update_sweep(struct experiment *x, const double *values, struct err *e);
/* Whether the kernel at these values can be built for the target; true if that is not known. */
bool experiment_fits_arch(struct experiment *x, const double *values, const char *arch);
/* The variant to use on the target, in place of the one in `values`, which does not fit; -1: none fits. */
int experiment_find_fitting_variant(struct experiment *x, const double *values, const char *arch);
/* Index of the parameter that selects the variant, or -1. */
int experiment_variant_param(const struct experiment *x);

#endif
