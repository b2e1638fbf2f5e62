#include "softgpu/core/flight.h"

#include "softgpu/core/inside.h"

void flight_push_slowly(struct wave *w, enum flight_kind kind, uint64_t due)
{
	struct flight *f = &w->flight[kind];

	if (f->count == flight_max(kind)) {
		const uint64_t oldest = flight_due(w, kind, 0);
		if (seen(w->m))
			inside_full(w, kind, oldest);
		w->next = w->next > oldest ? w->next : oldest;
		f->head++;
		f->count--;
	}
	flight_enter(w, kind, due);
	if (seen(w->m))
		inside_push(w, kind);
}

void flight_none(struct wave *w)
{
	for (enum flight_kind kind = 0; kind < FLIGHTS; kind++) {
		w->flight[kind] = (struct flight){0, 0};
		flight_ring(w, kind)[flight_place(w, kind, -1)] = 0;
	}
}
