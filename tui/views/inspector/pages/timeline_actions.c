/* Actions of the timeline page. */
#include "base/units.h"
#include "tui/shell/keymap.h"
#include "tui/views/inspector/inspector_pages.h"

static void move_cursor(struct app *a, int columns)
{
	struct inspector *v = inspector_get(a);
	if (columns)
		wave_spans_move(&v->waves, columns, inspector_timeline_columns(a), v->code.cycles);
	inspector_load_timeline(a);
}

void act_timeline_later(struct app *a, const char *argument)
{
	move_cursor(a, inspector_steps_of(argument));
}
void act_timeline_earlier(struct app *a, const char *argument)
{
	move_cursor(a, -inspector_steps_of(argument));
}

static void select_slot(struct app *a, int by)
{
	struct wave_spans *w = &inspector_get(a)->waves;
	w->selected = inspector_clamp(w->selected + by, 0, w->rows ? w->rows - 1 : 0);
	inspector_load_timeline(a);
}

void act_timeline_down(struct app *a, const char *argument)
{
	select_slot(a, inspector_steps_of(argument));
}
void act_timeline_up(struct app *a, const char *argument)
{
	select_slot(a, -inspector_steps_of(argument));
}

static void move_to_span(struct app *a, int by)
{
	struct inspector *v = inspector_get(a);
	wave_spans_next_span(&v->waves, by, inspector_timeline_columns(a), v->code.cycles);
	inspector_load_timeline(a);
}

void act_timeline_next(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	move_to_span(a, 1);
}
void act_timeline_prev(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	move_to_span(a, -1);
}

static void move_to_cycle(struct app *a, uint64_t cycle)
{
	struct inspector *v = inspector_get(a);
	wave_spans_move_to(&v->waves, cycle, inspector_timeline_columns(a), v->code.cycles);
	inspector_load_timeline(a);
}

void act_timeline_first(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	move_to_cycle(a, 0);
}
void act_timeline_last(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	uint64_t cycles = inspector_get(a)->code.cycles;
	move_to_cycle(a, cycles ? cycles - 1 : 0);
}

static void select_cu(struct app *a, int by, const char *argument)
{
	struct wave_spans *w = &inspector_get(a)->waves;
	int exact = inspector_index_of(argument), cu = exact >= 0 ? exact : w->cu + by;
	if (cu < 0 || cu >= w->cus || cu == w->cu)
		return;
	w->cu = cu;
	w->selected = 0;
	inspector_request_parts(a, PART_WAVES);
}

void act_timeline_next_cu(struct app *a, const char *argument)
{
	select_cu(a, 1, argument);
}
void act_timeline_prev_cu(struct app *a, const char *argument)
{
	select_cu(a, -1, argument);
}

static void zoom_timeline(struct app *a, int by)
{
	struct inspector *v = inspector_get(a);
	if (!v->waves.zoom)
		return;
	wave_spans_zoom(&v->waves, by, inspector_timeline_columns(a), v->code.cycles);
	inspector_load_timeline(a);
}

void act_timeline_zoom_in(struct app *a, const char *argument)
{
	zoom_timeline(a, inspector_steps_of(argument));
}
void act_timeline_zoom_out(struct app *a, const char *argument)
{
	zoom_timeline(a, -inspector_steps_of(argument));
}

void act_timeline_follow(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
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
