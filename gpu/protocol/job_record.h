/* A job record read and checked: what to measure, before anything touches a device. */
#ifndef GPU_PROTOCOL_JOB_RECORD_H
#define GPU_PROTOCOL_JOB_RECORD_H

#include <jansson.h>

#include "gpu/protocol/element_type.h"
#include "kernels/inspect/isa_contract.h"
#include "kernels/reference/reference.h"

enum { KERNEL_ARGS_MAX = 32, STREAMS_MAX = 8, BUFFERS_MAX = 16, CONTRACT_MAX = 8, COUNTERS_MAX = 32, STEPS_MAX = 4096 };

struct job_buffer {
	const char *name;
	const struct element_type *type;
	size_t count, bytes;
	struct fill_rule fill;
	struct compare_tolerance tolerance;
	bool written; /* an argument points to it, and not to const */
};
struct job_arg {
	struct arg_type type;
	int buffer; /* -1: a value */
	unsigned char value[16];
};
enum job_step_kind { JOB_STEP_TO_DEVICE, JOB_STEP_TO_HOST, JOB_STEP_LAUNCH, JOB_STEP_WAIT };
struct job_step {
	enum job_step_kind kind;
	unsigned stream, on; /* on: the stream waited for */
	int buffer;          /* of a copy */
	size_t offset, bytes;
	struct launch_shape shape;   /* of a launch */
	unsigned char (*values)[16]; /* its arguments that are not pointers, by argument; owned */
};

struct sample_rule {
	int min, max;
	double target /* relative standard error */, seconds;
};

/* What there is to do: gpu/protocol/record.h. */
enum job_kind { JOB_LAUNCH, JOB_FORMULA, JOB_COMPILE };

struct job {
	enum job_kind kind;
	json_t *record; /* owned; the strings below point into it */
	json_int_t job, point;
	const char *experiment, *file, *defines, *entry;
	struct job_buffer buffers[BUFFERS_MAX];
	int buffer_count;
	struct job_arg args[KERNEL_ARGS_MAX];
	int arg_count;
	struct launch_shape shape;
	unsigned lds_bytes;
	const char *reference;  /* NULL: none */
	unsigned launches;      /* back to back in one sample */
	bool verify, reset;     /* reset: fill the buffers again before every launch */
	struct job_step *steps; /* owned; NULL: one launch */
	int step_count;
	unsigned streams;          /* that they use */
	bool pinned, launches_any; /* host memory of the copies; whether a kernel is needed */
	bool profile;              /* the record says what each instruction's cycles went to */
	struct sample_rule samples;
	struct isa_contract contract[CONTRACT_MAX];
	int contract_count;
	const char *counters[COUNTERS_MAX];
	int counter_count;
};

/* Takes the record's reference. False with one line; job, point and experiment are filled in even then. */
bool job_parse(json_t *record, struct job *out, struct err *e);
void job_free(struct job *j);

#endif
