/* The advice page of the code view: the causes of lost cycles that this kernel shows, and what to try. */
#include <stdio.h>

#include "experiments/analysis/code_advice.h"
#include "gpu/backends/backend.h"
#include "tui/lab/what_if/what_if_study.h"
#include "tui/shell/text_page.h"
#include "tui/views/code/code_view_draw.h"

enum { LABEL_COLUMN = 12, LABEL_COLUMN_NARROW = 6 };

/* What the cause costs, if that is measured for this point. */
static void add_cost(const struct app *a, struct text_page *page, int column, const struct code_advice *c)
{
	char text[200] = "";
	if (c->part < 0 || !device_can(a->device, DEVICE_INSPECTOR))
		return;
	if (what_if_study_is_current(a))
		what_if_format_cost(&what_if_study_of(a)->costs, WHAT_IF_FIRST + c->part, text, sizeof text);
	text_page_add(page, ROLE_DIM, "costs", column, *text ? ROLE_TEXT : ROLE_DIM,
		*text ? text : "$ measures what it costs");
}

static void add_advice(const struct app *a, struct text_page *page, int number, const struct code_advice *c)
{
	char cause[100], title[120];
	int column = page->in.r.w >= 70 ? LABEL_COLUMN : LABEL_COLUMN_NARROW;
	snprintf(title, sizeof title, "%d  %s", number, code_advice_format_title(c, cause, sizeof cause));
	text_page_add(page, ROLE_TITLE, "", 1, ROLE_TITLE, title);
	text_page_add(page, ROLE_DIM, "seen", column, ROLE_TEXT, c->seen);
	add_cost(a, page, column, c);
	text_page_add(page, ROLE_DIM, "look", column, ROLE_TEXT, c->look);
	text_page_add(page, ROLE_OK, "try", column, ROLE_TEXT, c->suggestion);
	text_page_add(page, ROLE_TEXT, "", 1, ROLE_TEXT, "");
}

static void add_all_advice(const struct app *a, struct text_page *page)
{
	const struct code_view *v = code_view_of(a);
	struct code_advice list[CODE_ADVICE_MAX];
	int n = code_advise(v->shown.model, v->profile, list);
	for (int i = 0; i < n; i++)
		add_advice(a, page, i + 1, &list[i]);
	if (!n)
		text_page_add(page, ROLE_DIM, "", 1, ROLE_DIM, code_advice_none);
}

void code_view_draw_advice(const struct app *a, struct area at)
{
	const struct code_view *v = code_view_of(a);
	struct area in = area_inner(at);
	struct text_page counter = text_page_counter(in, NULL), page = {.in = in};
	char state[100];
	code_view_profile_status(a, state, sizeof state);
	area_draw_frame(at, true, "advice", state);
	if (!v->shown.model || !v->shown.model->lines) {
		area_draw_fitted(in, 1, 0, in.r.w - 1, ROLE_DIM, "no instructions to look at");
		return;
	}
	add_all_advice(a, &counter);
	page.skip = text_page_limit_scroll(v->advice_scroll, counter.count, in.r.h);
	add_all_advice(a, &page);
	text_page_draw_frame(at, "advice", &page, counter.count);
	if (*state)
		area_draw_fitted(at, 2, at.r.h - 1, at.r.w - 4, ROLE_DIM, state);
}
