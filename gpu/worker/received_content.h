/* The worker's side of the files of a job from another machine: asks for those that are not here, keeps them in the
 * worker's folder, and builds from them. The opposite is gpu/remote/content_offer.h. */
#ifndef GPU_WORKER_RECEIVED_CONTENT_H
#define GPU_WORKER_RECEIVED_CONTENT_H

#include "gpu/protocol/job_record.h"
#include "gpu/worker/measure_point.h"
#include "kernels/compile/kernel_build.h"

/* A `content` record. Reader thread only. */
void content_receive(const json_t *record);
/* Asks for what the job's kernel needs and waits until it is there. True at once for a job without content. */
bool content_await(const struct job *j, const char *arch, const struct measure_callbacks *m, struct err *e);

/* What the kernel is built from. */
struct job_files {
	bool present; /* false: the job comes from this machine */
	char *file, *root, *object;
	struct kernel_given given; /* points to these */
};
/* After content_await; freed by content_free even on failure. */
bool content_find(const struct job *j, const char *arch, struct job_files *out, struct err *e);
/* Gives the files in a message the names that they have where they come from. */
void content_rename(const struct job *j, const struct job_files *f, char *text, size_t size);
void content_free(struct job_files *f);

#endif
