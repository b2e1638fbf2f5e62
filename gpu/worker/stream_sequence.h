/* A timed sequence of copies and launches on streams, instead of one launch: what a job's "steps" say. */
#ifndef GPU_WORKER_STREAM_SEQUENCE_H
#define GPU_WORKER_STREAM_SEQUENCE_H

#include "gpu/worker/job_buffers.h"
#include "gpu/protocol/job_record.h"

/* What the sequence needs beside the buffers: their host sides. */
struct stream_sequence {
	const struct gpu_runtime *rt;
	void *device;
	const struct job *job;
	struct buffers *buffers;
	void *kernel;            /* NULL when no step launches */
	void *host[BUFFERS_MAX]; /* of the buffers that are copied: pinned or pageable */
};

/* Allocates the host sides. stream_sequence_free is right either way; `b` must outlive it. */
bool stream_sequence_open(struct stream_sequence *s, const struct gpu_runtime *rt, void *device, const struct job *j,
	struct buffers *b, struct err *e);
void stream_sequence_free(struct stream_sequence *s);
/* Gives every side what it has to hold before the sequence: where a buffer's first copy comes from, the buffer's
 * filling; where that goes, zeros. */
bool stream_sequence_fill(struct stream_sequence *s, struct err *e);
/* Issues all steps between the two events; runtime.poll says when they have ended. */
bool stream_sequence_start(struct stream_sequence *s, struct err *e);
/* Whether what was copied is the same on both sides; otherwise *same is false and `text` says where not. After the
 * sequence has ended. */
bool stream_sequence_check(struct stream_sequence *s, bool *same, char *text, size_t size, struct err *e);

#endif
