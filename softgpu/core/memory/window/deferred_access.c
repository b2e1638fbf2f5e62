#include "softgpu/core/memory/window/deferred_access.h"

#include <immintrin.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/core/timing/cluster_merge.h"
#include "softgpu/core/timing/window_log.h"

/* --- lines with deferred accesses --- */
static unsigned line_bit(const uint8_t *host)
{
	return (uint64_t)(uintptr_t)host / 64 * UINT64_C(0x9e3779b97f4a7c15) >> 56;
}

/* The lines of a lane's access: all between its first byte and its last. */
static void lines_of_lane(const struct memory_access *x, unsigned l, const uint8_t **first, const uint8_t **last)
{
	const uint32_t apart = x->odd >> l & 1 ? max_u64(x->apart * 4, x->step) : x->step;

	*first = access_host_pointer(x, l);
	*last = *first + (uint64_t)(x->elements - 1) * apart + x->bytes - 1;
}

static void mark_lines(struct cu *cu, const struct memory_access *x)
{
	const uint8_t *p, *last;

	cu->defers = true;
	for (uint64_t e = x->memory; e; e &= e - 1) {
		lines_of_lane(x, __builtin_ctzll(e), &p, &last);
		for (; (uintptr_t)p / 64 <= (uintptr_t)last / 64; p += 64)
			cu->deferred_lines[line_bit(p) / 64] |= UINT64_C(1) << line_bit(p) % 64;
	}
}

static bool meets_lines(const struct cu *cu, const struct memory_access *x)
{
	const uint8_t *p, *last;

	for (uint64_t e = x->memory; cu->defers && e; e &= e - 1) {
		lines_of_lane(x, __builtin_ctzll(e), &p, &last);
		for (; (uintptr_t)p / 64 <= (uintptr_t)last / 64; p += 64)
			if (cu->deferred_lines[line_bit(p) / 64] >> line_bit(p) % 64 & 1)
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

static struct deferred_access *add_access(
	struct wave *w, const struct uop *i, const struct memory_access *x, unsigned access, unsigned data)
{
	struct cu *cu = w->simd->cu;
	struct deferred_access *d = CLUSTER_APPEND(cu->cluster->deferred);

	d->key = cluster_key(cu->cluster);
	d->wave = w;
	d->i = i;
	d->exec = wave_exec_mask(w);
	d->x = *x;
	d->data = data;
	if (data != ISA_NONE)
		memcpy(d->registers, wave_vgpr(w, data), DEFERRED_REGISTERS * w->launch->lanes * sizeof *d->registers);
	mark_lines(cu, x);
	if (access & VM_READ)
		w->deferred_in = w->m->owner->window;
	return d;
}

bool access_defer(struct wave *w, const struct uop *i, const struct memory_access *x, unsigned access, unsigned data)
{
	struct cu *cu = w->simd->cu;

	if (!x->memory || (!communicates(w, i, x, access) && !meets_lines(cu, x)))
		return false;
	add_access(w, i, x, access, data);
	if (access == VM_READ && w->m->model.timing) {
		waitcnt_raise_last(w, WAITCNT_VM, cu->cluster->end);
		if (i->d.enc == ENC_FLAT)
			waitcnt_raise_last(w, WAITCNT_LGKM, cu->cluster->end);
	}
	return true;
}

bool access_defer_image(struct wave *w, const struct uop *i, const struct image_access *x)
{
	struct memory_access cells = {.memory = x->memory[0], .elements = 1, .bytes = x->bytes, .step = x->bytes};

	if (!cells.memory)
		return false;
	memcpy(cells.host, x->host[0], sizeof cells.host);
	add_access(w, i, &cells, VM_READ | VM_WRITE, i->d.data);
	return true;
}

void access_defer_scalar(
	struct wave *w, const struct uop *i, uint8_t *cell, unsigned bytes, const uint32_t *data, unsigned dwords)
{
	const struct memory_access x = {.memory = 1, .elements = 1, .bytes = bytes, .step = bytes, .host = {cell}};

	memcpy(add_access(w, i, &x, VM_READ | VM_WRITE, ISA_NONE)->registers, data, dwords * sizeof *data);
}

/* --- at the end of the window --- */
/* The lanes of a register that the operation writes. */
static uint64_t written_lanes(const struct deferred_access *d, unsigned number)
{
	const struct isa_inst *i = &d->i->d;
	const bool written = i->flags & FLAG_GLC && i->dst != ISA_NONE && number - i->dst < d->x.bytes / 4;

	return written ? d->exec : 0;
}

/* Exchanges what the data registers hold with what they held, apart from what the operation has written: that cannot
 * have changed, and keeps its result. */
static void exchange_data(struct deferred_access *d, bool back)
{
	const uint32_t lanes = d->wave->launch->lanes;

	for (unsigned k = 0; d->data != ISA_NONE && k < DEFERRED_REGISTERS; k++) {
		uint32_t *now = wave_vgpr(d->wave, d->data + k), *then = d->registers + k * lanes;
		const uint64_t written = back ? written_lanes(d, d->data + k) : 0;
		for (uint32_t l = 0; l < lanes; l++) {
			const uint32_t kept = now[l];
			now[l] = written >> l & 1 ? kept : then[l];
			then[l] = kept;
		}
	}
}

static void apply_access(struct deferred_access *d)
{
	struct wave *w = d->wave;
	const uint32_t exec[2] = {w->s[ISA_EXEC], w->s[ISA_EXEC + 1]};

	w->s[ISA_EXEC] = d->exec;
	if (w->launch->lanes > 32)
		w->s[ISA_EXEC + 1] = d->exec >> 32;
	exchange_data(d, false);
	_mm_setcsr(w->mxcsr[d->i->fp]);
	w->m->applied = d;
	d->i->fn(w, d->i);
	w->m->applied = NULL;
	exchange_data(d, true);
	w->s[ISA_EXEC] = exec[0];
	w->s[ISA_EXEC + 1] = exec[1];
}

void accesses_apply(struct machine *m)
{
	struct cluster_merge q = {0};

	for (uint32_t k = 0; k < m->clusters; k++)
		if (m->cluster[k].deferred.count)
			cluster_merge_add(&q, k, m->cluster[k].deferred.at->key);
	for (bool halted = false; q.count && !halted;) {
		const struct cluster *c = &m->cluster[q.turn->cluster];
		struct deferred_access *d = &c->deferred.at[q.turn->next];
		apply_access(d);
		halted = d->wave->m->halt;
		if (q.turn->next + 1 < c->deferred.count)
			cluster_merge_advance(&q, d[1].key);
		else
			cluster_merge_drop(&q);
	}
	_mm_setcsr(m->thread.mxcsr);
	for (uint32_t k = 0; k < m->clusters; k++)
		m->cluster[k].deferred.count = 0;
	for (uint32_t k = 0; k < m->cus; k++)
		if (m->cu[k].defers) {
			m->cu[k].defers = false;
			memset(m->cu[k].deferred_lines, 0, sizeof m->cu[k].deferred_lines);
		}
}
