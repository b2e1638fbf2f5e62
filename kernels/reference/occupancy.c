/* References for kernels about occupancy and grid shapes. The multiply-add chains are those of fma.c: the chain of a
 * work-item depends only on its index and length. */
#include "kernels/reference/references.h"

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
	for (uint64_t g = 0; g < threads; g++) {
		sums[g] = 0;
		for (unsigned i = 0; i < trips; i++)
			sums[g] += buf[(g >> shift) + (uint64_t)i * step];
	}
}

static unsigned chase_pointer(const unsigned *buf, unsigned at, unsigned trips, unsigned step)
{
	for (unsigned i = 0; i < trips; i++)
		at = buf[at + step];
	return at;
}

void reference_prefetch(const struct launch_shape *shape, const unsigned *buf, float *out, unsigned *last,
	unsigned trips, unsigned step, unsigned work)
{
	uint64_t threads = shape_threads(shape);
	run_fma_chains(threads, out, trips * work);
	for (uint64_t g = 0; g < threads; g++)
		last[g] = chase_pointer(buf, (unsigned)g, trips, step);
}

void reference_load_chains(const struct launch_shape *shape, const unsigned *buf, float *out, unsigned *last,
	unsigned trips, unsigned count, unsigned length)
{
	(void)out, (void)length;
	unsigned threads = (unsigned)shape_threads(shape);
	for (unsigned g = 0; g < threads; g++) {
		last[g] = 0;
		for (unsigned k = 0; k < count; k++)
			last[g] += chase_pointer(buf, g + k * threads, trips, count * threads);
	}
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
	for (unsigned g = 0; g < shape_threads(shape); g++)
		out[g] = chase_pointer(buf, g / 4, trips, step) + live * g + live * (live - 1) / 2;
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
