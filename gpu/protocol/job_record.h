/* A job record, parsed and checked: what to measure. Nothing here touches a device. */
#ifndef GPU_PROTOCOL_JOB_RECORD_H
#define GPU_PROTOCOL_JOB_RECORD_H

#include <jansson.h>

#include "gpu/protocol/element_type.h"
#include "gpu/protocol/reference/job_reference.h"
#include "gpu/protocol/library_call.h"
#include "kernels/inspect/isa_contract.h"
#include "kernels/reference/reference.h"

enum { KERNEL_ARGS_MAX = 32, STREAMS_MAX = 8, BUFFERS_MAX = 16, CONTRACT_MAX = 8, COUNTERS_MAX = 32, STEPS_MAX = 4096 };

struct job_buffer {
	const char *name;
	const struct element_type *type;
	size_t count, bytes;
	struct fill_rule fill;
	struct compare_tolerance tolerance;
	bool written; /* an argument points to it without const */
};
struct job_arg {
	struct arg_type type;
	int buffer; /* index of the buffer; -1: a value */
	unsigned char value[16];
	const char *declared, *name; /* "const int *", "buf"; "" if unknown */
	int line;                    /* of the definition; 0: unknown */
};
enum job_step_kind { JOB_STEP_TO_DEVICE, JOB_STEP_TO_HOST, JOB_STEP_LAUNCH, JOB_STEP_CALL, JOB_STEP_WAIT };
struct job_step {
	enum job_step_kind kind;
	unsigned stream, on; /* on: the stream to wait for */
	int buffer;          /* JOB_STEP_TO_DEVICE, JOB_STEP_TO_HOST */
	size_t offset, bytes;
	enum library_call call;      /* JOB_STEP_CALL */
	struct launch_shape shape;   /* JOB_STEP_LAUNCH */
	unsigned char (*values)[16]; /* JOB_STEP_LAUNCH: values of the arguments, by argument; owned */
};

struct sample_rule {
	int min, max;
	double target /* half the confidence interval of the median, relative to it */, seconds;
	bool entropy; /* the rule of nvbench (gpu/worker/samples/entropy_rule.h) instead of max and target */
};
enum { SAMPLES_MAX = 10000 };

/* docs/protocol.md describes the record. */
enum job_kind { JOB_LAUNCH, JOB_FORMULA, JOB_COMPILE, JOB_CAPTURED, JOB_PROGRAM };

struct job {
	enum job_kind kind;
	json_t *record; /* owned; the strings below point into it */
	json_int_t job, point;
	const char *experiment, *file, *defines, *entry;
	struct job_buffer buffers[BUFFERS_MAX];
	int buffer_count;
	struct job_arg args[KERNEL_ARGS_MAX];
	int arg_count;
	const char *definition; /* its file; "" if unknown */
	int args_line;          /* of its arguments; 0: unknown */
	int entry_line;         /* of its kernel's name; 0: unknown */
	struct launch_shape shape;
	unsigned lds_bytes;
	struct job_reference reference;
	const char *captured;   /* JOB_CAPTURED: the file of a captured launch, which runs instead of the kernel */
	const char *constants;  /* of the device, changed for it: "l1_bytes=65536"; "": none */
	bool warm;              /* after a launch that warms its caches, even if it could find them as then */
	const json_t *program;  /* JOB_PROGRAM: what runs: "words", "folder", "kernel"; borrowed */
	unsigned launches;      /* back to back in each sample */
	bool verify, reset;     /* reset: fill the buffers again before every launch */
	bool flush_l2;          /* empty the L2 cache before each sample */
	struct job_step *steps; /* owned; NULL: a single launch */
	int step_count;
	unsigned streams;   /* number of streams that the steps use */
	bool pinned;        /* host memory of the copies; otherwise pageable */
	bool launches_any;  /* a kernel is needed */
	bool calls_any;     /* a function of a vendor library is called */
	const char *checks; /* of its launches: "memory,race"; "": none */
	bool digest;        /* the answer has a hash of what the last launch left in the buffers */
	bool profile;       /* the answer contains cycles by stall reason for each instruction */
	struct sample_rule samples;
	struct isa_contract contract[CONTRACT_MAX];
	int contract_count;
	const char *counters[COUNTERS_MAX];
	int counter_count;
};

/* Takes ownership of one reference to the record. False with an error; job, point and experiment are set even then. */
/* The place in the definition as "FILE:LINE: ", for messages; "" if the file is unknown, without a line if that is 0.
 */
enum { DEFINITION_PLACE = 300 };
const char *job_format_place(const struct job *j, int line, char out[DEFINITION_PLACE]);
bool job_parse(json_t *record, struct job *out, struct err *e);
void job_free(struct job *j);
int job_find_buffer(const struct job *j, const char *name); /* -1: there is none */

#endif
