/* An experiment as its Lua file defines it: parameters, buffers, arguments, launch, metrics, contract. Only
 * experiments/lua_*.c know Lua.
 *
 * Loading never runs anything outside the sandbox: base, math, string (no pattern functions), table; instruction
 * budget, memory limit. */
#ifndef EXPERIMENTS_DEFINITION_EXPERIMENT_H
#define EXPERIMENTS_DEFINITION_EXPERIMENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "gpu/protocol/record.h"

enum {
	PARAMS_MAX = 24,
	METRICS_MAX = 16,
	CHOICES_MAX = 32,
	SWEEP_LIST_MAX = 64,
	NEEDS_MAX = 4,
	PRESETS_MAX = 6,
	PRESET_ARGUMENTS = 8
};

enum param_step_kind { PARAM_STEP_ADD, PARAM_STEP_MULTIPLY, PARAM_STEP_CHOICE };

/* What a parameter in bytes is to the memory: what is touched again and again, or the way from one access to the next.
 */
enum param_meaning { PARAM_MEANS_NOTHING, PARAM_MEANS_FOOTPRINT, PARAM_MEANS_STRIDE };
const char *param_meaning_name(enum param_meaning m);  /* "footprint"; "" of nothing */
enum param_meaning param_meaning_of(const char *name); /* PARAM_MEANS_NOTHING of what is none */

struct param {
	char id[32];
	char unit[16]; /* "B", "threads", "" */
	char help[120];
	double low, high; /* for choices: 0 .. choice_count - 1 */
	double step;      /* added or multiplied by */
	enum param_step_kind kind;
	double value;                  /* default on silicon: the published one */
	double soft;                   /* default on the software GPU, equal to value unless scaled */
	bool sweep;                    /* the default x axis */
	double sweep_low, sweep_high;  /* default sweep; low..high unless narrower is given */
	char choices[CHOICES_MAX][32]; /* kind PARAM_STEP_CHOICE: value is an index */
	int choice_count;
	enum param_meaning means;          /* other than PARAM_MEANS_NOTHING only with unit "B" */
	bool whole;                        /* low, high, step and defaults are integers: so must every value be */
	double sweep_list[SWEEP_LIST_MAX]; /* the default sweep where it is a list of values instead of a range */
	int sweep_list_count;              /* 0: a range */
};

struct metric {
	char id[32], unit[24], help[120];
	int axis;  /* enum axis of plot/chart.h: 0 left, 1 right; METRIC_X; -1 not drawn */
	bool line; /* a bound, not something measured: drawn as a line without marks */
	bool log;  /* its axis is logarithmic */
};
enum { METRIC_X = 2 }; /* the metric stands on the x axis, in place of the swept parameter */

/* What a point of an experiment is. */
enum experiment_kind {
	WORK_LAUNCH,    /* a kernel is launched, or a sequence of steps with copies */
	WORK_FORMULA,   /* metrics of the parameters alone: nothing is launched */
	WORK_COMPILE,   /* the compiler's verdict, and the code where it accepts */
	WORK_DELEGATED, /* a point of another experiment of the catalog */
};

/* Parameters set under a name, as the command line would: "stride=1..8". */
struct preset {
	char id[32], help[120], arguments[PRESET_ARGUMENTS][96];
	int argument_count;
};

struct catalog;

struct experiment {
	char id[64], chapter[32], path[512];
	char title[96], question[200], source[200], lesson[64];
	struct param params[PARAMS_MAX];
	int param_count;
	int x; /* index of the swept parameter, -1 when nothing is */
	struct metric metrics[METRICS_MAX];
	int metric_count;
	bool verified; /* it names a reference */
	enum experiment_kind work;
	char needs_arch[NEEDS_MAX][16]; /* beginnings of the targets it runs on, "gfx11"; none: any */
	int needs_count;
	char needs[120]; /* "a gfx1100 device: its kernel is RDNA3 assembly"; "" when it needs nothing */
	struct preset presets[PRESETS_MAX];
	int preset_count;
	struct catalog *catalog; /* where it was found and finds the others; NULL when it was loaded alone; borrowed */
	struct lua_definition *lua; /* private to experiments/ (definition.h) */
};

/* What definitions of a folder share (EXPERIMENT-FILE.md) lies in files with this end: no experiments themselves. */
#define SHARED_SUFFIX ".shared.lua"

/* NULL with "file:line: what was expected". */
struct experiment *experiment_load(const char *path, struct err *e);
void experiment_free(struct experiment *x);

/* Whether its points have seconds; without, every point of it that worked has an empty list of them. */
bool experiment_has_times(const struct experiment *x);
/* Whether it can be measured on a target; `arch` "" is not known yet and will do. */
bool experiment_supports_arch(const struct experiment *x, const char *arch);

/* All of the catalog, sorted by chapter order then file order; a file that does not load is reported through `bad` (may
 * be NULL) and left out. */
struct catalog_file;
struct catalog {
	struct experiment **list;
	int count;
	struct catalog_file *waiting; /* private, as what follows: found, and not loaded yet */
	int waiting_count, waiting_next;
	void (*bad)(void *ctx, const char *line);
	void *bad_ctx;
};
bool catalog_load(const char *folder, struct catalog *out /* stays where it is */,
	void (*bad)(void *ctx, const char *line), void *ctx, struct err *e);
/* The same in slices: open finds the files only; each load_next loads one more, and returns false when all are there
 * (then the list is sorted). Until then catalog_find loads what it is asked for out of its turn. `bad` is kept until
 * then. */
bool catalog_open(
	const char *folder, struct catalog *out, void (*bad)(void *ctx, const char *line), void *ctx, struct err *e);
bool catalog_load_next(struct catalog *c);
bool catalog_contains(const struct catalog *c, const char *id); /* loaded or not yet */
int catalog_list_ids(const struct catalog *c, char ***out); /* the same of all; the caller frees each and the list */
void catalog_free(struct catalog *c);
/* By id, or loads PATH.lua. Unknown: one line with the nearest id. The result belongs to the catalog. */
struct experiment *catalog_find(struct catalog *c, const char *name, struct err *e);

int experiment_find_param(const struct experiment *x, const char *id); /* -1 */

/* A value checked: in range, on a choice. `text` may be a choice's name or a number with unit. */
bool param_parse(const struct param *p, const char *text, double *out, struct err *e);
/* The value in a record: a number, a choice's name or its index. False for what the parameter cannot have; *out stays.
 */
bool param_from_json(const struct param *p, const json_t *v, double *out, struct err *e);
/* All of them in a record's "params"; false when one is missing or cannot be, and those behind it stay. */
bool params_from_json(const struct experiment *x, const json_t *params, double *values);
/* One step up (+1) or down (-1), clamped. */
double param_step_value(const struct param *p, double value, int steps);
char *param_format(const struct param *p, double value, char *out, size_t size); /* with unit, for a person */

/* The job record (gpu/protocol/record.h) for one point: values[param_count]. NULL when a definition's function fails
 * ("file:line: ...") or the launch would run outside its buffers. `soft`: another experiment that it measures starts
 * from its defaults for the software GPU. `job` and `point` are filled in by the caller of worker_controller_send. */
json_t *experiment_build_job(struct experiment *x, const double *values, bool soft, bool verify, struct err *e);

/* How much there is to do at a point, in a unit of the definition's own; false where it does not say. */
bool experiment_eval_work(struct experiment *x, const double *values, double *out);

/* Metrics of a measured point: seconds (the statistic chosen: the median), clocks, counters by name; invalid where a
 * reading is missing. */
bool experiment_eval_metrics(struct experiment *x, const double *values, const json_t *point,
	struct reading *out /* [metric_count] */, struct err *e);
/* The same for one sample's time, for quartiles. */
bool experiment_eval_metrics_at(struct experiment *x, const double *values, const json_t *point, double seconds,
	struct reading *out, struct err *e);
/* What its verdict says of a measured point, in words; "" without one, and where a reading that it needs is missing. */
bool experiment_eval_verdict(
	struct experiment *x, const double *values, const json_t *point, char *out, size_t size, struct err *e);
int experiment_find_x_metric(const struct experiment *x); /* the one on the x axis; -1 */

#endif
