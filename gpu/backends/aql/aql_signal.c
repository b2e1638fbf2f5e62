/* Hands out signals in order. */
#include "gpu/backends/aql/aql_signal.h"

enum { SIGNALS_MAX = 1 << 15 /* for the steps of the longest sequence */ };

bool aql_signals_open(struct aql_signals *s, struct aql_device *d, struct err *e)
{
	*s = (struct aql_signals){aql_device_alloc(d, AQL_ON_HOST, SIGNALS_MAX * sizeof *s->all, e), 0};
	return s->all;
}

struct amd_signal *aql_signal_take(struct aql_signals *s, struct err *e)
{
	if (s->used == SIGNALS_MAX) {
		err_set(e, ST_FAILED, "the sequence needs more than %d signals", SIGNALS_MAX);
		return NULL;
	}
	aql_signal_reset(&s->all[s->used]);
	return &s->all[s->used++];
}
