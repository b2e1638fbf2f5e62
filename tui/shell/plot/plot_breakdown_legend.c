/* The stall reasons of the cycle breakdown: their colors, and their shares at the cursor. */
#include <stdio.h>

#include "plot/band_pattern.h"
#include "tui/lab/lab.h"
#include "tui/shell/plot/plot_pane.h"

struct cause_share {
	int cause;
	double share;
};

/* The shown stall reasons of the point at the cursor, the largest first. */
static int shares_here(const struct plot_drawing *d, struct cause_share *out)
{
	const struct point *p = lab_cursor_point(d->b);
	double cycles[STALL_REASON_COUNT], all, rest = 1;
	int n = 0;
	if (!p || p->status != POINT_OK || !breakdown_from_record(p->record, cycles, &all))
		return 0;
	for (int i = 0; i < d->m->bands; i++) {
		int cause = d->m->causes[i], at = n++;
		double share = cause == STALL_OTHER ? rest : cycles[cause] / all;
		rest -= share;
		for (; at > 0 && out[at - 1].share < share; at--)
			out[at] = out[at - 1];
		out[at] = (struct cause_share){cause, share};
	}
	while (n && out[n - 1].share < 0.0005)
		n--;
	return n;
}

int stall_reason_role(int cause)
{
	return ROLE_STALL_ISSUE + (int)stall_reason_info(cause)->family +
		stall_reason_variant(cause) % STALL_COLOR_VARIANTS * STALL_COLORS;
}

bool role_is_of_stall_reason(int role)
{
	return role >= ROLE_STALL_ISSUE && role < ROLE_STALL_ISSUE + STALL_COLOR_VARIANTS * STALL_COLORS;
}

void plot_draw_breakdown(const struct plot_drawing *d, int row, int rows)
{
	struct cause_share list[STALL_REASON_COUNT];
	int n = shares_here(d, list), x = 1;
	char text[64];
	for (int i = 0; i < n && rows; i++) {
		const struct stall_reason_info *cause = stall_reason_info(list[i].cause);
		snprintf(text, sizeof text, "%s %.*f %%", cause->label, list[i].share < 0.0995, 100 * list[i].share);
		if (x > 1 && x + 2 + text_width(text) > d->in.r.w) {
			x = 1;
			row++;
			if (!--rows)
				return;
		}
		area_draw_text(
			d->in, x, row, stall_reason_role(list[i].cause), band_pattern_text(cause->letter, d->a->ascii));
		area_add_attr(d->in, x, row, 1, ATTR_REVERSE);
		x += 2;
		x += area_draw_text(d->in, x, row, ROLE_TEXT, text) + 2;
	}
	if (!n)
		area_draw_text(d->in, 1, row, ROLE_DIM, "no profile for the point at the cursor");
}
