#include "softgpu/core/memory/window/deferred_access.h"

#include <immintrin.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/core/timing/cluster_merge.h"
#include "softgpu/core/timing/window_log.h"

/* --- lines with deferred accesses --- */
static unsigned line_bit(uintptr_t number)
{
	return (uint64_t)number * UINT64_C(0x9e3779b97f4a7c15) >> 56;
}

/* The lines of a lane's access: all between its first byte and its last, as numbers. */
struct line_range {
	uintptr_t first, last;
};

static inline __attribute__((always_inline)) struct line_range lines_of_lane(const struct memory_access *x, unsigned l)
{
	const uint32_t apart = x->odd >> l & 1 ? max_u64(x->apart * 4, x->step) : x->step;
	const uintptr_t at = (uintptr_t)access_host_pointer(x, l);

	return (struct line_range){at / 64, (at + (uint64_t)(x->elements - 1) * apart + x->bytes - 1) / 64};
}

/* Other lanes of x->memory are within the last line of the one before. */
static uint64_t lanes_with_lines(const struct memory_access *x)
{
	return x->odd ? x->memory : x->heads;
}

static void mark_lines(struct cu *cu, const struct memory_access *x)
{
	uintptr_t marked = 0; /* the last one */

	cu->defers = true;
	for (uint64_t e = lanes_with_lines(x); e; e &= e - 1) {
		const struct line_range r = lines_of_lane(x, __builtin_ctzll(e));
		for (uintptr_t k = r.first; k <= r.last; k++)
			if (k != marked) {
				marked = k;
				cu->deferred_lines[line_bit(k) / 64] |= UINT64_C(1) << line_bit(k) % 64;
			}
	}
}

static bool meets_lines(const struct cu *cu, const struct memory_access *x)
{
	for (uint64_t e = cu->defers ? lanes_with_lines(x) : 0; e; e &= e - 1) {
		const struct line_range r = lines_of_lane(x, __builtin_ctzll(e));
		for (uintptr_t k = r.first; k <= r.last; k++)
			if (cu->deferred_lines[line_bit(k) / 64] >> line_bit(k) % 64 & 1)
				return true;
	}
	return false;
}

/* --- which --- */
bool access_is_private(const struct wave *w, const struct uop *i, const struct memory_access *x)
{
	const struct launch *n = w->launch;
	const uint64_t size = (uint64_t)n->m->cus * SIMDS * n->m->wave_slots * n->private_bytes * n->lanes;

	return i->d.enc == ENC_SCRATCH || (x->window && x->at[__builtin_ctzll(x->memory)] - n->d->scratch_base < size);
}

static bool communicates(const struct wave *w, const struct uop *i, const struct memory_access *x, unsigned access)
{
	if (access == (VM_READ | VM_WRITE))
		return true;
	if (access == VM_READ)
		return (i->d.flags & (FLAG_GLC | FLAG_SLC)) == FLAG_GLC;
	return w->m->model.timing && !(x->memory & (x->memory - 1)) && !access_is_private(w, i, x);
}

/* Without a window, and for LDS, `host` is used as well. */
void access_copy(struct memory_access *to, const struct memory_access *from)
{
	memcpy(to, from,
		from->window && !from->lds ? offsetof(struct memory_access, host) : sizeof(struct memory_access));
}

/* dwords: of data in each lane */
static struct deferred_access *add_access(struct wave *w, const struct uop *i, const struct memory_access *x,
	unsigned access, unsigned data, unsigned dwords)
{
	struct cu *cu = w->simd->cu;
	struct deferred_access *d = CLUSTER_APPEND(cu->cluster->deferred);

	d->key = cluster_key(cu->cluster);
	d->wave = w;
	d->i = i;
	d->exec = wave_exec_mask(w);
	d->word3 = isa_is_buffer(i->d.enc) ? w->s[(i->d.src[1] + 3) & 127] : 0;
	access_copy(&d->x, x);
	if (data != ISA_NONE)
		memcpy(d->registers, wave_vgpr(w, data), dwords * w->launch->lanes * sizeof *d->registers);
	mark_lines(cu, x);
	if (access & VM_READ)
		w->deferred_in = w->m->owner->window;
	return d;
}

static unsigned atomic_dwords(const struct uop *i, unsigned bytes)
{
	const unsigned cells = i->sources & 0x80 ? 2 : 1; /* compare and swap */

	return cells * bytes / 4;
}

bool access_defer(struct wave *w, const struct uop *i, const struct memory_access *x, unsigned access, unsigned data)
{
	struct cu *cu = w->simd->cu;

	if (!x->memory || (!communicates(w, i, x, access) && !meets_lines(cu, x)))
		return false;
	const bool atomic = access == (VM_READ | VM_WRITE);
	add_access(w, i, x, access, data, atomic ? atomic_dwords(i, x->bytes) : DEFERRED_REGISTERS);
	if (access == VM_READ && w->m->model.timing) {
		waitcnt_raise_last(w, WAITCNT_VM, cu->cluster->end);
		if (i->d.enc == ENC_FLAT)
			waitcnt_raise_last(w, WAITCNT_LGKM, cu->cluster->end);
	}
	return true;
}

bool access_defer_image(struct wave *w, const struct uop *i, const struct image_access *x)
{
	struct memory_access cells = {
		.memory = x->memory[0], .heads = x->memory[0], .elements = 1, .bytes = x->bytes, .step = x->bytes};

	if (!cells.memory)
		return false;
	memcpy(cells.host, x->host[0], sizeof cells.host);
	add_access(w, i, &cells, VM_READ | VM_WRITE, i->d.data, atomic_dwords(i, x->bytes));
	return true;
}

void access_defer_scalar(struct wave *w, const struct uop *i, uint8_t *cell, unsigned bytes, const uint32_t *data)
{
	const struct memory_access x = {
		.memory = 1, .heads = 1, .elements = 1, .bytes = bytes, .step = bytes, .host = {cell}};
	struct deferred_access *d = add_access(w, i, &x, VM_READ | VM_WRITE, ISA_NONE, 0);

	memcpy(d->registers, data, atomic_dwords(i, bytes) * sizeof *data);
}

/* --- at the end of the window --- */
static void apply_access(struct deferred_access *d)
{
	struct wave *w = d->wave;
	const uint32_t exec[2] = {w->s[ISA_EXEC], w->s[ISA_EXEC + 1]};

	w->s[ISA_EXEC] = d->exec;
	if (w->launch->lanes > 32)
		w->s[ISA_EXEC + 1] = d->exec >> 32;
	_mm_setcsr(w->mxcsr[d->i->fp]);
	w->m->applied = d;
	d->i->fn(w, d->i);
	w->m->applied = NULL;
	w->s[ISA_EXEC] = exec[0];
	w->s[ISA_EXEC + 1] = exec[1];
}

void accesses_forget(struct cu *cu)
{
	cu->defers = false;
	memset(cu->deferred_lines, 0, sizeof cu->deferred_lines);
}

void accesses_apply(struct machine *m)
{
	struct cluster_merge q = {0};
	bool halted = false;

	for (uint32_t k = 0; k < m->clusters; k++)
		if (m->cluster[k].deferred.count)
			cluster_merge_add(&q, k, m->cluster[k].deferred.at->key);
	while (q.count && !halted) {
		const struct cluster *c = &m->cluster[q.turn->cluster];
		struct deferred_access *d = &c->deferred.at[q.turn->next];
		apply_access(d);
		accesses_forget(d->wave->simd->cu);
		halted = d->wave->m->halt;
		if (q.turn->next + 1 < c->deferred.count)
			cluster_merge_advance(&q, d[1].key);
		else
			cluster_merge_drop(&q);
	}
	_mm_setcsr(m->thread.mxcsr);
	for (uint32_t k = 0; k < m->clusters; k++)
		m->cluster[k].deferred.count = 0;
}
