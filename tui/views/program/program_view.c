#include "tui/views/program/program_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "base/paths.h"
#include "tui/shell/input_line.h"
#include "tui/shell/shell.h"

/* --- state --- */
struct program_view *program_view_of(const struct app *a)
{
	return app_view_state(a, &view_program);
}

static struct program_view *make_program_view(struct app *a)
{
	if (!program_view_of(a))
		app_set_view_state(a, &view_program, xcalloc(1, sizeof(struct program_view)));
	return program_view_of(a);
}

static void start_run(struct app *a, char *const *command);

/* The program of the command line starts when the view is shown for the first time. */
static void open_program_view(struct app *a)
{
	struct program_view *v = make_program_view(a);
	if (a->program && !v->run && !*v->why)
		start_run(a, a->program);
}

static void close_program_view(struct app *a)
{
	struct program_view *v = program_view_of(a);
	if (v) {
		launch_list_close(v);
		program_run_free(v->run);
	}
	free(v);
	app_set_view_state(a, &view_program, NULL);
}

int program_view_selected(const struct program_view *v)
{
	int count = v->run ? v->run->kernels.count : 0;
	return v->selected < count ? v->selected : count - 1;
}

/* --- running --- */
static int terminal_columns(const struct app *a)
{
	return a->width > 4 ? a->width - 4 : 80;
}

static int terminal_rows(const struct app *a)
{
	return a->height / 3 + 1;
}

static void start_run(struct app *a, char *const *command)
{
	struct program_view *v = make_program_view(a);
	struct err e = {0};
	struct program_run *r = program_run_start(command, terminal_columns(a), terminal_rows(a), &e);
	snprintf(v->why, sizeof v->why, "%s", e.text);
	if (!r)
		return;
	launch_list_close(v);
	program_run_free(v->run);
	v->run = r;
	v->selected = v->back = 0;
}

static void report_end(struct app *a, const struct program_run *r)
{
	const char *name = path_basename(r->command[0]),
		   *next = r->captured_count ? "; Enter opens a kernel"
		: r->kernels.count           ? ""
					     : "; it launched no kernel";
	if (r->status)
		app_show_message(a, ROLE_WARN, "%s ended with status %d%s", name, r->status, next);
	else
		app_show_message(a, ROLE_OK, "%s has ended%s", name, next);
}

/* The clock of the title changes once a second. */
static void pump_program_view(struct app *a)
{
	struct program_view *v = program_view_of(a);
	if (!v || !v->run)
		return;
	program_process_resize(v->run->process, terminal_columns(a), terminal_rows(a));
	long long second = now_ms() / 1000;
	bool ran = v->run->state == PROGRAM_RUNNING, changed = program_run_pump(a, v->run);
	changed |= ran && second != v->drawn_second;
	v->drawn_second = second;
	a->dirty |= changed && a->view == &view_program;
	if (ran && v->run->state == PROGRAM_ENDED)
		report_end(a, v->run);
}

static enum view_work find_program_work(const struct app *a)
{
	const struct program_view *v = program_view_of(a);
	return v && v->run && v->run->state == PROGRAM_RUNNING ? VIEW_POLLING : VIEW_IDLE;
}

/* --- places --- */
static int current_place(const struct app *a)
{
	return program_view_of(a) ? (int)program_view_of(a)->place : 0;
}

static void focus_place(struct app *a, int place)
{
	struct program_view *v = make_program_view(a);
	if (place == PROGRAM_LAUNCHES && !v->launches.symbol) {
		launch_list_open(v);
		return;
	}
	if (place == PROGRAM_KERNELS)
		launch_list_close(v);
	v->place = (enum program_place)place;
}

static bool close_launches(struct app *a)
{
	struct program_view *v = program_view_of(a);
	bool shown = v && v->launches.symbol;
	if (shown)
		launch_list_close(v);
	return shown;
}

/* --- actions --- */
void act_program(struct app *a)
{
	app_show_view(a, &view_program);
}

void act_program_select(struct app *a, int by)
{
	struct program_view *v = program_view_of(a);
	int count = v->run ? v->run->kernels.count : 0, row = program_view_selected(v) + by;
	v->selected = row >= count ? count - 1 : row;
	v->selected = v->selected < 0 ? 0 : v->selected;
}

void act_program_scroll(struct app *a, int by)
{
	struct program_view *v = program_view_of(a);
	int most = v->run ? program_process_line_count(v->run->process) - 1 : 0;
	v->back += by;
	v->back = v->back > most ? most : v->back;
	v->back = v->back < 0 ? 0 : v->back;
}

void act_program_place(struct app *a)
{
	struct program_view *v = program_view_of(a);
	v->place = v->place != PROGRAM_OUTPUT ? PROGRAM_OUTPUT
		: v->launches.symbol          ? PROGRAM_LAUNCHES
					      : PROGRAM_KERNELS;
}

/* The run, if it is in this state; NULL with a message. */
static struct program_run *get_run(struct app *a, enum program_state state)
{
	struct program_view *v = make_program_view(a);
	if (v->run && v->run->state == state)
		return v->run;
	if (!v->run)
		app_show_message(a, ROLE_DIM, "no program was started; start one with wavedeck ./app");
	else if (state == PROGRAM_RUNNING)
		app_show_message(a, ROLE_DIM, "the program has ended; r runs it again");
	else
		app_show_message(a, ROLE_DIM, "the program still runs; c interrupts it");
	return NULL;
}

struct program_run *program_view_ended_run(struct app *a)
{
	return get_run(a, PROGRAM_ENDED);
}

void act_program_open(struct app *a)
{
	struct program_view *v = program_view_of(a);
	struct program_run *r = program_view_ended_run(a);
	struct err e = {0};
	int row = program_view_selected(v);
	const struct captured_kernel *k = r && row >= 0 ? program_run_captured(r, &r->kernels.list[row]) : NULL;
	if (!r || row < 0)
		return;
	if (!k || *k->reason)
		app_show_message(a, ROLE_WARN, "%s cannot be opened: %s", k ? k->id : r->kernels.list[row].name,
			k                      ? k->reason
				: *r->why_none ? r->why_none
					       : "its launches were not kept");
	else if (program_run_open_launch(a, r, k->launch, &e))
		app_open_view(a, views[0]);
	else
		app_show_message(a, ROLE_BAD, "%s", e.text);
}

static bool take_typed_line(struct app *a, const char *text)
{
	struct program_run *r = get_run(a, PROGRAM_RUNNING);
	if (r) {
		program_process_type(r->process, text);
		program_process_type(r->process, "\n");
	}
	return true;
}

void act_program_type(struct app *a, const char *argument)
{
	if (!get_run(a, PROGRAM_RUNNING))
		return;
	if (argument)
		take_typed_line(a, argument);
	else
		input_line_open(a, take_typed_line, "", "for the program: ");
}

void act_program_interrupt(struct app *a)
{
	struct program_run *r = get_run(a, PROGRAM_RUNNING);
	if (r)
		program_process_type(r->process, "\x03");
}

void act_program_again(struct app *a)
{
	struct program_run *r = program_view_ended_run(a);
	if (r)
		start_run(a, r->command);
}

static bool save_capture(struct app *a, const char *name)
{
	struct program_run *r = program_view_ended_run(a);
	struct err e = {0};
	bool ok = r && program_run_save(r, name, &e);
	if (ok)
		app_show_message(a, ROLE_OK, "saved in %s; `wavedeck %s` opens it", name, name);
	else if (r)
		app_show_message(a, ROLE_BAD, "%s", e.text);
	return ok || !r;
}

void act_program_save(struct app *a, const char *argument)
{
	char name[220];
	struct program_run *r = program_view_ended_run(a);
	if (!r)
		return;
	if (!r->captured_count) {
		app_show_message(a, ROLE_WARN, "%s", *r->why_none ? r->why_none : "no launch was kept");
		return;
	}
	snprintf(name, sizeof name, "%.200s.wbc", path_basename(r->command[0]));
	if (argument)
		save_capture(a, argument);
	else
		input_line_open(a, save_capture, name, "save the captured launches as ");
}

static bool has_no_program(const struct app *a)
{
	return !a->program;
}

static const struct action actions[] = {
#define ACTION ACTION_ROW
#include "tui/views/program/program_keys.def"
#undef ACTION
};

static const struct view_place places[] = {{"kernels", "Kernels of the program"}, {"output", "Output of the program"},
	{"launches", "Launches of a kernel"}};

const struct view view_program = {
	.name = "program",
	.title = "Your program",
	.actions = actions,
	.action_count = sizeof actions / sizeof *actions,
	.places = places,
	.place_count = sizeof places / sizeof *places,
	.current_place = current_place,
	.focus_place = focus_place,
	.is_detail = true,
	.back = close_launches,
	.is_empty = has_no_program,
	.draw = program_view_draw,
	.open = open_program_view,
	.close = close_program_view,
	.pump = pump_program_view,
	.busy = find_program_work,
	.legend = program_view_add_legend,
};
