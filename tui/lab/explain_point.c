#include "tui/lab/explain_point.h"

#include <stdio.h>
#include <string.h>

#include "experiments/analysis/cache_capacities.h"
#include "gpu/protocol/stall_reasons.h"
#include "tui/lab/lab.h"
#include "tui/lab/plot_model.h"

static const double GOOD_PART = 0.2;

struct here {
	const struct app *a;
	const struct lab *b;
	const struct point *p;
};
typedef void teller(const struct here *h, char *out, size_t size); /* "" where it has nothing to say */

/* Where the footprint lives, what the stride touches: of the parameter on the x axis, else of another one that the
 * definition says it of. */
static void tell_place(const struct here *h, char *out, size_t size)
{
	const json_t *device = h->a->worker ? worker_controller_device_record(h->a->worker) : NULL;
	const struct experiment *x = h->b->x;
	int found = h->b->curve.axis;
	for (int i = x->param_count - 1; i >= 0 && (found < 0 || x->params[found].means == PARAM_MEANS_NOTHING); i--)
		if (x->params[i].means != PARAM_MEANS_NOTHING)
			found = i;
	if (found >= 0)
		capacities_explain(device, &x->params[found], h->p->values[found], out, size);
}

static void tell_knee(const struct here *h, char *out, size_t size)
{
	struct knee list[KNEES_MAX];
	int n = plot_find_knees(h->b, list, KNEES_MAX), metric = plot_main_metric(h->b->x);
	for (int i = 0; i < n; i++)
		if (h->b->cursor == list[i].last || h->b->cursor == list[i].last + 1)
			snprintf(out, size, "knee: from %.4g to %.4g %s", list[i].from, list[i].to,
				h->b->x->metrics[metric].unit);
}

static int most(const double *cycles, int except)
{
	int at = except == 0 ? 1 : 0;
	for (int k = 0; k < STALL_REASON_COUNT; k++)
		if (k != except && cycles[k] > cycles[at])
			at = k;
	return at;
}

/* The cause with the most cycles, and the next where it has a good part of them. */
static void tell_cause(const struct here *h, char *out, size_t size)
{
	double cycles[STALL_REASON_COUNT], all;
	if (!breakdown_from_record(h->p->record, cycles, &all))
		return;
	int first = most(cycles, -1), second = most(cycles, first);
	int n = snprintf(
		out, size, "%.0f %% of the cycles %s", 100 * cycles[first] / all, stall_reason_info(first)->says);
	if (cycles[second] / all >= GOOD_PART && n > 0 && (size_t)n < size)
		snprintf(out + n, size - (size_t)n, ", %.0f %% %s", 100 * cycles[second] / all,
			stall_reason_info(second)->says);
}

static void tell_verdict(const struct here *h, char *out, size_t size)
{
	snprintf(out, size, "%s", h->p->verdict);
}

static void tell_clock(const struct here *h, char *out, size_t size)
{
	if (h->p->clocks_moved)
		snprintf(out, size,
			"the core clock moved by more than 2 %% while it was measured: cycles are only about right");
}

static void tell_contract(const struct here *h, char *out, size_t size)
{
	if (!strcmp(h->p->contract, "broken"))
		snprintf(out, size, "the loop is not the one that the experiment is about (contract broken)");
}

/* What counts most stands first: what makes the point doubtful, then where it stands, what it waits for, what it means.
 */
static teller *const tellers[] = {tell_contract, tell_clock, tell_place, tell_cause, tell_verdict, tell_knee};

void explain_point(const struct app *a, const struct lab *b, struct buf *out)
{
	const struct here h = {a, b, lab_cursor_point(b)};
	buf_puts(out, "");
	for (size_t i = 0; h.p && h.p->status == POINT_OK && i < sizeof tellers / sizeof *tellers; i++) {
		char text[240] = "";
		tellers[i](&h, text, sizeof text);
		if (*text)
			buf_printf(out, "%s%s", out->len ? "; " : "", text);
	}
}
