/* A loaded definition without its Lua: what is fixed, and what it says for one point. Private to experiments/. */
#ifndef EXPERIMENTS_DEFINITION_H
#define EXPERIMENTS_DEFINITION_H

#include <stdint.h>

#include "experiments/declaration.h"
#include "experiments/experiment.h"
#include "experiments/source_lines.h"

enum { DEF_BUFFERS = 16, DEF_ARGS = 24, DEF_CONTRACT = 8 }; /* no more than gpu/job.h and gpu/ffi.h take */

struct sandbox;

struct buffer_def { char id[32]; const struct ctype *type; };
struct arg_def { struct declaration decl; int buffer; /* index, or -1 for a scalar */ };

struct lua_definition {
	struct sandbox *box;
	struct source_lines *lines;
	int root;                          /* registry reference of the table that the file returned */
	struct buffer_def buffers[DEF_BUFFERS];
	int buffer_count;
	struct arg_def args[DEF_ARGS];
	int arg_count;
	int variant;                       /* index of the parameter `variant`, -1 when there are no variants */
	int samples_min, samples_max;
	double target, seconds, tolerance; /* relative error of the mean to stop at; time limit of a point */
	bool reset;                        /* the kernel changes its input: fill the buffers again before every launch */
	uint64_t hash;                     /* FNV-1a 64 of the file */
	char folder[512];                  /* of the file, absolute: its kernels may lie beside it */
};

struct fill_value { enum fill_kind kind; double number; };
struct arg_value { bool integer; int64_t i; double d; };
struct contract_line { char isa[16], instruction[48]; int count; /* -1: at least one */ };

/* What the functions of a definition give for one point. Checked for type only; job.c judges the values. */
struct evaluation {
	char file[512], entry[128], defines[512], reference[64];
	double count[DEF_BUFFERS];
	struct fill_value fill[DEF_BUFFERS];
	struct arg_value args[DEF_ARGS];
	double grid[3], block[3], lds;
	bool bounded[DEF_BUFFERS];
	double highest[DEF_BUFFERS];       /* highest element that the launch touches, where `bounded` */
	struct contract_line contract[DEF_CONTRACT];
	int contract_count;
};

bool definition_evaluate(struct experiment *x, const double *values, struct evaluation *out, struct err *e);

struct counter { const char *name; double value; };
struct measured {
	double seconds;
	struct clocks clocks;
	const struct counter *counters;
	int counter_count;
};
/* One metric. A reading that is not there makes it invalid and is no error. */
bool definition_metric(struct experiment *x, const double *values, int metric, const struct measured *m, struct reading *out, struct err *e);

/* A parameter's value as records have it: a number, or a choice's name. */
json_t *param_json(const struct param *p, double value);

/* Fills x and x->lua from the file's text. */
bool definition_read(struct experiment *x, const char *text, size_t len, struct err *e);
void definition_free(struct lua_definition *d);
/* "PATH:LINE" of a field, for messages about its value. */
char *definition_where(const struct experiment *x, const char *field, char *out, size_t size);

#endif
