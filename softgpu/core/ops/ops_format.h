/* Buffer instructions that convert data from or to a format (MTBUF; MUBUF, ..._format_...). "buffer_load_format_x and
 * dfmt is 32_32_32_32: load 4 DWORDs from memory, but only load first into the shader; buffer_store_format_x [...]:
 * stores 4 DWORDs to memory based on dst_sel" (RDNA3.5 ISA 9.3.2). */
#ifndef SOFTGPU_CORE_OPS_OPS_FORMAT_H
#define SOFTGPU_CORE_OPS_OPS_FORMAT_H

#include "softgpu/core/memory/buffer_format.h"
#include "softgpu/core/ops/ops_vmem.h"

/* The components that an instruction names, and how they are in registers. */
struct format_data {
	unsigned count;
	bool halves;    /* two in a register */
	unsigned first; /* the half with the first one */
};

static bool begin_formatted(
	struct wave *w, const struct uop *i, uint32_t word3, unsigned access, struct memory_access *x)
{
	const unsigned bytes = buffer_format_bytes(word3), wide = bytes > 4 ? bytes / 4 : 1;

	return access_begin(w, i, x, wide, bytes ? bytes / wide : 1, access);
}

/* --- registers --- */
/* `d` is the lane's column. The half above an odd number of halves "is preserved" (RDNA3 ISA 16, MUBUF and MTBUF),
 * where loads of halves preserve the other one. */
static void put_components(
	const struct wave *w, const struct format_data *f, uint32_t word3, const uint32_t component[4], uint32_t *d)
{
	if (f->halves && model_clears_other_half(&w->m->model))
		d[(f->first + f->count - 1) / 2 * LANES] = 0;
	for (unsigned k = 0, half = f->first; k < f->count; k++, half++)
		if (f->halves)
			d[half / 2 * LANES] = replace_half(
				d[half / 2 * LANES], buffer_format_narrow(word3, component[k]), half % 2 * 16);
		else
			d[k * LANES] = component[k];
}

/* "When the shader provides fewer components than the surface format, the first component is replicated to fill in the
 * missing ones" (RDNA4 ISA 9.3; earlier guides do not say). */
static void take_components(const struct format_data *f, uint32_t word3, const uint32_t *d, uint32_t component[4])
{
	for (unsigned k = 0; k < 4; k++) {
		const unsigned n = k < f->count ? k : 0, half = f->first + n;
		component[k] = f->halves ? buffer_format_widen(buffer_format_number(word3),
						   d[half / 2 * LANES] >> half % 2 * 16 & 0xffff)
					 : d[n * LANES];
	}
}

/* --- loads and stores --- */
static __attribute__((noinline)) void load_formatted(struct wave *w, const struct uop *i, struct format_data f)
{
	const uint32_t word3 = read_buffer_format(w, i), csr = _mm_getcsr();
	uint32_t *d = vgpr_data(w, i->d.dst), element[BUFFER_ELEMENT_MAX / 4] = {0}, component[4], outside[4];
	struct memory_access x;
	unsigned l;

	if (!begin_formatted(w, i, word3, VM_READ, &x))
		return;
	_mm_setcsr(w->mxcsr[FP_NONE]);
	EACH_LANE(l, x.memory)
	{
		load_lane_bytes(w, &x, l, element);
		buffer_format_decode(word3, element, component);
		put_components(w, &f, word3, component, d + l);
	}
	buffer_format_decode_outside(word3, outside);
	EACH_LANE(l, active_lanes(w) & ~x.memory)
	put_components(w, &f, word3, outside, d + l);
	_mm_setcsr(csr);
}

static __attribute__((noinline)) void store_formatted(struct wave *w, const struct uop *i, struct format_data f)
{
	const uint32_t word3 = read_buffer_format(w, i), csr = _mm_getcsr(),
		       *d = access_data(w, vgpr_data(w, i->d.data));
	uint32_t element[BUFFER_ELEMENT_MAX / 4], component[4];
	struct memory_access x;
	unsigned l;

	if (!begin_formatted(w, i, word3, VM_WRITE, &x))
		return;
	_mm_setcsr(w->mxcsr[FP_NONE]);
	EACH_LANE(l, x.memory)
	{
		take_components(&f, word3, d + l, component);
		buffer_format_encode(word3, component, element);
		store_lane_bytes(w, i, &x, l, element);
	}
	_mm_setcsr(csr);
}

#define LOAD_FORMAT(n)          load_formatted(w, i, (struct format_data){.count = (n)})
#define LOAD_FORMAT_D16(n, hi)  load_formatted(w, i, (struct format_data){.count = (n), .halves = true, .first = (hi)})
#define STORE_FORMAT(n)         store_formatted(w, i, (struct format_data){.count = (n)})
#define STORE_FORMAT_D16(n, hi) store_formatted(w, i, (struct format_data){.count = (n), .halves = true, .first = (hi)})

#endif
