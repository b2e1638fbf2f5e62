/* Which points of an experiment to measure: defaults, a sweep of one or more parameters, and what to record at each
 * point. sweep_plan.c reads NAME=VALUE arguments, plan_presets.c the @NAME presets; plan_variants.c keeps to variants
 * that the device can run, plan_device.c takes the numbers of the device. */
#ifndef EXPERIMENTS_DEFINITION_SWEEP_PLAN_H
#define EXPERIMENTS_DEFINITION_SWEEP_PLAN_H

#include "experiments/definition/experiment.h"
#include "experiments/definition/sampling.h"

enum { PLAN_POINTS_MAX = 100000 }; /* a longer sweep is almost certainly a typing error */

/* One swept parameter. */
struct plan_axis {
	int param;
	double *values;
	int count;
};

struct plan {
	struct experiment *x;              /* borrowed */
	double fixed[PARAMS_MAX];          /* a value for every parameter */
	bool given[PARAMS_MAX];            /* an argument or a header has set it */
	struct plan_axis axes[PARAMS_MAX]; /* in the order given; the last one changes fastest */
	int axis_count;
	bool soft_defaults;     /* `fixed` started from the sizes reduced for the software GPU */
	char arch[DEVICE_ARCH]; /* target of the device, for which `fixed` started with a variant that fits; "": not
	                           known */
	char remark[200];       /* what a preset left out, because it does not fit the target; "": nothing */
	bool verify;
	struct sampling sampling;
	const char *const
		*counters;    /* rocprofiler names to read at every point, NULL-terminated; NULL: none; borrowed */
	bool profile;         /* every job requests a "profile" (docs/protocol.md); devices without one omit it */
	bool digest;          /* every point has a hash of what its launch left in memory */
	const char *checks;   /* of every job's launches: "memory,race"; NULL: none; borrowed */
	const json_t *inside; /* what every job records of its launch (docs/protocol.md); NULL: nothing; borrowed */
	bool own_axes;        /* an argument has replaced the default sweep */
	bool default_axis;    /* the first axis is the default sweep */
};

/* The default plan: defaults for the device (default_values.h), and the default sweep; `x` then has the words of the
 * device's vendor. plan_free. */
void plan_init_default(struct plan *p, struct experiment *x, bool soft, const char *arch);
/* The same for a device that is not the one of the user, whose words `x` keeps. */
void plan_init_values(struct plan *p, struct experiment *x, bool soft, const char *arch);
struct plan_axis plan_make_default_axis(const struct experiment *x); /* `x` has a default sweep */
/* The device is open: its numbers are the values of parameters that nothing has set (experiment_use_device), and a
 * default sweep that is a function follows them. */
void plan_take_device(struct plan *p, const json_t *device);
/* The names of parameters whose values the device that measures decides: nothing has set them, and their default is a
 * number of the device, or depends on the target, which is not known yet. `with_sweep`: the swept one, too, if its
 * default sweep is a function of these. The caller owns the list. */
json_t *plan_list_open_params(const struct plan *p, bool with_sweep);
/* The plan was made elsewhere: these parameters have the defaults of `p->arch`, as if nothing had set them. */
void plan_reopen_params(struct plan *p, const json_t *names);
/* For a session that goes on: what the plan leaves to the device has the values of the header. */
void plan_take_recorded_numbers(struct plan *p, const json_t *header);
/* One argument NAME=VALUE | NAME=A..B[:x2|:+16] | NAME=a,b,c. The first range or list replaces the default sweep. */
bool plan_apply_argument(struct plan *p, const char *argument, struct err *e);

/* Presets that every experiment has; an experiment's own preset of the same name takes precedence. */
/* clang-format off */
#define GENERAL_PRESETS(X) \
	/* id        name       help */ \
	X(SMALL,     small,     "sizes for the software GPU") \
	X(PUBLISHED, published, "published sizes and sweep") \
	X(QUICK,     quick,     "five points of small") \
	X(CLASS,     class,     "twelve points of small, for class mode: the workbench shows one every half second")
/* clang-format on */
#define PRESET_ID(id, ...) PRESET_##id,
enum { GENERAL_PRESETS(PRESET_ID) GENERAL_PRESET_COUNT };
#undef PRESET_ID
/* Sets the parameters of a preset; `name` with or without its "@". */
bool plan_apply_preset(struct plan *p, const char *name, struct err *e);
/* Preset number i, from 0: the general ones, then the experiment's; NULL after the last. */
const char *plan_preset_name(const struct experiment *x, int i);
const char *general_preset_help(int i);

/* Leaves out values of the default sweep for which `x` measures experiments that do not support the target, unless none
 * does. */
void plan_drop_unsupported(struct plan *p);
/* Leaves out variants that a preset names and that do not fit the target; `remark` then names them. */
void plan_leave_out_unfit_variants(struct plan *p, const char *preset);
/* For another device: replaces the variant if it is the default and does not fit the target. The name of the new one,
 * or NULL. */
const char *plan_take_arch(struct plan *p, const char *arch);
/* False with one line if no point has a variant that fits the target. */
bool plan_check_variant(const struct plan *p, const char *arch, struct err *e);
/* Keeps at most `values` values (at least 2) of each axis: evenly spread, with both ends. */
void plan_limit_points(struct plan *p, int values);
int plan_point_count(const struct plan *p);
void plan_point_values(const struct plan *p, int point, double *values /* [param_count] */);
/* What differs between the points: "stride=16 B, block=256 threads"; "" if it is the only one. */
char *plan_format_point(const struct plan *p, int point, char *out, size_t size);
int plan_find_axis(const struct plan *p, int param); /* -1: the parameter is not swept */
void plan_drop_axis(struct plan *p, int at);
void plan_copy(struct plan *to, const struct plan *from); /* what is borrowed stays borrowed */
void plan_free(struct plan *p);

#endif
