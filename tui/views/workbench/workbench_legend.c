/* The workbench's legend for the help page: the marks that are on the screen now. */
#include <stdio.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "plot/series_mark.h"
#include "tui/lab/lab.h"
#include "tui/lab/plot/plot_model.h"
#include "tui/shell/legend.h"
#include "tui/toolkit/chart_area.h"
#include "tui/views/workbench/workbench.h"

static void add_device(const struct app *a, struct text_page *page)
{
	const char *what = device_can(a->device, DEVICE_RECORDING) ? "a recorded session is shown; D chooses a device"
		: a->soft ? "an AMD GPU simulated in software; the times are those of the modeled GPU"
			  : "a real GPU";
	legend_add(page, ROLE_TEXT, "device", "%s: %s", a->device, what);
}

/* --- curves --- */
static void add_curves(const struct app *a, const struct plot_model *m, struct text_page *page)
{
	bool previous = false, published = false;
	for (size_t i = 0; i < m->chart.series_count; i++) {
		const struct series *s = &m->series[i];
		const char *mark = mark_text(s->mark, a->ascii);
		if (s->role == SERIES_CURRENT && !series_is_area(s))
			legend_add(page, chart_series_role(s), mark, "%s%s%s, %s axis: a measured point of the sweep",
				s->label, *s->unit ? " in " : "", s->unit, s->axis == AXIS_LEFT ? "left" : "right");
		if (s->role == SERIES_PREVIOUS && !previous)
			legend_add(page, chart_series_role(s), a->ascii ? "." : "\u2812", "%s",
				"dimmed: the previous curve, before the last change");
		if (s->role == SERIES_PUBLISHED && !published)
			legend_add(page, chart_series_role(s), mark,
				"published: a value from the literature, with its source below the plot; o hides it");
		previous |= s->role == SERIES_PREVIOUS;
		published |= s->role == SERIES_PUBLISHED;
	}
}

static void add_pins(const struct lab *b, struct text_page *page)
{
	char mark[12], label[64];
	for (int i = 0; i < b->pin_count; i++) {
		snprintf(mark, sizeof mark, "%d", i + 1);
		legend_add(page, ROLE_PINNED, mark, "pinned curve: %s; Backspace removes the last one",
			lab_format_pin_label(b, i, label, sizeof label));
	}
}

static void add_breakdown(const struct plot_model *m, struct text_page *page)
{
	if (m->bands)
		legend_add(page, ROLE_STALL_ISSUE, "areas",
			"what the waves did or waited for in each point's cycles; their shares are above the plot");
	for (size_t i = 0; i < m->chart.series_count; i++)
		if (m->series[i].style == STYLE_LEVEL) {
			legend_add(page, ROLE_PINNED, "line",
				"where the stacks of a pinned curve would end; its number is at some points");
			return;
		}
}

static void add_plot_marks(const struct app *a, const struct plot_model *m, struct text_page *page)
{
	legend_add(page, ROLE_CURSOR, glyph_text(a->ascii, GLYPH_CURSOR),
		"cursor: the lines below the plot describe this point");
	if (m->chart.ruler_count)
		legend_add(page, ROLE_RULER_NAME, m->ruler_texts[0],
			"a limit of the device, such as the size of a cache or a line");
	if (m->knee_count)
		legend_add(page, ROLE_KNEE, "knee", "the x value at which the curve leaves a plateau");
	for (int i = 0; i < app_current_lab(a)->curve.count; i++)
		if (app_current_lab(a)->curve.points[i].status == POINT_FAILED) {
			legend_add(page, ROLE_BAD, glyph_text(a->ascii, GLYPH_FAILED),
				"a point that failed; the cursor on it shows why");
			return;
		}
}

/* How far the numbers are to be trusted. */
static void add_accuracy(const struct app *a, const struct lab *b, struct text_page *page)
{
	for (int i = 0; i < a->accuracy.count; i++) {
		const struct accuracy *k = &a->accuracy.rows[i];
		if (!strcmp(k->device, a->device) && accuracy_fits_experiment(k, &a->published, b->x->id))
			legend_add(page, ROLE_TEXT, "accuracy",
				"%s: %.1f %% median error on %d published rows that no constant was fitted to", k->kind,
				100 * k->median, k->rows);
	}
}

/* --- parameters and readings --- */
static void add_parameters(const struct lab *b, struct text_page *page)
{
	if (b->axis >= 0)
		legend_add(page, ROLE_KEY, "x", "%s is on the x axis; Left and Right change the end of its range",
			b->x->params[b->axis].id);
	if (lab_is_scaled(b))
		legend_add(page, ROLE_WARN, "~",
			"reduced for the software GPU: smaller than published, so that the simulation takes seconds");
}

static void add_readings(const struct lab *b, struct text_page *page)
{
	const struct point *p = lab_cursor_point(b);
	if (!p || p->status != POINT_OK)
		return;
	if (p->seconds.count)
		legend_add(page, ROLE_TEXT, "n",
			"samples of the point; its values are their median, exact times need only one");
	if (p->clocks.sclk_mhz.valid)
		legend_add(page, ROLE_TEXT, "sclk mclk",
			"clocks of the GPU's cores and of its memory, read while the point was measured");
	struct sampling s = sampling_from_header(b->curve.header);
	if (s.flush_l2)
		legend_add(page, ROLE_DIM, "L2 emptied", "before each sample, as the setting flush-l2 says");
	if (s.entropy)
		legend_add(page, ROLE_DIM, "stop entropy",
			"samples were taken until the entropy of their times no longer rose, as the setting stop says");
	if (experiment_has_times(b->x))
		legend_add(page, ROLE_OK, "verified", "the kernel's output equals that of a C reference");
}

void workbench_add_legend(const struct app *a, struct text_page *page)
{
	const struct lab *b = app_current_lab(a);
	struct plot_model m;
	add_device(a, page);
	if (!b)
		return;
	plot_model_build(a, b, &m);
	add_curves(a, &m, page);
	add_pins(b, page);
	add_breakdown(&m, page);
	add_plot_marks(a, &m, page);
	add_parameters(b, page);
	add_readings(b, page);
	add_accuracy(a, b, page);
	plot_model_free(&m);
}
