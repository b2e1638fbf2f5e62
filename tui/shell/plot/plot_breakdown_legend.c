/* The stall reasons of the cycle breakdown: their colors, and their shares at the cursor. */
#include <stdio.h>

#include "plot/band_pattern.h"
#include "tui/lab/lab.h"
#include "tui/shell/plot/plot_pane.h"

struct cause_share {
	int cause;
	double share;
};

/* The reasons of the stacks: those of the point at the cursor, the largest first, then the others with a share of 0.
 * Returns how many; *here: whether the point has a profile. */
static int list_causes(const struct plot_drawing *d, struct cause_share *out, bool *here)
{
	const struct point *p = lab_cursor_point(d->b);
	double cycles[STALL_REASON_COUNT], all = 1, rest = 1;
	*here = p && p->status == POINT_OK && breakdown_from_record(p->record, cycles, &all);
	for (int i = 0; i < d->m->bands; i++) {
		int cause = d->m->causes[i], at = i;
		double share = !*here ? 0 : cause == STALL_OTHER ? rest : cycles[cause] / all;
		rest -= share;
		share = share < 0.0005 ? 0 : share;
		for (; at > 0 && out[at - 1].share < share; at--)
			out[at] = out[at - 1];
		out[at] = (struct cause_share){cause, share};
	}
	return d->m->bands;
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

static void format_cause(const struct cause_share *c, char *out, size_t size)
{
	const char *label = stall_reason_info(c->cause)->label;
	if (c->share > 0)
		snprintf(out, size, "%s %.*f %%", label, c->share < 0.0995, 100 * c->share);
	else
		snprintf(out, size, "%s", label);
}

/* Where the next entry of that width starts; false if the last row has no room for it. */
static bool find_cause_place(int *x, int *row, int width, int columns, int rows)
{
	if (*x > 1 && *x + width > columns) {
		*x = 1;
		++*row;
	}
	return *row < rows;
}

int plot_breakdown_rows(const struct plot_drawing *d, int columns, int most)
{
	struct cause_share list[STALL_REASON_COUNT];
	char text[64];
	bool here;
	int n = list_causes(d, list, &here), x = 1, row = 0;
	for (int i = 0; i < n; i++) {
		format_cause(&list[i], text, sizeof text);
		if (!find_cause_place(&x, &row, 2 + text_width(text), columns, most))
			return most;
		x += 2 + text_width(text) + 2;
	}
	return row + 1;
}

void plot_draw_breakdown(const struct plot_drawing *d, int top, int rows)
{
	struct cause_share list[STALL_REASON_COUNT];
	char text[64];
	bool here;
	int n = list_causes(d, list, &here), x = 1, row = 0;
	for (int i = 0; i < n; i++) {
		format_cause(&list[i], text, sizeof text);
		if (!find_cause_place(&x, &row, 2 + text_width(text), d->in.r.w, rows))
			return;
		area_draw_text(d->in, x, top + row, stall_reason_role(list[i].cause),
			band_pattern_text(stall_reason_info(list[i].cause)->letter, d->a->ascii));
		area_add_attr(d->in, x, top + row, 1, ATTR_REVERSE);
		x += 2;
		x += area_draw_text(d->in, x, top + row, list[i].share > 0 ? ROLE_TEXT : ROLE_DIM, text) + 2;
	}
}
