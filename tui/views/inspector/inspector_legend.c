/* The inspector's legend for the help page: what the marks of the current page mean. */
#include "gpu/protocol/stalls/stall_reasons.h"
#include "tui/shell/legend.h"
#include "tui/shell/plot/plot_pane.h"
#include "tui/views/inspector/inspector_draw.h"

static void add_timeline(const struct app *a, struct text_page *page)
{
	const struct issued_code *c = &inspector_of(a)->code;
	legend_add(
		page, ROLE_TEXT, "SIMD0.2", "a row for each wave slot: SIMD and slot; a column is a number of cycles");
	for (int k = 0; k < c->causes; k++) {
		char letter[2] = {stall_letter(c->cause[k]), 0};
		legend_add(page, stall_reason_role(stall_reason_find(c->cause[k])), letter,
			"%s: the wave issued there, or waited for it, longest in these cycles",
			stall_reason_label(c->cause[k]));
	}
	legend_add(page, ROLE_STRIP, glyph_text(a->ascii, GLYPH_LEVEL3), "waves: how many are resident on the CU");
	legend_add(page, ROLE_LEFT, glyph_text(a->ascii, GLYPH_LEVEL3), "IPC: instructions per cycle of all its waves");
	legend_add(page, ROLE_CURSOR, glyph_text(a->ascii, GLYPH_DOWN), "the cursor's cycle");
}

static void add_lanes(const struct app *a, struct text_page *page)
{
	(void)a;
	legend_add(page, ROLE_OK, "0 1 2",
		"LDS: dwords that lanes access in each bank; more than one in a bank is a conflict");
	legend_add(page, ROLE_TEXT, "lines", "memory: the cache lines and channels that the lanes access");
}

static void add_sets(const struct app *a, struct text_page *page)
{
	(void)a;
	legend_add(page, ROLE_TEXT, "cell", "a set of the cache, or an LDS bank; v shows hits, misses or evictions");
}

static void add_steps(const struct app *a, struct text_page *page)
{
	legend_add(page, ROLE_SELECTED, glyph_text(a->ascii, GLYPH_SELECT),
		"the instruction that the wave executes in this step");
	legend_add(page, ROLE_TEXT, "EXEC", "the lanes that the instruction affects");
}

static void add_hardware(const struct app *a, struct text_page *page)
{
	(void)a;
	legend_add(page, ROLE_WARN, "*", "a constant that differs from the model's; d resets it, X resets all");
}

void inspector_add_legend(const struct app *a, struct text_page *page)
{
	static void (*const add[INSPECTOR_PAGE_COUNT])(const struct app *a, struct text_page *page) = {
		[INSPECTOR_TIMELINE] = add_timeline,
		[INSPECTOR_LANES] = add_lanes,
		[INSPECTOR_SETS] = add_sets,
		[INSPECTOR_STEPS] = add_steps,
		[INSPECTOR_HARDWARE] = add_hardware,
	};
	if (inspector_of(a))
		add[inspector_of(a)->page](a, page);
}
