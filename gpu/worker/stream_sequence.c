/* Issues a sequence of copies and launches on streams, and checks the copies. */
#include "gpu/worker/stream_sequence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/min_max.h"
#include "gpu/softgpu-link/softprobe.h"

enum { CHUNK = 16 << 20 };

static bool is_copy(const struct job_step *s)
{
	return s->kind == JOB_STEP_TO_DEVICE || s->kind == JOB_STEP_TO_HOST;
}

/* The first copy of a buffer; NULL if it is never copied. */
static const struct job_step *first_copy(const struct job *j, int buffer)
{
	for (int i = 0; i < j->step_count; i++)
		if (is_copy(&j->steps[i]) && j->steps[i].buffer == buffer)
			return &j->steps[i];
	return NULL;
}

/* --- memory --- */
bool stream_sequence_open(struct stream_sequence *s, const struct gpu_runtime *rt, void *device, const struct job *j,
	struct buffers *b, struct err *e)
{
	*s = (struct stream_sequence){.rt = rt, .device = device, .job = j, .buffers = b};
	for (int i = 0; i < j->buffer_count; i++) {
		if (!first_copy(j, i))
			continue;
		s->host[i] =
			j->pinned ? rt->alloc_host(device, j->buffers[i].bytes, e) : large_alloc(j->buffers[i].bytes);
		if (!s->host[i])
			return j->pinned
				? false
				: err_set(e, ST_FAILED, "out of host memory for the buffer %s; choose a smaller size",
					  j->buffers[i].name);
	}
	return true;
}

void stream_sequence_free(struct stream_sequence *s)
{
	for (int i = 0; s->job && i < s->job->buffer_count; i++) {
		if (s->host[i] && s->job->pinned)
			s->rt->release_host(s->device, s->host[i]);
		else
			free(s->host[i]);
	}
	*s = (struct stream_sequence){0};
}

static bool zero_device(struct stream_sequence *s, int i, struct err *e)
{
	size_t bytes = s->job->buffers[i].bytes;
	void *zeros = xcalloc(1, min_u64(CHUNK, bytes));
	bool ok = true;
	for (size_t at = 0; ok && at < bytes; at += CHUNK)
		ok = s->rt->write(
			s->device, (char *)s->buffers->on_device[i] + at, zeros, min_u64(CHUNK, bytes - at), e);
	free(zeros);
	return ok;
}

bool stream_sequence_fill(struct stream_sequence *s, struct err *e)
{
	if (!buffers_fill(s->buffers, e))
		return false;
	for (int i = 0; i < s->job->buffer_count; i++) {
		const struct job_step *first = first_copy(s->job, i);
		size_t bytes = s->job->buffers[i].bytes;
		if (!first)
			continue;
		if (first->kind == JOB_STEP_TO_HOST)
			memset(s->host[i], 0, bytes);
		else
			buffer_fill_bytes(&s->job->buffers[i], s->host[i], 0, bytes);
		if (first->kind == JOB_STEP_TO_DEVICE && !zero_device(s, i, e))
			return false;
	}
	return true;
}

/* --- the steps --- */
static bool issue_launch(struct stream_sequence *s, const struct job_step *step, struct err *e)
{
	void *vector[KERNEL_ARGS_MAX + 1], *room[KERNEL_ARGS_MAX + 1];
	buffers_build_args(s->buffers, false, vector, room);
	for (int i = 0; i < s->job->arg_count; i++)
		if (s->job->args[i].buffer < 0)
			vector[i] = step->values[i];
	return s->rt->launch(s->device, step->stream, s->kernel, &step->shape, s->job->lds_bytes, vector, e);
}

static bool issue_call(struct stream_sequence *s, const struct job_step *step, struct err *e)
{
	void *vector[KERNEL_ARGS_MAX + 1], *room[KERNEL_ARGS_MAX + 1];
	buffers_build_args(s->buffers, false, vector, room);
	return s->rt->call(s->device, step->stream, step->call, vector, e);
}

static bool issue_step(struct stream_sequence *s, const struct job_step *step, struct err *e)
{
	switch (step->kind) {
	case JOB_STEP_LAUNCH: return issue_launch(s, step, e);
	case JOB_STEP_CALL: return issue_call(s, step, e);
	case JOB_STEP_WAIT: return s->rt->wait(s->device, step->stream, step->on, e);
	case JOB_STEP_TO_DEVICE:
	case JOB_STEP_TO_HOST: break;
	}
	return s->rt->copy(s->device, step->stream, step->kind == JOB_STEP_TO_DEVICE,
		(char *)s->buffers->on_device[step->buffer] + step->offset,
		(char *)s->host[step->buffer] + step->offset, step->bytes, e);
}

static bool issue_all(struct stream_sequence *s, struct err *e)
{
	bool ok = s->rt->begin(s->device, s->job->streams, e);
	for (int i = 0; ok && i < s->job->step_count; i++)
		ok = issue_step(s, &s->job->steps[i], e);
	return ok && s->rt->end(s->device, e);
}

/* A software GPU holds the queues back until the whole sequence has been issued, then runs them at the same time in
 * virtual time. Otherwise the packets would depend on the speed of the host: the runtime omits waits for work that has
 * already ended. Copies of pageable memory block the host, and functions of libraries may: they cannot be held back. */
bool stream_sequence_start(struct stream_sequence *s, struct err *e)
{
	bool hold = s->job->pinned && !s->job->calls_any;
	if (hold)
		softprobe_overlap_queues(true);
	bool ok = issue_all(s, e);
	if (hold)
		softprobe_overlap_queues(false);
	return ok;
}

/* --- check of the copies --- */
static bool same_range(struct stream_sequence *s, const struct job_step *step, void *room, bool *same, struct err *e)
{
	for (size_t at = 0; *same && at < step->bytes; at += CHUNK) {
		size_t n = min_u64(CHUNK, step->bytes - at), from = step->offset + at;
		if (!s->rt->read(s->device, room, (char *)s->buffers->on_device[step->buffer] + from, n, e))
			return false;
		*same = !memcmp(room, (char *)s->host[step->buffer] + from, n);
	}
	return true;
}

/* Whether both sides of this copy must be equal at the end. If the device computes, it may change a buffer after the
 * copy to the device, so only copies to the host are checked. */
static bool is_checked_copy(const struct job *j, const struct job_step *step)
{
	return step->kind == JOB_STEP_TO_HOST ||
		(step->kind == JOB_STEP_TO_DEVICE && !j->launches_any && !j->calls_any);
}

bool stream_sequence_check(struct stream_sequence *s, bool *same, char *text, size_t size, struct err *e)
{
	void *room = xmalloc(CHUNK);
	bool ok = true;
	*same = true;
	for (int i = 0; ok && *same && i < s->job->step_count; i++) {
		const struct job_step *step = &s->job->steps[i];
		if (!is_checked_copy(s->job, step))
			continue;
		ok = same_range(s, step, room, same, e);
		if (!*same)
			snprintf(text, size, "bytes %zu to %zu of %s differ from their copy", step->offset,
				step->offset + step->bytes, s->job->buffers[step->buffer].name);
	}
	free(room);
	return ok;
}
