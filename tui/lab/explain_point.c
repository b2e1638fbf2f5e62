#include "tui/lab/explain_point.h"

#include <stdio.h>
#include <string.h>

#include "experiments/analysis/cache_capacities.h"
#include "gpu/protocol/stalls/stall_reasons.h"
#include "tui/lab/lab.h"
#include "tui/lab/plot/plot_model.h"

static const double SECOND_SHARE = 0.2; /* of the cycles, for the second stall reason to be named */

struct cursor_context {
	const struct app *a;
	const struct lab *b;
	const struct point *p;
};
typedef void explainer(const struct cursor_context *h, char *out, size_t size); /* leaves "" if it does not apply */

/* Which cache the footprint fits, which lines the stride touches: of the parameter on the x axis, else of another
 * parameter that the definition marks as footprint or stride. */
static void explain_cache(const struct cursor_context *h, char *out, size_t size)
{
	const json_t *device = h->a->workers ? worker_pool_device_record(h->a->workers) : NULL;
	const struct experiment *x = h->b->x;
	int found = h->b->curve.axis;
	for (int i = x->param_count - 1; i >= 0 && (found < 0 || x->params[found].means == PARAM_MEANS_NOTHING); i--)
		if (x->params[i].means != PARAM_MEANS_NOTHING)
			found = i;
	if (found >= 0)
		capacities_explain(device, &x->params[found], h->p->values[found], out, size);
}

static void explain_knee(const struct cursor_context *h, char *out, size_t size)
{
	struct knee list[KNEES_MAX];
	int n = plot_find_knees(h->b, list, KNEES_MAX), metric = plot_main_metric(h->b->x);
	for (int i = 0; i < n; i++)
		if (h->b->cursor == list[i].last || h->b->cursor == list[i].last + 1)
			snprintf(out, size, "knee: from %.4g to %.4g %s", list[i].from, list[i].to,
				metric_unit(&h->b->x->metrics[metric]));
}

static int largest_reason(const double *cycles, int except)
{
	int at = except == 0 ? 1 : 0;
	for (int k = 0; k < STALL_REASON_COUNT; k++)
		if (k != except && cycles[k] > cycles[at])
			at = k;
	return at;
}

/* The stall reason with the most cycles, and the second if it has a large share. */
static void explain_stall_reasons(const struct cursor_context *h, char *out, size_t size)
{
	double cycles[STALL_REASON_COUNT], all;
	if (!breakdown_from_record(h->p->record, cycles, &all))
		return;
	int first = largest_reason(cycles, -1), second = largest_reason(cycles, first);
	int n = snprintf(
		out, size, "%.0f %% of the cycles %s", 100 * cycles[first] / all, stall_reason_info(first)->phrase);
	if (cycles[second] / all >= SECOND_SHARE && n > 0 && (size_t)n < size)
		snprintf(out + n, size - (size_t)n, ", %.0f %% %s", 100 * cycles[second] / all,
			stall_reason_info(second)->phrase);
}

static void explain_verdict(const struct cursor_context *h, char *out, size_t size)
{
	snprintf(out, size, "%s", h->p->verdict);
}

static void explain_clock(const struct cursor_context *h, char *out, size_t size)
{
	if (h->p->clocks.limits)
		snprintf(out, size,
			"power, temperature or hardware limited the clocks during the measurement; in another minute it may differ");
	else if (h->p->clocks_moved)
		snprintf(out, size,
			"the core clock changed by more than 2 %% during the measurement: cycles are approximate");
}

static void explain_contract(const struct cursor_context *h, char *out, size_t size)
{
	if (!strcmp(h->p->contract, "broken"))
		snprintf(out, size, "the hot loop does not have the expected instructions");
}

/* In order of importance: what makes the point doubtful, then caches, stall reasons, meaning, knee. */
static explainer *const explainers[] = {
	explain_contract, explain_clock, explain_cache, explain_stall_reasons, explain_verdict, explain_knee};

void explain_point(const struct app *a, const struct lab *b, struct buf *out)
{
	const struct cursor_context h = {a, b, lab_cursor_point(b)};
	buf_puts(out, "");
	for (size_t i = 0; h.p && h.p->status == POINT_OK && i < sizeof explainers / sizeof *explainers; i++) {
		char text[240] = "";
		explainers[i](&h, text, sizeof text);
		if (*text)
			buf_printf(out, "%s%s", out->len ? "; " : "", text);
	}
}
