/* A loaded definition behind the Lua interface: its fixed parts, and what its functions return for one point.
 * Private to experiments/. */
#ifndef EXPERIMENTS_DEFINITION_DEFINITION_H
#define EXPERIMENTS_DEFINITION_DEFINITION_H

#include <stdint.h>

#include "base/buf.h"
#include "experiments/definition/declaration.h"
#include "experiments/definition/experiment.h"
#include "experiments/definition/source_lines.h"
#include "gpu/protocol/reference/job_reference.h"

enum {
	DEF_BUFFERS = 16,
	DEF_ARGS = 24,
	DEF_CONTRACT = 8,
	DEF_COUNTERS = 16
}; /* at most the limits of gpu/protocol/job_record.h and gpu/worker/reference/reference_call.h */

struct sandbox;

struct buffer_def {
	char id[32];
	const struct element_type *type;
};
struct arg_def {
	struct declaration decl;
	int buffer; /* index, or -1 for a scalar */
};

/* The work at some values (experiment_eval_work); 0: nothing is kept. */
struct kept_work {
	double values[PARAMS_MAX], work;
};

/* The program that a point runs. */
struct program_call {
	char *text;        /* of the definition: a session has it, because no other file does */
	char file[256];    /* its name, without a folder */
	char args[1024];   /* one text (program/argument_words.h) */
	char kernel[1024]; /* that is measured: its symbol, or a part of its name; "": the one with the most cycles */
};

struct lua_definition {
	struct sandbox *box;
	struct source_lines *lines;
	int root; /* registry reference of the file's table */
	struct buffer_def buffers[DEF_BUFFERS];
	int buffer_count;
	struct arg_def args[DEF_ARGS];
	int arg_count;
	int variant; /* index of the parameter `variant`, or -1 */
	int samples_min, samples_max;
	double target, seconds;       /* relative error of the mean to stop at; time limit per point, s */
	bool has_steps;               /* a sequence of steps instead of one launch; the kernel is optional */
	bool has_verdict;             /* a function that describes a point's metrics in words */
	bool captured;                /* a captured launch runs again, instead of a launch of the kernel */
	struct program_call *program; /* owned; NULL: none */
	bool reset;                   /* the kernel changes its input, so fill the buffers before every launch */
	uint64_t hash;                /* FNV-1a 64 of the file and of the shared files it uses */
	char folder[512];             /* of the file, absolute; its kernels may be in it */
	struct kept_work *works;      /* owned by point_setup.c; NULL: none yet */
	char reference_folder[512]; /* of the files of its reference; another one for an edited copy (kernel_copy.h) */
};

/* In the folder of an edited copy (kernel_copy.h): a link to the original's, where the files of its reference are. */
#define ORIGINAL_FOLDER ".original"

struct fill_value {
	enum fill_kind kind;
	double number; /* FILL_CHASE, FILL_ADDRESSES: bytes of a line */
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

/* What the results of a point are compared with: a kind, and what it needs (lua_reference.c). */
struct evaluated_reference {
	enum reference_kind kind;
	char file[512], defines[512], entry[256];
	double grid[3], block[3], lds;
};

/* What a definition's functions return for one point. Only the types are checked; point_job.c checks the values. */
struct evaluation {
	char file[512], defines[512];
	struct evaluated_reference reference;
	char entry[1024]; /* names of C++ templates have some hundreds of characters */
	char source[512]; /* with a code object as `file`: the source that it was compiled from; "": not known */
	double count[DEF_BUFFERS];
	struct fill_value fill[DEF_BUFFERS];
	struct arg_value args[DEF_ARGS];
	double grid[3], block[3], lds;
	bool bounded[DEF_BUFFERS];
	double highest[DEF_BUFFERS]; /* highest element that the launch touches, where `bounded` */
	double launches;             /* back to back in one sample */
	double work;                 /* what the point's time is proportional to; 0: unknown */
	json_t *steps;       /* instead of the single launch, or NULL; the caller releases it, after failures too */
	char captured[256];  /* the file of the captured launch, in the definition's folder; "": none */
	char constants[512]; /* of the device, that are changed for it: "l1_bytes=65536,l2_bytes=1048576" */
	bool warm;           /* its caches hold what a launch before it left, even on the device as it was */
	char host[16];       /* "pinned" or "pageable": the host's side of copies */
	char counters[DEF_COUNTERS][64];
	int counter_count;
	struct compare_tolerance tolerance[DEF_BUFFERS];
	struct contract_line contract[DEF_CONTRACT];
	int contract_count;
};

/* Appends the text of a definition's file. False with an error, also if it is not a regular file or too large. */
bool definition_read_file(const char *path, struct buf *out, struct err *e);
/* Continues an FNV-1a 64 hash with these bytes; start with DEFINITION_HASH. */
#define DEFINITION_HASH UINT64_C(0xcbf29ce484222325)
uint64_t definition_update_hash(uint64_t hash, const char *bytes, size_t len);

bool definition_evaluate(struct experiment *x, const double *values, struct evaluation *out, struct err *e);

/* The expected elements of buffers, as in a job, if the point's reference is of the kind `expect`. NULL with an error.
 */
json_t *definition_eval_expected(
	const struct experiment *x, const double *values, const struct evaluation *point, struct err *e);
/* The fill of a buffer at a point. */
bool definition_parse_fill(
	const struct buffer_def *b, const struct evaluation *point, int i, struct fill_rule *out, struct err *e);

/* The values that the function of the default sweep returns. */
bool definition_eval_sweep(
	struct experiment *x, const double *values, double list[SWEEP_LIST_MAX], int *count, struct err *e);

/* The point of another experiment that a point measures: its id and the parameters to set, owned by the caller. */
struct delegation {
	char id[64];
	json_t *params;
};
bool definition_eval_delegation(struct experiment *x, const double *values, struct delegation *out, struct err *e);
/* Parameters and values by name, as the definition's functions get them at a point. NULL with an error. */
json_t *definition_eval_values(struct experiment *x, const double *values, struct err *e);

/* Input of a metric: times, the point's record, and `v` of the measured experiment if it is another one, else NULL. */
struct metric_input {
	struct reading seconds, wall;
	const json_t *point, *v;
};
/* All metrics for each of `count` inputs, up to the first input for which one of them fails: the error is the first
 * one's. A missing reading makes a metric invalid, without an error. */
bool definition_eval_metrics(struct experiment *x, const double *values, const struct metric_input *inputs, int count,
	struct reading (*out)[METRICS_MAX], struct err *e);
/* One of them for one input. */
bool definition_eval_metric(struct experiment *x, const double *values, int metric, const struct metric_input *m,
	struct reading *out, struct err *e);
/* Calls the metrics with made-up readings; false if one asks for a reading that no point has. */
bool definition_check_reading_names(struct experiment *x, const double *values, struct err *e);
/* Whether the definition's folder has this kernel file; otherwise it is the project's. */
bool definition_owns_kernel(const struct experiment *x, const char *file);

/* The text of the verdict; "" if a reading is missing. */
bool definition_eval_verdict(struct experiment *x, const double *values, const struct metric_input *m, char *out,
	size_t size, struct err *e);

/* A parameter's value as in records: a number, or a choice's name. */
json_t *param_to_json(const struct param *p, double value);

json_t *values_to_json(const struct experiment *x, const double *values);

/* Fills x and x->lua from the text of the file. */
bool definition_read(struct experiment *x, const char *text, size_t len, struct err *e);
void definition_free(struct lua_definition *d);
/* "PATH:LINE: FIELD", for messages about a field. */
char *definition_format_location(const struct experiment *x, const char *field, char *out, size_t size);

#endif
