/* Allocates and fills the buffers of a point, in chunks. */
#include "gpu/worker/buffers/job_buffers.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/min_max.h"
#include "gpu/softgpu-link/softprobe.h"
#include "gpu/worker/buffers/fill_pages.h"
#include "gpu/worker/buffers/parallel_fill.h"

/* On a software GPU, accesses outside of the buffer end the launch (out_of_bounds.h). */
static bool bound_one(struct buffers *b, int i, struct err *e)
{
	b->in_kernel[i] = b->on_device[i];
	if (!softprobe_is_present())
		return true;
	b->in_kernel[i] = (void *)(uintptr_t)softprobe_bound((uintptr_t)b->on_device[i], b->job->buffers[i].bytes);
	return b->in_kernel[i] ||
		err_set(e, ST_FAILED, "buffer %s: cannot check its bounds; make it smaller", b->job->buffers[i].name);
}

static void unbound_one(struct buffers *b, int i)
{
	if (b->in_kernel[i] && b->in_kernel[i] != b->on_device[i])
		softprobe_unbound((uintptr_t)b->in_kernel[i]);
}

bool buffers_alloc(struct buffers *b, const struct gpu_runtime *rt, void *device, const struct job *j, struct err *e)
{
	struct err why = {0};
	*b = (struct buffers){.rt = rt, .device = device, .job = j};
	for (int i = 0; i < j->buffer_count; i++) {
		b->on_device[i] = rt->alloc(device, j->buffers[i].bytes, &why);
		if (!b->on_device[i])
			return err_set(e, why.status, "buffer %s: %s", j->buffers[i].name, why.text);
		if (!bound_one(b, i, e))
			return false;
	}
	return true;
}

/* Whether the host copy is one block mapped many times. Not if the reference writes to it, because each write would
 * copy a page. */
static bool is_one_block(const struct job_buffer *b)
{
	return b->fill.kind == FILL_NUMBER && !b->written && b->bytes > FILL_PAGES_BLOCK;
}

/* The last large host copy, reused by the next point of a sweep: the operating system would clear new memory first. */
enum { KEPT_LEAST = 1 << 20, KEPT_MOST = 64 << 20 };
static struct {
	void *copy;
	size_t bytes;
} kept;

static void *take_host_copy(size_t bytes)
{
	void *copy = kept.copy && kept.bytes == bytes ? kept.copy : NULL;
	if (copy)
		kept.copy = NULL;
	return copy;
}

static void keep_host_copy(void *copy, size_t bytes)
{
	free(kept.copy);
	kept.copy = copy;
	kept.bytes = bytes;
}

static void free_host(const struct job_buffer *b, void *copy)
{
	if (copy && is_one_block(b))
		fill_pages_free(copy, b->bytes);
	else if (copy && b->bytes >= KEPT_LEAST && b->bytes <= KEPT_MOST)
		keep_host_copy(copy, b->bytes);
	else
		free(copy);
}

/* Last in, first out: ROCr gives the block that was released last to the next small buffer, so the buffers of the next
 * point lie where those of this point did. */
static void release_on_device(struct buffers *b)
{
	for (int i = b->job ? b->job->buffer_count : 0; i-- > 0;) {
		unbound_one(b, i);
		if (b->on_device[i])
			b->rt->release(b->device, b->on_device[i]);
	}
}

void buffers_free(struct buffers *b)
{
	release_on_device(b);
	for (int i = 0; b->job && i < b->job->buffer_count; i++)
		free_host(&b->job->buffers[i], b->on_host[i]);
	*b = (struct buffers){0};
}

void buffer_fill_bytes(const struct job_buffer *b, void *to, size_t from, size_t bytes)
{
	fill_store_in_parallel(b->type, &b->fill, to, from / b->type->part, bytes / b->type->part);
}

/* What the kernel finds. The reference has offsets instead of addresses: its copy of the buffer is elsewhere. */
static struct fill_rule fill_in_kernel(const struct buffers *b, int i)
{
	struct fill_rule fill = b->job->buffers[i].fill;
	fill.base = (uintptr_t)b->in_kernel[i];
	return fill;
}

static bool fill_one(struct buffers *b, int i, void *room, struct err *e)
{
	const struct job_buffer *buffer = &b->job->buffers[i];
	struct fill_rule fill = fill_in_kernel(b, i);
	bool same = fill.kind == FILL_NUMBER; /* all chunks are equal */
	for (size_t at = 0; at < buffer->bytes; at += BUFFERS_CHUNK) {
		size_t n = min_u64(BUFFERS_CHUNK, buffer->bytes - at);
		if (!same || !at)
			fill_store_in_parallel(
				buffer->type, &fill, room, at / buffer->type->part, n / buffer->type->part);
		if (!b->rt->write(b->device, (char *)b->on_device[i] + at, room, n, e))
			return false;
	}
	return true;
}

static size_t largest_buffer(const struct job *j)
{
	size_t most = 0;
	for (int i = 0; i < j->buffer_count; i++)
		most = j->buffers[i].bytes > most ? j->buffers[i].bytes : most;
	return most;
}

void *buffers_chunk(const struct job *j)
{
	static void *room;
	static size_t size;
	size_t want = min_u64(BUFFERS_CHUNK, largest_buffer(j));
	if (want > size) {
		free(room);
		room = xlarge_alloc(want);
		size = want;
	}
	return room;
}

bool buffers_fill(struct buffers *b, struct err *e)
{
	void *room = buffers_chunk(b->job);
	bool ok = true;
	for (int i = 0; ok && i < b->job->buffer_count; i++)
		ok = fill_one(b, i, room, e);
	return ok;
}

void buffers_expect_addresses(struct buffers *b)
{
	for (int i = 0; i < b->job->buffer_count; i++) {
		const struct job_buffer *buffer = &b->job->buffers[i];
		struct fill_rule fill = fill_in_kernel(b, i);
		if (fill.kind == FILL_ADDRESSES && !buffer->written)
			fill_store_in_parallel(
				buffer->type, &fill, b->on_host[i], 0, buffer->bytes / buffer->type->part);
	}
}

static void *host_copy(const struct job_buffer *b)
{
	if (is_one_block(b))
		return fill_pages_alloc(b->type, &b->fill, b->bytes);
	void *copy = take_host_copy(b->bytes);
	if (!copy)
		copy = large_alloc(b->bytes);
	if (copy)
		buffer_fill_bytes(b, copy, 0, b->bytes);
	return copy;
}

bool buffers_copy_to_host(struct buffers *b)
{
	for (int i = 0; i < b->job->buffer_count; i++) {
		b->on_host[i] = host_copy(&b->job->buffers[i]);
		if (!b->on_host[i])
			return false;
	}
	return true;
}

bool buffers_read_to_host(struct buffers *b, struct err *e)
{
	for (int i = 0; i < b->job->buffer_count; i++)
		if (b->job->buffers[i].written &&
			!b->rt->read(b->device, b->on_host[i], b->on_device[i], b->job->buffers[i].bytes, e))
			return false;
	return true;
}

void buffers_release_device(struct buffers *b)
{
	release_on_device(b);
	memset(b->on_device, 0, sizeof b->on_device);
	memset(b->in_kernel, 0, sizeof b->in_kernel);
}

void buffers_take_host(struct buffers *to, struct buffers *from)
{
	memcpy(to->on_host, from->on_host, sizeof to->on_host);
	memset(from->on_host, 0, sizeof from->on_host);
}

static bool digest_one(struct buffers *b, int i, void *room, uint64_t *digest, struct err *e)
{
	const struct job_buffer *buffer = &b->job->buffers[i];
	for (size_t at = 0; at < buffer->bytes; at += BUFFERS_CHUNK) {
		size_t n = min_u64(BUFFERS_CHUNK, buffer->bytes - at);
		if (!b->rt->read(b->device, room, (char *)b->on_device[i] + at, n, e))
			return false;
		*digest = hash_bytes(*digest, room, n);
	}
	return true;
}

bool buffers_digest(struct buffers *b, uint64_t *digest, struct err *e)
{
	void *room = buffers_chunk(b->job);
	bool ok = true;
	*digest = HASH_START;
	for (int i = 0; ok && i < b->job->buffer_count; i++)
		ok = digest_one(b, i, room, digest, e);
	return ok;
}

void buffers_build_args(struct buffers *b, bool host, void **vector, void **room)
{
	for (int i = 0; i < b->job->arg_count; i++) {
		const struct job_arg *a = &b->job->args[i];
		vector[i] = (void *)a->value;
		if (a->buffer < 0)
			continue;
		room[i] = host ? b->on_host[a->buffer] : b->in_kernel[a->buffer];
		vector[i] = &room[i];
	}
}
