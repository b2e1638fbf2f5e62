/* Actions of the timeline page. */
#include "base/units.h"
#include "tui/shell/keymap.h"
#include "tui/views/inspector/inspector_pages.h"

void act_timeline_move(struct app *a, int columns)
{
	struct inspector *v = inspector_get(a);
	if (columns)
		wave_spans_move(&v->waves, columns, inspector_timeline_columns(a), v->code.cycles);
	inspector_load_timeline(a);
}

void act_timeline_select_slot(struct app *a, int by)
{
	struct wave_spans *w = &inspector_get(a)->waves;
	w->selected = inspector_clamp(w->selected + by, 0, w->rows ? w->rows - 1 : 0);
	inspector_load_timeline(a);
}

void act_timeline_select_span(struct app *a, int by)
{
	struct inspector *v = inspector_get(a);
	wave_spans_next_span(&v->waves, by, inspector_timeline_columns(a), v->code.cycles);
	inspector_load_timeline(a);
}

static void move_to_cycle(struct app *a, uint64_t cycle)
{
	struct inspector *v = inspector_get(a);
	wave_spans_move_to(&v->waves, cycle, inspector_timeline_columns(a), v->code.cycles);
	inspector_load_timeline(a);
}

void act_timeline_first(struct app *a)
{
	move_to_cycle(a, 0);
}

void act_timeline_last(struct app *a)
{
	uint64_t cycles = inspector_get(a)->code.cycles;
	move_to_cycle(a, cycles ? cycles - 1 : 0);
}

void act_timeline_select_cu(struct app *a, int by, const char *argument)
{
	struct wave_spans *w = &inspector_get(a)->waves;
	int exact = inspector_index_of(argument), cu = exact >= 0 ? exact : w->cu + by;
	if (cu < 0 || cu >= w->cus || cu == w->cu)
		return;
	w->cu = cu;
	w->selected = 0;
	inspector_request_parts(a, PART_WAVES);
}

void act_timeline_zoom(struct app *a, int by)
{
	struct inspector *v = inspector_get(a);
	if (!v->waves.zoom)
		return;
	wave_spans_zoom(&v->waves, by, inspector_timeline_columns(a), v->code.cycles);
	inspector_load_timeline(a);
}

void act_timeline_trips(struct app *a)
{
	if (!inspector_show_trips(a))
		app_show_message(a, ROLE_DIM, "most cycles are in no loop; a shows the whole launch");
}

void act_timeline_whole(struct app *a)
{
	struct inspector *v = inspector_get(a);
	const uint64_t cursor = v->waves.cursor;
	if (!v->waves.zoom)
		return;
	wave_spans_fit(&v->waves, 0, v->code.cycles, inspector_timeline_columns(a));
	v->waves.cursor = cursor;
	inspector_load_timeline(a);
}

void act_timeline_follow(struct app *a)
{
	struct inspector *v = inspector_get(a);
	const struct wave_span *s = wave_spans_at(&v->waves, v->waves.selected, v->waves.cursor);
	if (!s) {
		app_show_message(a, ROLE_DIM, "no wave occupies this slot at the cursor");
		return;
	}
	inspector_follow_wave(a, (int)s->wave, v->waves.cursor);
	inspector_show_page(a, INSPECTOR_STEPS);
}

static bool take_cycle(struct app *a, const char *text)
{
	struct err e = {0};
	double cycle;
	if (!units_parse(text, "", &cycle, &e) || cycle < 0) {
		app_show_message(a, ROLE_BAD, "%s", *e.text ? e.text : "not a cycle: cycles count from 0");
		return false;
	}
	move_to_cycle(a, (uint64_t)cycle);
	return true;
}

void act_timeline_goto(struct app *a, const char *argument)
{
	inspector_type(a, take_cycle, argument, "", "cycle: ");
}
