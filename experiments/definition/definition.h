/* A loaded definition without its Lua: what is fixed, and what it says for one point. Private to experiments/. */
#ifndef EXPERIMENTS_DEFINITION_DEFINITION_H
#define EXPERIMENTS_DEFINITION_DEFINITION_H

#include <stdint.h>

#include "base/buf.h"
#include "experiments/definition/declaration.h"
#include "experiments/definition/experiment.h"
#include "experiments/definition/source_lines.h"

enum {
	DEF_BUFFERS = 16,
	DEF_ARGS = 24,
	DEF_CONTRACT = 8,
	DEF_COUNTERS = 16
}; /* no more than gpu/protocol/job_record.h and gpu/worker/reference_call.h take */

struct sandbox;

struct buffer_def {
	char id[32];
	const struct element_type *type;
};
struct arg_def {
	struct declaration decl;
	int buffer; /* index, or -1 for a scalar */
};

struct lua_definition {
	struct sandbox *box;
	struct source_lines *lines;
	int root; /* registry reference of the table that the file returned */
	struct buffer_def buffers[DEF_BUFFERS];
	int buffer_count;
	struct arg_def args[DEF_ARGS];
	int arg_count;
	int variant; /* index of the parameter `variant`, -1 when there are no variants */
	int samples_min, samples_max;
	double target, seconds; /* relative error of the mean to stop at; time limit of a point */
	bool has_steps;         /* a sequence of them instead of one launch: it may do without a kernel */
	bool has_verdict;       /* a function that says in words what a point's metrics mean */
	bool reset;             /* the kernel changes its input: fill the buffers again before every launch */
	uint64_t hash;          /* FNV-1a 64 of the file and of what it shares with others */
	char folder[512];       /* of the file, absolute: its kernels may lie beside it */
};

struct fill_value {
	enum fill_kind kind;
	double number;
};
struct arg_value {
	bool integer;
	int64_t i;
	double d;
};
struct contract_line {
	char isa[16], instruction[48];
	const char *where /* "hot_loop" or "kernel" */;
	int count; /* -1: at least one */
};

/* What the functions of a definition give for one point. Checked for type only; point_job.c judges the values. */
struct evaluation {
	char file[512], entry[128], defines[512], reference[64];
	double count[DEF_BUFFERS];
	struct fill_value fill[DEF_BUFFERS];
	struct arg_value args[DEF_ARGS];
	double grid[3], block[3], lds;
	bool bounded[DEF_BUFFERS];
	double highest[DEF_BUFFERS]; /* highest element that the launch touches, where `bounded` */
	double launches;             /* back to back in one sample */
	double work;                 /* what the point's time is proportional to; 0: not said */
	json_t *steps; /* instead of the one launch, NULL without; the caller releases it, on failure too */
	char host[16]; /* "pinned" or "pageable": the host's side of copies */
	char counters[DEF_COUNTERS][64];
	int counter_count;
	struct compare_tolerance tolerance[DEF_BUFFERS];
	struct contract_line contract[DEF_CONTRACT];
	int contract_count;
};

/* A definition's text, appended: a regular file of bounded size, else one line. */
bool definition_read_file(const char *path, struct buf *out, struct err *e);
/* FNV-1a 64 of what `hash` is of, and these bytes behind it; a text is begun with DEFINITION_HASH. */
#define DEFINITION_HASH UINT64_C(0xcbf29ce484222325)
uint64_t definition_update_hash(uint64_t hash, const char *bytes, size_t len);

bool definition_evaluate(struct experiment *x, const double *values, struct evaluation *out, struct err *e);

/* The other experiment's point that a point measures: its id, and the parameters that are set; the caller releases
 * those. */
struct delegation {
	char id[64];
	json_t *params;
};
bool definition_eval_delegation(struct experiment *x, const double *values, struct delegation *out, struct err *e);
/* What its functions compute with at a point: its parameters and values by name. NULL with an error. */
json_t *definition_eval_values(struct experiment *x, const double *values, struct err *e);

/* What a metric sees: one time, the point's record for the rest, and `v` where it is another experiment's (NULL: its
 * own). */
struct metric_input {
	struct reading seconds, wall;
	const json_t *point, *v;
};
/* One metric. A reading that is not there makes it invalid and is no error. */
bool definition_eval_metric(struct experiment *x, const double *values, int metric, const struct metric_input *m,
	struct reading *out, struct err *e);
/* The verdict's text; "" where a reading is missing. */
bool definition_eval_verdict(struct experiment *x, const double *values, const struct metric_input *m, char *out,
	size_t size, struct err *e);

/* A parameter's value as records have it: a number, or a choice's name. */
json_t *param_to_json(const struct param *p, double value);

json_t *values_to_json(const struct experiment *x, const double *values);
/* The job of a point that another experiment of the catalog has to be measured for. */
json_t *delegated_job(struct experiment *x, const double *values, bool soft, bool verify, struct err *e);
/* What the metrics of such a point compute with, from its record. NULL with an error. */
json_t *delegated_values(const struct experiment *x, const json_t *point, struct err *e);

/* Fills x and x->lua from the file's text. */
bool definition_read(struct experiment *x, const char *text, size_t len, struct err *e);
void definition_free(struct lua_definition *d);
/* "PATH:LINE: FIELD", for messages about its value. */
char *definition_format_location(const struct experiment *x, const char *field, char *out, size_t size);

#endif
