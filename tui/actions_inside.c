/* What the inside view's rows of the keys table do. */
#include <string.h>
#include <strings.h>

#include "tui/bench.h"
#include "tui/entry.h"
#include "tui/inside.h"
#include "tui/keys.h"

#define NO_ARGUMENT (void)argument

static int count_of(const char *argument)
{
	return steps_of(argument) > 0 ? steps_of(argument) : 1;
}

/* --- pages --- */
#define SHOW_PAGE(action, id)                                         \
	void act_inside_##action(struct app *a, const char *argument) \
	{                                                             \
		NO_ARGUMENT;                                          \
		inside_page(a, INSIDE_##id);                          \
	}
SHOW_PAGE(timeline, TIMELINE)
SHOW_PAGE(lanes, LANES)
SHOW_PAGE(sets, SETS)
SHOW_PAGE(steps, STEPS)
SHOW_PAGE(knobs, KNOBS)

void act_inside(struct app *a, const char *argument)
{
#define PAGE_NAME(id, key, title, name, part, draw) name,
	static const char *const names[INSIDE_PAGE_COUNT] = {INSIDE_PAGES(PAGE_NAME)};
#undef PAGE_NAME
	for (int i = 0; argument && i < INSIDE_PAGE_COUNT; i++)
		if (!strcasecmp(argument, names[i]))
			inside_of(a)->page = (enum inside_page)i;
	if (a->view == VIEW_INSIDE && argument)
		inside_enter(a);
	else
		app_show(a, VIEW_INSIDE);
}

void act_inside_next(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	inside_page(a, (inside_of(a)->page + 1) % INSIDE_PAGE_COUNT);
}

void act_inside_prev(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	inside_page(a, (inside_of(a)->page + INSIDE_PAGE_COUNT - 1) % INSIDE_PAGE_COUNT);
}

void act_inside_cancel(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	inside_cancel(a);
}
void act_inside_again(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	inside_again(a);
}

static void move_point(struct app *a, int by)
{
	struct bench *b = app_bench(a);
	if (!b)
		return;
	bench_move_cursor(b, by);
	inside_enter(a);
}

void act_inside_point_right(struct app *a, const char *argument)
{
	move_point(a, count_of(argument));
}
void act_inside_point_left(struct app *a, const char *argument)
{
	move_point(a, -count_of(argument));
}

/* --- the timeline --- */
static void choose_cu(struct app *a, int cu)
{
	struct inside_view *v = inside_of(a);
	if (cu < 0 || cu >= v->waves.cus || cu == v->waves.cu)
		return;
	v->waves.cu = cu;
	v->waves.selected = 0;
	inside_ask(a, PART_WAVES);
}

static int clamped(int v, int low, int high)
{
	return v > high ? high : v < low ? low : v;
}

static void move_timeline(struct app *a, int dx, int dy)
{
	struct inside_view *v = inside_of(a);
	v->waves.selected = clamped(v->waves.selected + dy, 0, v->waves.rows ? v->waves.rows - 1 : 0);
	if (dx)
		wave_spans_move(&v->waves, dx, inside_columns(a), v->code.cycles);
	inside_see_window(a);
}

static void zoom(struct app *a, int by)
{
	struct inside_view *v = inside_of(a);
	if (v->page != INSIDE_TIMELINE || !v->waves.zoom)
		return;
	wave_spans_zoom(&v->waves, by, inside_columns(a), v->code.cycles);
	inside_see_window(a);
}

void act_inside_zoom_in(struct app *a, const char *argument)
{
	zoom(a, count_of(argument));
}
void act_inside_zoom_out(struct app *a, const char *argument)
{
	zoom(a, -count_of(argument));
}

void act_inside_follow(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	struct inside_view *v = inside_of(a);
	const struct wave_span *s = wave_spans_at(&v->waves, v->waves.selected, v->waves.cursor);
	if (!s) {
		app_say(a, ROLE_DIM, "no wave is in that slot at the cursor");
		return;
	}
	inside_follow(a, (int)s->wave, v->waves.cursor);
	inside_page(a, INSIDE_STEPS);
}

/* --- lanes --- */
static void move_lanes(struct app *a, int dx, int dy)
{
	struct inside_view *v = inside_of(a);
	int line = v->line;
	for (int by = dy > 0 ? 1 : -1; dy; dy -= by) {
		int k = line + by;
		while (k >= 0 && k < v->code.lines && code_line_memory(v->code.line[k].text) == NO_MEMORY)
			k += by;
		if (k < 0 || k >= v->code.lines)
			break;
		line = k;
	}
	if (line != v->line)
		inside_choose_instruction(a, line, 0);
	else if (dx > 0 || (dx < 0 && v->nth))
		inside_choose_instruction(a, line, dx < 0 && v->nth < (uint64_t)-dx ? 0 : v->nth + (uint64_t)dx);
}

/* --- cache sets --- */
static void show_cache(struct app *a, struct inside_view *v, int cache)
{
	v->sets.cache = (enum set_cache)((cache + SET_CACHE_COUNT) % SET_CACHE_COUNT);
	v->sets.instance = v->sets.cursor = 0;
	v->sets.there = v->sets.cut = false;
	inside_ask(a, PART_SETS);
}

static void show_instance(struct app *a, struct inside_view *v, int instance)
{
	v->sets.instance = clamped(instance, 0, set_geometry(v->sets.cache, inside_constants(a)).instances - 1);
	if (v->sets.cut)
		inside_ask(a, PART_SETS);
}

static void move_sets(struct app *a, int by)
{
	struct inside_view *v = inside_of(a);
	v->sets.cursor = clamped(v->sets.cursor + by, 0, set_geometry(v->sets.cache, inside_constants(a)).sets - 1);
}

/* --- steps --- */
static void move_steps(struct app *a, int by)
{
	struct inside_view *v = inside_of(a);
	int64_t to = (int64_t)v->steps.first + v->at + by;
	if (v->steps.there)
		inside_steps_go(a, SEEK_STEP, to < 0 ? 0 : (uint64_t)to);
}

void act_inside_load(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	if (inside_of(a)->page == INSIDE_STEPS)
		inside_steps_go(a, SEEK_ACCESS, 0);
}

void act_inside_barrier(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	if (inside_of(a)->page == INSIDE_STEPS)
		inside_steps_go(a, SEEK_BARRIER, 0);
}

/* --- knobs --- */
static void choose_knob(struct inside_view *v, int by)
{
	for (; by; by -= by > 0 ? 1 : -1)
		v->knobs.selected = knobs_next(&v->knobs, v->knobs.selected, by > 0 ? 1 : -1);
}

/* False where it goes no further. */
static bool turn(struct app *a, int by)
{
	struct inside_view *v = inside_of(a);
	if (v->knobs.selected >= v->knobs.count)
		return false;
	const struct knob *k = &v->knobs.list[v->knobs.selected];
	bool further = knob_step(k, by) != k->value;
	if (!further)
		app_say(a, ROLE_DIM, "%s goes no further", k->name);
	inside_turn(a, v->knobs.selected, knob_step(k, by));
	return further;
}

void act_inside_reset(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	if (inside_of(a)->page == INSIDE_KNOBS)
		inside_reset(a, false);
}

void act_inside_reset_all(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	if (inside_of(a)->page == INSIDE_KNOBS)
		inside_reset(a, true);
}

/* --- by page --- */
static void move(struct app *a, int dx, int dy)
{
	struct inside_view *v = inside_of(a);
	switch (v->page) {
	case INSIDE_TIMELINE: move_timeline(a, dx, dy); break;
	case INSIDE_LANES: move_lanes(a, dx, dy); break;
	case INSIDE_SETS: move_sets(a, dx + dy * inside_sets_columns(a)); break;
	case INSIDE_STEPS:
		if (dx)
			move_steps(a, dx);
		v->first_register = clamped(v->first_register + dy, 0, WAVE_VGPRS_MAX + WAVE_SGPRS);
		break;
	default:
		choose_knob(v, dy);
		while (dx && turn(a, dx))
			dx -= dx > 0 ? 1 : -1;
	}
}

void act_inside_right(struct app *a, const char *argument)
{
	move(a, count_of(argument), 0);
}
void act_inside_left(struct app *a, const char *argument)
{
	move(a, -count_of(argument), 0);
}
void act_inside_down(struct app *a, const char *argument)
{
	move(a, 0, count_of(argument));
}
void act_inside_up(struct app *a, const char *argument)
{
	move(a, 0, -count_of(argument));
}

static void leap(struct app *a, int by)
{
	struct inside_view *v = inside_of(a);
	switch (v->page) {
	case INSIDE_TIMELINE:
		wave_spans_step(&v->waves, by, inside_columns(a), v->code.cycles);
		inside_see_window(a);
		break;
	case INSIDE_LANES: move_lanes(a, 16 * by, 0); break;
	case INSIDE_SETS: show_cache(a, v, (int)v->sets.cache + by); break;
	case INSIDE_STEPS: move_steps(a, 16 * by); break;
	default: choose_knob(v, by * (a->height > 10 ? a->height / 2 : 5));
	}
}

void act_inside_page_down(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	leap(a, 1);
}
void act_inside_page_up(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	leap(a, -1);
}

static void to_end(struct app *a, bool last)
{
	struct inside_view *v = inside_of(a);
	switch (v->page) {
	case INSIDE_TIMELINE:
		wave_spans_go(
			&v->waves, last && v->code.cycles ? v->code.cycles - 1 : 0, inside_columns(a), v->code.cycles);
		inside_see_window(a);
		break;
	case INSIDE_LANES:
		if (!last)
			inside_choose_instruction(a, v->line, 0);
		break;
	case INSIDE_SETS: move_sets(a, last ? 1 << 24 : -(1 << 24)); break;
	case INSIDE_STEPS:
		if (last && v->steps.steps)
			v->at = v->steps.steps - 1;
		else if (!last)
			inside_steps_go(a, SEEK_STEP, 0);
		break;
	default: choose_knob(v, last ? v->knobs.count : -v->knobs.count);
	}
}

void act_inside_first(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	to_end(a, false);
}
void act_inside_last(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	to_end(a, true);
}

static void other(struct app *a, int by, const char *argument)
{
	struct inside_view *v = inside_of(a);
	int exact = argument ? steps_of(argument) : -1;
	switch (v->page) {
	case INSIDE_TIMELINE: choose_cu(a, exact >= 0 ? exact : v->waves.cu + by); break;
	case INSIDE_LANES:
		v->lane_cursor = exact >= 0 ? exact % WAVE_LANES : (v->lane_cursor + WAVE_LANES + by) % WAVE_LANES;
		break;
	case INSIDE_SETS: show_instance(a, v, exact >= 0 ? exact : v->sets.instance + by); break;
	case INSIDE_STEPS: v->lane = exact >= 0 ? exact % WAVE_LANES : (v->lane + WAVE_LANES + by) % WAVE_LANES; break;
	default: break;
	}
}

void act_inside_more(struct app *a, const char *argument)
{
	other(a, 1, argument);
}
void act_inside_less(struct app *a, const char *argument)
{
	other(a, -1, argument);
}

void act_inside_what(struct app *a, const char *argument)
{
	struct inside_view *v = inside_of(a);
	if (v->page == INSIDE_LANES)
		v->part = !v->part && wave_steps_access(&v->lanes, 0, 1);
	if (v->page != INSIDE_SETS)
		return;
	v->sets.what = argument && steps_of(argument) >= 0 ? steps_of(argument) % 3 : (v->sets.what + 1) % 3;
	if (!*set_cache_row(v->sets.cache)->what[v->sets.what])
		v->sets.what = 0;
}

/* --- typed --- */
static void type(struct app *a, enum inside_typing what, const char *argument, const char *text, const char *prompt)
{
	inside_of(a)->typing = what;
	if (argument)
		inside_typed(a, argument); /* a script's: done at once */
	else
		entry_call(a, inside_typed, text, "%s", prompt);
}

void act_inside_go(struct app *a, const char *argument)
{
	static const char *const prompts[INSIDE_PAGE_COUNT] = {
		"cycle: ", "execution, from 1: ", "set: ", "step, or +ADDRESS to run to: ", NULL};
	const char *prompt = prompts[inside_of(a)->page];
	if (prompt)
		type(a, TYPING_GO, argument, "", prompt);
}

void act_inside_wave(struct app *a, const char *argument)
{
	type(a, TYPING_WAVE, argument, "", "wave to follow: ");
}

void act_inside_set(struct app *a, const char *argument)
{
	struct inside_view *v = inside_of(a);
	if (v->page == INSIDE_KNOBS && v->knobs.selected < v->knobs.count)
		type(a, TYPING_KNOB, argument, "", v->knobs.list[v->knobs.selected].name);
}

void act_inside_filter(struct app *a, const char *argument)
{
	if (inside_of(a)->page == INSIDE_KNOBS)
		type(a, TYPING_FILTER, argument, inside_of(a)->knobs.filter, "/");
}
