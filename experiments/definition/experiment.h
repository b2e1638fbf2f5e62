/* Experiments as their Lua files define them, the catalog that holds them, and jobs and metrics of their points.
 * Only experiments/definition/lua depends on Lua.
 *
 * Definitions run in a sandbox: base, math, string (no patterns) and table, with limits on instructions and memory. */
#ifndef EXPERIMENTS_DEFINITION_EXPERIMENT_H
#define EXPERIMENTS_DEFINITION_EXPERIMENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "experiments/definition/device_number.h"
#include "base/err.h"
#include "base/stats.h"
#include "gpu/protocol/record.h"

enum {
	PARAMS_MAX = 24,
	METRICS_MAX = 16,
	CHOICES_MAX = 32,
	SWEEP_LIST_MAX = 64,
	NEEDS_MAX = 4,
	TARGETS_MAX = 4,
	PRESETS_MAX = 6,
	PRESET_ARGUMENTS = 8
};

enum param_step_kind { PARAM_STEP_ADD, PARAM_STEP_MULTIPLY, PARAM_STEP_CHOICE };

/* How a parameter in bytes relates to memory: the range that is accessed repeatedly, or the distance between accesses.
 */
enum param_meaning { PARAM_MEANS_NOTHING, PARAM_MEANS_FOOTPRINT, PARAM_MEANS_STRIDE };
const char *param_meaning_name(enum param_meaning m);  /* "footprint"; "" for PARAM_MEANS_NOTHING */
enum param_meaning param_meaning_of(const char *name); /* PARAM_MEANS_NOTHING if unknown */

/* The default of a parameter on some targets, such as the number of their CUs. */
struct target_default {
	char arch[DEVICE_ARCH]; /* prefix of the target: "gfx11" */
	double value;
};

struct param {
	char id[32];
	char unit[16];   /* "B", "threads", ""; shown by param_unit */
	bool for_nvidia; /* the device is NVIDIA's (words/experiment_words.h) */
	char help[160];
	double low, high; /* for choices: 0 .. choice_count - 1 */
	double step;      /* added or multiplied by */
	enum param_step_kind kind;
	double value;                          /* default on real devices: the published one */
	double soft;                           /* default on the software GPU; equal to `value` unless reduced */
	struct target_default on[TARGETS_MAX]; /* that replace both on targets with these prefixes */
	int on_count;
	struct target_default soft_on[TARGETS_MAX]; /* the same, only where the software GPU has such a target */
	int soft_on_count;
	enum device_number of_device;  /* which number of the open device replaces all of these */
	double device_value;           /* that number; 0: no device is open, or it is not known */
	bool sweep;                    /* the default x axis */
	double sweep_low, sweep_high;  /* range of the default sweep; low..high unless given */
	char choices[CHOICES_MAX][32]; /* kind PARAM_STEP_CHOICE: value is an index */
	int choice_count;
	enum param_meaning means;          /* anything but NOTHING only with unit "B" */
	bool whole;                        /* low, high, step and defaults are integers; then every value must be */
	double sweep_list[SWEEP_LIST_MAX]; /* the default sweep, if it is a list instead of a range */
	bool sweep_is_function;            /* of the defaults: experiment_update_sweep makes the list */
	int sweep_list_count;              /* 0: a range */
};

struct metric {
	char id[32], unit[24], help[160]; /* unit: shown by metric_unit */
	bool for_nvidia;
	int axis;  /* enum axis of plot/chart.h: 0 left, 1 right; METRIC_X; -1 not drawn */
	bool line; /* a limit, not a measurement: drawn as a line without marks */
	bool log;  /* its axis is logarithmic */
};
enum { METRIC_X = 2 }; /* on the x axis, instead of the swept parameter */

/* What happens at a point of an experiment. */
enum experiment_kind {
	WORK_LAUNCH,    /* launches a kernel, or runs a sequence of copies and launches */
	WORK_FORMULA,   /* computes metrics from the parameters; launches nothing */
	WORK_COMPILE,   /* only compiles: the compiler's verdict, and the code if it accepts */
	WORK_PROGRAM,   /* runs a program of the user's, and measures the launches of one of its kernels */
	WORK_DELEGATED, /* measures a point of another experiment of the catalog */
};

/* Named parameter settings, written as on the command line: "stride=1..8". */
struct preset {
	char id[32], help[160], arguments[PRESET_ARGUMENTS][96];
	int argument_count;
};

struct catalog;

struct experiment {
	char id[64], chapter[32], path[512];
	char title[96], question[200], source[200], lesson[64];
	struct param params[PARAMS_MAX];
	int param_count;
	int x; /* index of the swept parameter, or -1 */
	struct metric metrics[METRICS_MAX];
	int metric_count;
	bool verified;    /* it has a reference to compare with */
	char native[256]; /* the C file of its reference, in its folder; "": none */
	enum experiment_kind work;
	char needs_arch[NEEDS_MAX][16]; /* prefixes of the targets it runs on ("gfx11"); none: all targets */
	int needs_count;
	char needs[120]; /* "a gfx1100 device: its kernel is RDNA3 assembly"; "" if any device works */
	struct preset presets[PRESETS_MAX];
	int preset_count;
	struct experiment_texts *own_texts; /* while they have other words, words/experiment_words.h; or NULL */
	struct catalog *catalog;            /* that it belongs to, for finding others; NULL if loaded alone; borrowed */
	struct lua_definition *lua;         /* private to experiments/ (definition.h) */
};

/* Files with this suffix hold what the definitions of a folder share (docs/experiment-file.md). They are not
 * experiments. */
#define SHARED_SUFFIX ".shared.lua"

/* NULL with "file:line: field: what is wrong". experiment_free. */
struct experiment *experiment_load(const char *path, struct err *e);
void experiment_free(struct experiment *x);

/* Whether its points have measured times. If not, successful points have an empty list of them. */
bool experiment_has_times(const struct experiment *x);
/* Why its points have no launch that can be looked at, "it launches no kernel"; NULL: they have. */
const char *experiment_why_no_launch(const struct experiment *x);
/* Whether it can run on a target; true if `arch` is "" (not known yet). */
bool experiment_supports_arch(const struct experiment *x, const char *arch);
/* The target to show its code for: `arch`, or a target that it needs. */
const char *experiment_code_arch(const struct experiment *x, const char *arch);

/* All experiments below a folder, in the order of chapters, then of ids. Files that do not load are reported through
 * `bad` (may be NULL) and skipped. */
struct catalog_file;
struct catalog {
	struct experiment **list;
	int count;
	struct catalog_file *pending; /* private, like the rest: files that are not loaded yet */
	int pending_count, pending_next;
	struct experiment **replaced; /* read again since; kept, because curves and plans may refer to them */
	int replaced_count;
	void (*bad)(void *ctx, const char *line);
	void *bad_ctx;
};
bool catalog_load(const char *folder, struct catalog *out /* must not move */, void (*bad)(void *ctx, const char *line),
	void *ctx, struct err *e);
/* The same step by step: catalog_open only lists the files; each catalog_load_next loads one more and returns false
 * when all are loaded and sorted. In between, catalog_find loads a requested file early. `bad` must stay valid. */
bool catalog_open(
	const char *folder, struct catalog *out, void (*bad)(void *ctx, const char *line), void *ctx, struct err *e);
bool catalog_load_next(struct catalog *c);
bool catalog_contains(const struct catalog *c, const char *id); /* loaded or pending */
int catalog_list_ids(
	const struct catalog *c, char ***out); /* of all, loaded or pending; the caller frees each id and the list */
void catalog_free(struct catalog *c);
/* By id, or loads PATH.lua. The catalog owns the result. NULL with an error, which suggests the nearest id. */
struct experiment *catalog_find(struct catalog *c, const char *name, struct err *e);
/* The kernels of a capture: they come before the others in the catalog's order. */
#define CAPTURED_CHAPTER "captured"

int experiment_find_param(const struct experiment *x, const char *id);  /* -1 */
int experiment_find_metric(const struct experiment *x, const char *id); /* -1 */

/* Reads the file of a loaded experiment again; the result takes its place in the catalog, which keeps the old one until
 * it is freed. NULL with an error, and nothing changes. */
struct experiment *catalog_reload(struct catalog *c, struct experiment *x, struct err *e);

/* Parses a number with or without the parameter's unit, as it is shown or as the definition has it. */
bool param_parse_number(const struct param *p, const char *text, double *out, struct err *e);
/* Parses and checks a value: a choice's name, or a number with or without its unit. */
bool param_parse(const struct param *p, const char *text, double *out, struct err *e);
/* Reads a value from a record: a number, a choice's name or its index. False, and *out unchanged, if not valid. */
bool param_from_json(const struct param *p, const json_t *v, double *out, struct err *e);
/* Reads all parameters from a record's "params"; false at the first that is missing or not valid. */
bool params_from_json(const struct experiment *x, const json_t *params, double *values);
/* Units with the words of the device's vendor: "SMs" for "CUs". */
const char *param_unit(const struct param *p);
const char *metric_unit(const struct metric *m);
/* One step up (+1) or down (-1), clamped. */
double param_step_value(const struct param *p, double value, int steps);
char *param_format(const struct param *p, double value, char *out, size_t size); /* for display, with its unit */

/* The job record of one point, values[param_count], by a setup that is not kept (point_setup.h). NULL with an error. */
json_t *experiment_build_job(
	struct experiment *x, const double *values, bool soft, const char *arch, bool verify, struct err *e);
/* Adds counters to those of the definition; `names` ends with NULL, or is NULL. */
void job_add_counters(json_t *job, const char *const *names);

/* The functions of a definition have a limit of CPU time for each call, and one for all slow calls since this call. */
void experiment_begin_sweep(struct experiment *x);
/* Ends functions of definitions once `is_due` returns true: when the time of a run is over. NULL: never. */
void experiment_stop_functions_when(bool (*is_due)(void *ctx), void *ctx);

/* The amount of work at a point, in any unit that the time is proportional to; false if the definition has none, or
 * computes a formula or only compiles. */
bool experiment_eval_work(struct experiment *x, const double *values, double *out);

/* Statistics of a point record's samples. */
struct stats point_sample_stats(const json_t *record);
/* Metrics of a measured point, from its clocks, counters and each of `count` times (at most METRIC_TIMES_MAX), such as
 * its median and quartiles (NaN: not measured); invalid if a reading is missing. False with the first error; those of
 * later times are then invalid, too. */
enum { METRIC_TIMES_MAX = 5 };
bool experiment_eval_metrics_at(struct experiment *x, const double *values, const json_t *point, const double *seconds,
	int count, struct reading (*out)[METRICS_MAX], struct err *e);
/* The verdict in words for a measured point; "" if the definition has none or a reading is missing. */
bool experiment_eval_verdict(
	struct experiment *x, const double *values, const json_t *point, char *out, size_t size, struct err *e);
int experiment_find_x_metric(const struct experiment *x); /* index of the metric on the x axis, or -1 */

#endif
