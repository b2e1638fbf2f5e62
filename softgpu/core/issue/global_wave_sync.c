/* A resource is a counter and the waves that wait for it, in the order of their arrival. The guide's flag, which
 * separates the waves of one barrier from those of the next, is not needed: a barrier releases all waves at once. */
#include "softgpu/core/issue/global_wave_sync.h"

#include "base/min_max.h"
#include "softgpu/core/check/checker.h"
#include "softgpu/core/exec/advance_wave.h"
#include "softgpu/core/timing/scheduler.h"

enum { GWS_COUNTER_MAX = 0xfff /* RDNA3.5 ISA 13.4.4: 12 bits */ };

/* (base of the process, which is 0) + M0[21:16] + offset[5:0]: LLVM's AMDGPUISelDAGToDAG.cpp, RDNA3.5 ISA 13.4.4. */
static unsigned gws_resource_number(const struct wave *w, const struct uop *i)
{
	return ((w->s[ISA_M0] >> 16) + (uint32_t)i->d.imm) % GWS_RESOURCES;
}

/* NULL: the launch ends with an error, because its queue has no resources. On the card the wave halts forever. */
static uint16_t *gws_counter_of(struct wave *w, const struct uop *i)
{
	struct gws_resources *r = w->launch->d->gws;

	if (r)
		return &r->counter[gws_resource_number(w, i)];
	machine_halt(w, i, LAUNCH_ILLEGAL,
		"global wave sync in a queue that has none; launch the kernel with hipLaunchCooperativeKernel");
	return NULL;
}

static void gws_return_to(struct wave *w)
{
	w->next = max_u64(w->next, w->last + gws_cycles(w->m));
}

static void gws_enqueue(struct wave *w, const struct uop *i)
{
	struct gws_waiters *q = &w->launch->gws_waiters[gws_resource_number(w, i)];

	w->gws_next = NULL;
	*(q->first ? &q->last->gws_next : &q->first) = w;
	q->last = w;
	q->count++;
	w->m->gws_waiting++;
	w->simd->at_barrier++;
	w->next = CYCLE_NEVER;
}

/* Releases the first wave that waits; `by` is the wave that releases it. */
static void gws_release_first(struct gws_waiters *q, struct wave *by)
{
	struct wave *w = q->first;
	struct cu *cu = w->simd->cu;

	if (machine_is_checked(w->m))
		checker_pass_order(by, w);
	q->first = w->gws_next;
	q->count--;
	w->m->gws_waiting--;
	w->simd->at_barrier--;
	w->next = by->last + gws_cycles(w->m);
	scheduler_requeue(&cu->scheduler, scheduler_wave_index(w), w);
	event_queue_lower(cu->events, cu - w->m->cu, w->next);
}

static void gws_add_to_counter(struct wave *w, const struct uop *i, uint32_t value)
{
	uint16_t *counter = gws_counter_of(w, i);
	struct gws_waiters *q = &w->launch->gws_waiters[gws_resource_number(w, i)];

	if (!counter)
		return;
	*counter = (*counter + value) & GWS_COUNTER_MAX;
	for (; *counter && q->first; --*counter)
		gws_release_first(q, w);
	gws_return_to(w);
}

/* --- operations --- */
void gws_init(struct wave *w, const struct uop *i, uint32_t value)
{
	uint16_t *counter = gws_counter_of(w, i);

	if (!counter)
		return;
	*counter = value & GWS_COUNTER_MAX;
	gws_return_to(w);
}

/* The counter is the number of waves that have yet to come before the last one, which sets that of the next barrier. */
void gws_barrier(struct wave *w, const struct uop *i, uint32_t value)
{
	uint16_t *counter = gws_counter_of(w, i);
	struct gws_waiters *q = &w->launch->gws_waiters[gws_resource_number(w, i)];

	if (!counter)
		return;
	if (*counter) {
		--*counter;
		gws_enqueue(w, i);
		return;
	}
	*counter = value & GWS_COUNTER_MAX;
	for (struct wave *k = machine_is_checked(w->m) ? q->first : NULL; k; k = k->gws_next)
		checker_pass_order(k, w);
	while (q->first)
		gws_release_first(q, w);
	gws_return_to(w);
}

void gws_sema_p(struct wave *w, const struct uop *i, uint32_t value)
{
	uint16_t *counter = gws_counter_of(w, i);

	(void)value;
	if (!counter)
		return;
	if (!*counter) {
		gws_enqueue(w, i);
		return;
	}
	--*counter;
	gws_return_to(w);
}

void gws_sema_v(struct wave *w, const struct uop *i, uint32_t value)
{
	(void)value;
	gws_add_to_counter(w, i, 1);
}

void gws_sema_br(struct wave *w, const struct uop *i, uint32_t value)
{
	gws_add_to_counter(w, i, value);
}

void gws_sema_release_all(struct wave *w, const struct uop *i, uint32_t value)
{
	(void)value;
	gws_add_to_counter(w, i, w->launch->gws_waiters[gws_resource_number(w, i)].count);
}
