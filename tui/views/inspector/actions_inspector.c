/* What the inside view's rows of the keys table do. */
#include <string.h>
#include <strings.h>

#include "tui/lab/lab.h"
#include "tui/shell/input_line.h"
#include "tui/views/inspector/inspector.h"
#include "tui/shell/keymap.h"

#define NO_ARGUMENT (void)argument

static int count_of(const char *argument)
{
	return action_step_count(argument) > 0 ? action_step_count(argument) : 1;
}

/* --- pages --- */
#define SHOW_PAGE(action, id)                                            \
	void act_inspector_##action(struct app *a, const char *argument) \
	{                                                                \
		NO_ARGUMENT;                                             \
		inspector_show_page(a, INSPECTOR_##id);                  \
	}
SHOW_PAGE(timeline, TIMELINE)
SHOW_PAGE(lanes, LANES)
SHOW_PAGE(sets, SETS)
SHOW_PAGE(steps, STEPS)
SHOW_PAGE(knobs, KNOBS)

void act_inside(struct app *a, const char *argument)
{
#define PAGE_NAME(id, key, title, name, part, draw) name,
	static const char *const names[INSPECTOR_PAGE_COUNT] = {INSPECTOR_PAGES(PAGE_NAME)};
#undef PAGE_NAME
	for (int i = 0; argument && i < INSPECTOR_PAGE_COUNT; i++)
		if (!strcasecmp(argument, names[i]))
			inspector_get(a)->page = (enum inspector_page)i;
	if (a->view == VIEW_INSPECTOR && argument)
		inspector_enter(a);
	else
		app_show_view(a, VIEW_INSPECTOR);
}

void act_inspector_next(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	inspector_show_page(a, (inspector_get(a)->page + 1) % INSPECTOR_PAGE_COUNT);
}

void act_inspector_prev(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	inspector_show_page(a, (inspector_get(a)->page + INSPECTOR_PAGE_COUNT - 1) % INSPECTOR_PAGE_COUNT);
}

void act_inspector_cancel_request(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	inspector_cancel_request(a);
}
void act_inspector_reload(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	inspector_reload(a);
}

static void move_point(struct app *a, int by)
{
	struct lab *b = app_current_lab(a);
	if (!b)
		return;
	lab_move_cursor(b, by);
	inspector_enter(a);
}

void act_inspector_point_right(struct app *a, const char *argument)
{
	move_point(a, count_of(argument));
}
void act_inspector_point_left(struct app *a, const char *argument)
{
	move_point(a, -count_of(argument));
}

/* --- the timeline --- */
static void choose_cu(struct app *a, int cu)
{
	struct inspector *v = inspector_get(a);
	if (cu < 0 || cu >= v->waves.cus || cu == v->waves.cu)
		return;
	v->waves.cu = cu;
	v->waves.selected = 0;
	inspector_request_parts(a, PART_WAVES);
}

static int clamped(int v, int low, int high)
{
	return v > high ? high : v < low ? low : v;
}

static void move_timeline(struct app *a, int dx, int dy)
{
	struct inspector *v = inspector_get(a);
	v->waves.selected = clamped(v->waves.selected + dy, 0, v->waves.rows ? v->waves.rows - 1 : 0);
	if (dx)
		wave_spans_move(&v->waves, dx, inspector_timeline_columns(a), v->code.cycles);
	inspector_load_timeline(a);
}

static void zoom(struct app *a, int by)
{
	struct inspector *v = inspector_get(a);
	if (v->page != INSPECTOR_TIMELINE || !v->waves.zoom)
		return;
	wave_spans_zoom(&v->waves, by, inspector_timeline_columns(a), v->code.cycles);
	inspector_load_timeline(a);
}

void act_inspector_zoom_in(struct app *a, const char *argument)
{
	zoom(a, count_of(argument));
}
void act_inspector_zoom_out(struct app *a, const char *argument)
{
	zoom(a, -count_of(argument));
}

void act_inspector_follow_wave(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	struct inspector *v = inspector_get(a);
	const struct wave_span *s = wave_spans_at(&v->waves, v->waves.selected, v->waves.cursor);
	if (!s) {
		app_show_message(a, ROLE_DIM, "no wave is in that slot at the cursor");
		return;
	}
	inspector_follow_wave(a, (int)s->wave, v->waves.cursor);
	inspector_show_page(a, INSPECTOR_STEPS);
}

/* --- lanes --- */
static void move_lanes(struct app *a, int dx, int dy)
{
	struct inspector *v = inspector_get(a);
	int line = v->line;
	for (int by = dy > 0 ? 1 : -1; dy; dy -= by) {
		int k = line + by;
		while (k >= 0 && k < v->code.lines && instruction_memory_path(v->code.line[k].text) == MEMORY_PATH_NONE)
			k += by;
		if (k < 0 || k >= v->code.lines)
			break;
		line = k;
	}
	if (line != v->line)
		inspector_select_instruction(a, line, 0);
	else if (dx > 0 || (dx < 0 && v->nth))
		inspector_select_instruction(a, line, dx < 0 && v->nth < (uint64_t)-dx ? 0 : v->nth + (uint64_t)dx);
}

/* --- cache sets --- */
static void show_cache(struct app *a, struct inspector *v, int cache)
{
	v->sets.cache = (enum set_cache)((cache + SET_CACHE_COUNT) % SET_CACHE_COUNT);
	v->sets.instance = v->sets.cursor = 0;
	v->sets.there = v->sets.cut = false;
	inspector_request_parts(a, PART_SETS);
}

static void show_instance(struct app *a, struct inspector *v, int instance)
{
	v->sets.instance =
		clamped(instance, 0, set_geometry_of(v->sets.cache, inspector_device_constants(a)).instances - 1);
	if (v->sets.cut)
		inspector_request_parts(a, PART_SETS);
}

static void move_sets(struct app *a, int by)
{
	struct inspector *v = inspector_get(a);
	v->sets.cursor =
		clamped(v->sets.cursor + by, 0, set_geometry_of(v->sets.cache, inspector_device_constants(a)).sets - 1);
}

/* --- steps --- */
static void move_steps(struct app *a, int by)
{
	struct inspector *v = inspector_get(a);
	int64_t to = (int64_t)v->steps.first + v->at + by;
	if (v->steps.there)
		inspector_seek_step(a, SEEK_STEP, to < 0 ? 0 : (uint64_t)to);
}

void act_inspector_load(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	if (inspector_get(a)->page == INSPECTOR_STEPS)
		inspector_seek_step(a, SEEK_ACCESS, 0);
}

void act_inspector_barrier(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	if (inspector_get(a)->page == INSPECTOR_STEPS)
		inspector_seek_step(a, SEEK_BARRIER, 0);
}

/* --- knobs --- */
static void choose_knob(struct inspector *v, int by)
{
	for (; by; by -= by > 0 ? 1 : -1)
		v->knobs.selected = tunables_next_match(&v->knobs, v->knobs.selected, by > 0 ? 1 : -1);
}

/* False where it goes no further. */
static bool turn(struct app *a, int by)
{
	struct inspector *v = inspector_get(a);
	if (v->knobs.selected >= v->knobs.count)
		return false;
	const struct tunable *k = &v->knobs.list[v->knobs.selected];
	bool further = tunable_step_value(k, by) != k->value;
	if (!further)
		app_show_message(a, ROLE_DIM, "%s goes no further", k->name);
	inspector_set_tunable(a, v->knobs.selected, tunable_step_value(k, by));
	return further;
}

void act_inspector_reset_tunables(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	if (inspector_get(a)->page == INSPECTOR_KNOBS)
		inspector_reset_tunables(a, false);
}

void act_inspector_reset_all(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	if (inspector_get(a)->page == INSPECTOR_KNOBS)
		inspector_reset_tunables(a, true);
}

/* --- by page --- */
static void move(struct app *a, int dx, int dy)
{
	struct inspector *v = inspector_get(a);
	switch (v->page) {
	case INSPECTOR_TIMELINE: move_timeline(a, dx, dy); break;
	case INSPECTOR_LANES: move_lanes(a, dx, dy); break;
	case INSPECTOR_SETS: move_sets(a, dx + dy * inspector_sets_columns(a)); break;
	case INSPECTOR_STEPS:
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

void act_inspector_right(struct app *a, const char *argument)
{
	move(a, count_of(argument), 0);
}
void act_inspector_left(struct app *a, const char *argument)
{
	move(a, -count_of(argument), 0);
}
void act_inspector_down(struct app *a, const char *argument)
{
	move(a, 0, count_of(argument));
}
void act_inspector_up(struct app *a, const char *argument)
{
	move(a, 0, -count_of(argument));
}

static void leap(struct app *a, int by)
{
	struct inspector *v = inspector_get(a);
	switch (v->page) {
	case INSPECTOR_TIMELINE:
		wave_spans_next_span(&v->waves, by, inspector_timeline_columns(a), v->code.cycles);
		inspector_load_timeline(a);
		break;
	case INSPECTOR_LANES: move_lanes(a, 16 * by, 0); break;
	case INSPECTOR_SETS: show_cache(a, v, (int)v->sets.cache + by); break;
	case INSPECTOR_STEPS: move_steps(a, 16 * by); break;
	default: choose_knob(v, by * (a->height > 10 ? a->height / 2 : 5));
	}
}

void act_inspector_page_down(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	leap(a, 1);
}
void act_inspector_page_up(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	leap(a, -1);
}

static void to_end(struct app *a, bool last)
{
	struct inspector *v = inspector_get(a);
	switch (v->page) {
	case INSPECTOR_TIMELINE:
		wave_spans_move_to(&v->waves, last && v->code.cycles ? v->code.cycles - 1 : 0,
			inspector_timeline_columns(a), v->code.cycles);
		inspector_load_timeline(a);
		break;
	case INSPECTOR_LANES:
		if (!last)
			inspector_select_instruction(a, v->line, 0);
		break;
	case INSPECTOR_SETS: move_sets(a, last ? 1 << 24 : -(1 << 24)); break;
	case INSPECTOR_STEPS:
		if (last && v->steps.steps)
			v->at = v->steps.steps - 1;
		else if (!last)
			inspector_seek_step(a, SEEK_STEP, 0);
		break;
	default: choose_knob(v, last ? v->knobs.count : -v->knobs.count);
	}
}

void act_inspector_first(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	to_end(a, false);
}
void act_inspector_last(struct app *a, const char *argument)
{
	NO_ARGUMENT;
	to_end(a, true);
}

static void other(struct app *a, int by, const char *argument)
{
	struct inspector *v = inspector_get(a);
	int exact = argument ? action_step_count(argument) : -1;
	switch (v->page) {
	case INSPECTOR_TIMELINE: choose_cu(a, exact >= 0 ? exact : v->waves.cu + by); break;
	case INSPECTOR_LANES:
		v->lane_cursor = exact >= 0 ? exact % WAVE_LANES : (v->lane_cursor + WAVE_LANES + by) % WAVE_LANES;
		break;
	case INSPECTOR_SETS: show_instance(a, v, exact >= 0 ? exact : v->sets.instance + by); break;
	case INSPECTOR_STEPS:
		v->lane = exact >= 0 ? exact % WAVE_LANES : (v->lane + WAVE_LANES + by) % WAVE_LANES;
		break;
	default: break;
	}
}

void act_inspector_more(struct app *a, const char *argument)
{
	other(a, 1, argument);
}
void act_inspector_less(struct app *a, const char *argument)
{
	other(a, -1, argument);
}

void act_inspector_what(struct app *a, const char *argument)
{
	struct inspector *v = inspector_get(a);
	if (v->page == INSPECTOR_LANES)
		v->part = !v->part && wave_steps_access(&v->lanes, 0, 1);
	if (v->page != INSPECTOR_SETS)
		return;
	v->sets.what =
		argument && action_step_count(argument) >= 0 ? action_step_count(argument) % 3 : (v->sets.what + 1) % 3;
	if (!*set_cache_get_info(v->sets.cache)->what[v->sets.what])
		v->sets.what = 0;
}

/* --- typed --- */
static void type(struct app *a, enum inspector_input what, const char *argument, const char *text, const char *prompt)
{
	inspector_get(a)->typing = what;
	if (argument)
		inspector_handle_input(a, argument); /* a script's: done at once */
	else
		input_line_open_with(a, inspector_handle_input, text, "%s", prompt);
}

void act_inspector_go(struct app *a, const char *argument)
{
	static const char *const prompts[INSPECTOR_PAGE_COUNT] = {
		"cycle: ", "execution, from 1: ", "set: ", "step, or +ADDRESS to run to: ", NULL};
	const char *prompt = prompts[inspector_get(a)->page];
	if (prompt)
		type(a, INSPECTOR_INPUT_GOTO, argument, "", prompt);
}

void act_inspector_wave(struct app *a, const char *argument)
{
	type(a, INSPECTOR_INPUT_WAVE, argument, "", "wave to follow: ");
}

void act_inspector_set(struct app *a, const char *argument)
{
	struct inspector *v = inspector_get(a);
	if (v->page == INSPECTOR_KNOBS && v->knobs.selected < v->knobs.count)
		type(a, INSPECTOR_INPUT_TUNABLE, argument, "", v->knobs.list[v->knobs.selected].name);
}

void act_inspector_filter(struct app *a, const char *argument)
{
	if (inspector_get(a)->page == INSPECTOR_KNOBS)
		type(a, INSPECTOR_INPUT_FILTER, argument, inspector_get(a)->knobs.filter, "/");
}
