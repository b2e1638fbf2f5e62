/* What the results of a job are compared with. */
#ifndef GPU_PROTOCOL_REFERENCE_JOB_REFERENCE_H
#define GPU_PROTOCOL_REFERENCE_JOB_REFERENCE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct job;

enum reference_kind {
	REFERENCE_NONE,
	REFERENCE_BUILT_IN,
#define REFERENCE_KIND(id, member) REFERENCE_##id,
#include "gpu/protocol/reference/reference_kinds.def"
#undef REFERENCE_KIND
	REFERENCE_KINDS
};
/* The member of a job's `reference` that selects the kind; NULL for the first two. */
const char *reference_kind_member(enum reference_kind kind);

enum { EXPECTED_MAX = 1024 /* elements of a buffer that are compared with a function of the experiment file */ };
/* Expected elements of one buffer. */
struct expected_elements {
	int buffer;
	size_t count;
	size_t *at;   /* their indices, ascending; owned */
	char *values; /* as in the buffer; owned */
};

struct job_reference {
	enum reference_kind kind;
	const char *name;                   /* REFERENCE_BUILT_IN, REFERENCE_C: of the function */
	const char *file, *source;          /* REFERENCE_C: its name and its text */
	const char *defines;                /* REFERENCE_C: "-DBLOCK=256" */
	struct expected_elements *expected; /* REFERENCE_EXPECT; owned */
	int expected_count;
	const char *error; /* why there is nothing to compare with, as found by the front end; NULL: nothing is wrong */
};

/* `reference` of a job's record, whose buffers are known. */
bool job_reference_parse(const json_t *v, const struct job *j, struct job_reference *out, struct err *e);
void job_reference_free(struct job_reference *r);
/* Of the record of a job: the file of its experiment; "" if unknown. */
const char *job_get_definition_file(const json_t *job);
/* REFERENCE_KERNEL: the launch of the reference as a job of its own, with the same buffers and arguments. */
bool job_reference_make_job(const struct job *j, struct job *out, struct err *e);

#endif
