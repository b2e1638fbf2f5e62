/* A timed sequence of copies and launches on streams, instead of one launch: what a job's "steps" say. */
#ifndef GPU_STEPS_H
#define GPU_STEPS_H

#include "gpu/buffers.h"
#include "gpu/job.h"

/* What the sequence needs beside the buffers: their host sides. */
struct sequence {
	const struct runtime *rt;
	void *device;
	const struct job *job;
	struct buffers *buffers;
	void *kernel;            /* NULL when no step launches */
	void *host[BUFFERS_MAX]; /* of the buffers that are copied: pinned or pageable */
};

/* Allocates the host sides. sequence_free is right either way; `b` must outlive it. */
bool sequence_open(struct sequence *s, const struct runtime *rt, void *device, const struct job *j, struct buffers *b,
	struct err *e);
void sequence_free(struct sequence *s);
/* Gives every side what it has to hold before the sequence: where a buffer's first copy comes from, the buffer's
 * filling; where that goes, zeros. */
bool sequence_fill(struct sequence *s, struct err *e);
/* Issues all steps between the two events; runtime.poll says when they have ended. */
bool sequence_start(struct sequence *s, struct err *e);
/* Whether what was copied is the same on both sides; otherwise *same is false and `text` says where not. After the
 * sequence has ended. */
bool sequence_check(struct sequence *s, bool *same, char *text, size_t size, struct err *e);

#endif
