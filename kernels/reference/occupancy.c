/* References for kernels about occupancy and grid shapes. The multiply-add chains are those of fma.c: the chain of a
 * work-item depends only on its index and length. */
#include "kernels/reference/references.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static void run_fma_chains(uint64_t items, float *out, unsigned length)
{
	const struct launch_shape shape = {{1, 1, 1}, {(uint32_t)items, 1, 1}};
	reference_fma_fused(&shape, out, (int)length);
}

/* `work` multiply-adds per trip; work-item g reads the elements (g >> shift) + i * step, which contain their index. */
void reference_hide_by_waves(const struct launch_shape *shape, const unsigned *buf, float *out, unsigned *sums,
	unsigned trips, unsigned step, unsigned shift, unsigned work)
{
	uint64_t threads = shape_threads(shape);
	run_fma_chains(threads, out, trips * work);
	memset(sums, 0, threads * sizeof *sums);
	for (unsigned i = 0; i < trips; i++) /* outside: work-items next to each other read the same line */
		for (uint64_t g = 0; g < threads; g++)
			sums[g] += buf[(g >> shift) + (uint64_t)i * step];
}

/* One trip of all chains after the other, since chains next to each other read the same line. One chain after the other
 * takes a hundred times as long with 64 MiB. */
static void chase_pointers(const unsigned *buf, unsigned *at, unsigned chains, unsigned trips, unsigned step)
{
	for (unsigned i = 0; i < trips; i++)
		for (unsigned c = 0; c < chains; c++)
			at[c] = buf[at[c] + step];
}

void reference_prefetch(const struct launch_shape *shape, const unsigned *buf, float *out, unsigned *last,
	unsigned trips, unsigned step, unsigned work)
{
	uint64_t threads = shape_threads(shape);
	run_fma_chains(threads, out, trips * work);
	for (uint64_t g = 0; g < threads; g++)
		last[g] = (unsigned)g;
	chase_pointers(buf, last, (unsigned)threads, trips, step);
}

void reference_load_chains(const struct launch_shape *shape, const unsigned *buf, float *out, unsigned *last,
	unsigned trips, unsigned count, unsigned length)
{
	(void)out, (void)length;
	unsigned threads = (unsigned)shape_threads(shape), chains = count * threads;
	unsigned *at = xcalloc(chains, sizeof *at);
	for (unsigned c = 0; c < chains; c++)
		at[c] = c;
	chase_pointers(buf, at, chains, trips, chains);
	for (unsigned g = 0; g < threads; g++) {
		last[g] = 0;
		for (unsigned k = 0; k < count; k++)
			last[g] += at[g + k * threads];
	}
	free(at);
}

/* Chain k of work-item g is the chain of work-item g + k * threads. */
void reference_fma_chains(const struct launch_shape *shape, const unsigned *buf, float *out, unsigned *last,
	unsigned trips, unsigned count, unsigned length)
{
	(void)buf, (void)last;
	run_fma_chains(shape_threads(shape) * count, out, trips * length);
}

void reference_keep(const struct launch_shape *shape, const unsigned *buf, unsigned *out, unsigned trips, unsigned step,
	unsigned live)
{
	unsigned threads = (unsigned)shape_threads(shape);
	for (unsigned g = 0; g < threads; g++)
		out[g] = g / 4;
	chase_pointers(buf, out, threads, trips, step);
	for (unsigned g = 0; g < threads; g++)
		out[g] += live * g + live * (live - 1) / 2;
}

void reference_split_tasks(const struct launch_shape *shape, float *out, unsigned tasks, unsigned length)
{
	run_fma_chains(tasks * shape_block(shape), out, length);
}

enum { RADIUS = 4, FMA_LENGTH = 256 };

void reference_split_copy(const struct launch_shape *shape, const float *in, float *out, unsigned n)
{
	(void)shape;
	for (unsigned i = 0; i < n; i++)
		out[i] = in[i + RADIUS];
}

void reference_split_stencil(const struct launch_shape *shape, const float *in, float *out, unsigned n)
{
	(void)shape;
	for (unsigned i = 0; i < n; i++) {
		float sum = 0;
		for (unsigned k = 0; k <= 2 * RADIUS; k++)
			sum += in[i + k];
		out[i] = sum;
	}
}

void reference_split_fma(const struct launch_shape *shape, const float *in, float *out, unsigned n)
{
	(void)shape;
	(void)in;
	run_fma_chains(n, out, FMA_LENGTH);
}
