#include "experiments/analysis/timeline/cu_activity.h"

#include <string.h>

#include "base/min_max.h"

/* A wave issues at the start of a span. An issue lasts as long as its span, and merged spans no longer tell when the
 * wave issued: both count as spread over the span. */
static bool issues_over_span(const struct wave_spans *w, const struct wave_span *s)
{
	return s->issue || w->grain;
}

static void add_span(const struct wave_spans *w, const struct wave_span *s, uint64_t left, uint64_t zoom, int columns,
	struct cu_activity *out)
{
	const uint64_t right = left + zoom * (uint64_t)columns, from = max_u64(s->start, left),
		       to = min_u64(s->end, right);
	const double cycles = (double)(s->end - s->start);
	if (from >= to)
		return;
	if (!issues_over_span(w, s) && s->start >= left)
		out[(s->start - left) / zoom].ipc += s->issued;
	for (uint64_t c = (from - left) / zoom; c <= (to - 1 - left) / zoom; c++) {
		const uint64_t begin = left + c * zoom, end = begin + zoom;
		const double share = (double)(min_u64(to, end) - max_u64(from, begin));
		out[c].waves += share;
		if (issues_over_span(w, s))
			out[c].ipc += s->issued * share / cycles;
	}
}

void cu_activity_measure(const struct wave_spans *w, uint64_t left, uint64_t zoom, int columns, struct cu_activity *out)
{
	memset(out, 0, sizeof *out * (size_t)columns);
	for (int i = 0; i < w->count; i++)
		add_span(w, &w->span[i], left, zoom, columns, out);
	for (int c = 0; c < columns; c++) {
		out[c].waves /= (double)zoom;
		out[c].ipc /= (double)zoom;
	}
}
