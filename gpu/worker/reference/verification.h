/* Compares the first launch of a point with its reference. What a reference computes on the host, it computes while
 * the kernel runs. */
#ifndef GPU_WORKER_REFERENCE_VERIFICATION_H
#define GPU_WORKER_REFERENCE_VERIFICATION_H

#include "gpu/worker/buffers/job_buffers.h"
#include "kernels/reference/reference.h"

struct verification {
	const struct job *j;
	struct buffers *b;
	struct reference called; /* kinds that call a function */
	bool has_result;
	char text[256];      /* what is compared, which elements are wrong, or why nothing is verified */
	const char *verdict; /* "ok", "failed", "none" */
};

/* Whether host copies of all buffers are needed. */
bool verification_copies_buffers(const struct job *j);
/* Prepares for a launch on fresh buffers. *wanted is false, with the reason in `text`, if it is not verified. False
 * with an error if the reference itself has a mistake. */
bool verification_begin(struct verification *v, bool *wanted, struct err *e);
void verification_compute(struct verification *v);                /* after the launch has started */
bool verification_compare(struct verification *v, struct err *e); /* after it has ended */

#endif
