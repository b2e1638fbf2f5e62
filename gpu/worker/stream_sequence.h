/* A timed sequence of copies and launches on streams instead of one launch: "steps" of a job. */
#ifndef GPU_WORKER_STREAM_SEQUENCE_H
#define GPU_WORKER_STREAM_SEQUENCE_H

#include "gpu/worker/buffers/job_buffers.h"
#include "gpu/protocol/job_record.h"

/* The buffers are shared with the point; the host memory of the copies belongs to the sequence. */
struct stream_sequence {
	const struct gpu_runtime *rt;
	void *device;
	const struct job *job;
	struct buffers *buffers;
	void *kernel;            /* NULL if no step launches */
	void *host[BUFFERS_MAX]; /* host memory of the copied buffers, pinned or pageable */
};

/* Allocates the host memory. Call stream_sequence_free in any case; `b` must live longer. */
bool stream_sequence_open(struct stream_sequence *s, const struct gpu_runtime *rt, void *device, const struct job *j,
	struct buffers *b, struct err *e);
void stream_sequence_free(struct stream_sequence *s);
/* Fills both sides of each copied buffer: the source of its first copy with the buffer's fill, the target with zeros.
 */
bool stream_sequence_fill(struct stream_sequence *s, struct err *e);
/* Issues all steps between the two events; poll of the runtime reports their end. */
bool stream_sequence_start(struct stream_sequence *s, struct err *e);
/* Compares both sides of each copy after the sequence has ended. If they differ, *same is false and `text` says where.
 */
bool stream_sequence_check(struct stream_sequence *s, bool *same, char *text, size_t size, struct err *e);

#endif
