#include "tui/shell/app.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "base/buf.h"
#include "base/host_clock.h"
#include "base/log.h"
#include "base/paths.h"
#include "gpu/controller/device_list.h"
#include "tui/lab/lab.h"
#include "tui/shell/bindings.h"
#include "tui/lab/device_switch.h"
#include "tui/shell/input_line.h"
#include "tui/shell/keymap.h"
#include "tui/toolkit/screen_layout.h"
#include "tui/lab/lab_measure.h"
#include "tui/shell/command_palette.h"
#include "tui/lab/undo.h"
#include "tui/lab/x_window.h"

#define FIRST_EXPERIMENT \
	"range-latency" /* both caches and memory in one curve: the picture that says what this program is for */

/* --- open, close --- */
static void bad_experiment(void *ctx, const char *line)
{
	app_show_message(ctx, ROLE_BAD, "%s", line);
}

/* The experiment that is shown first, alone: a bench of it is all that the first frame needs. */
static bool load_first(struct app *a, const char *name, struct err *e)
{
	char *folder = path_catalog();
	bool ok = catalog_open(folder, &a->catalog, bad_experiment, a, e);
	free(folder);
	struct experiment *chosen =
		ok ? catalog_find(&a->catalog, name ? name : FIRST_EXPERIMENT, name ? e : NULL) : NULL;
	if (!ok || (!chosen && name))
		return false;
	while (!chosen && catalog_load_next(&a->catalog))
		chosen = a->catalog.count ? a->catalog.list[0] : NULL;
	if (!chosen)
		return err_set(e, ST_FAILED,
			"the catalog holds no experiment that loads; see the messages above it, or reinstall");
	a->bench_count = 1;
	a->benches = xcalloc(1, sizeof *a->benches);
	lab_init(&a->benches[0], chosen, a->soft);
	return true;
}

/* A bench for every experiment, in the order of the catalog; the one there is moves to its place. */
static void make_benches(struct app *a)
{
	struct lab first = a->benches[0];
	a->bench_count = a->catalog.count;
	a->benches = xrealloc(a->benches, (size_t)a->bench_count * sizeof *a->benches);
	for (int i = 0; i < a->bench_count; i++) {
		if (a->catalog.list[i] != (first.original ? first.original : first.x)) {
			lab_init(&a->benches[i], a->catalog.list[i], a->soft);
			continue;
		}
		a->benches[i] = first;
		a->current = i;
		if (a->sweeping)
			a->sweeping = &a->benches[i];
	}
}

/* The workbench works without them; what is wrong with a row is `validate`'s to tell. */
static void load_published(struct app *a)
{
	struct err e = {.text = ""};
	char *folder = path_published();
	if (!published_load(folder, &a->published, &e))
		log_printf(LOG_WARNING, "%s", e.text);
	for (int i = 0; i < a->bench_count; i++)
		if (!validation_make_for(&a->published, a->benches[i].x, true, &a->benches[i].published, &e))
			log_printf(LOG_WARNING, "%s", e.text);
	free(folder);
}

bool app_load_slice(struct app *a, int ms)
{
	long long until = now_ms() + ms;
	while (!a->loaded && catalog_load_next(&a->catalog))
		if (now_ms() >= until)
			return true;
	if (a->loaded)
		return false;
	a->loaded = true;
	make_benches(a);
	load_published(a);
	app_request_redraw(a);
	return false;
}

bool app_open_start(struct app *a, const char *device, const char *experiment, struct err *e)
{
	memset(a, 0, sizeof *a);
	snprintf(a->device, sizeof a->device, "%s", device ? device : device_default_name());
	a->soft = device_is_soft(a->device);
	a->focus = FOCUS_PARAMS;
	a->canvas = CANVAS_BRAILLE;
	a->frames = 30;
	a->width = 80;
	a->height = 24;
	bool ok = load_first(a, experiment, e);
	if (ok && device_can(a->device, DEVICE_RECORDING)) {
		app_load_slice(a, INT_MAX);
		device_apply_recording(a, !experiment);
	}
	if (!ok)
		app_close(a);
	a->dirty = a->urgent = true;
	return ok;
}

bool app_open(struct app *a, const char *device, const char *experiment, struct err *e)
{
	bool ok = app_open_start(a, device, experiment, e);
	if (ok)
		app_load_slice(a, INT_MAX);
	return ok;
}

void app_close(struct app *a)
{
	palette_close(a);
	measure_close(a);
	for (int v = 0; v < VIEW_COUNT; v++)
		if (view_get_info(v)->close)
			view_get_info(v)->close(a);
	background_jobs_close(a);
	for (int i = 0; i < a->bench_count; i++)
		lab_free(&a->benches[i]);
	free(a->benches);
	a->benches = NULL;
	a->bench_count = 0;
	published_free(&a->published);
	catalog_free(&a->catalog);
}

/* --- asking --- */
struct lab *app_current_lab(const struct app *a)
{
	return a->current < a->bench_count ? &a->benches[a->current] : NULL;
}

enum focus app_focused_pane(const struct app *a)
{
	return app_pane_is_visible(a, a->focus) ? a->focus : FOCUS_PLOT;
}

unsigned app_key_scope(const struct app *a)
{
	static const unsigned places[FOCUS_COUNT] = {
		[FOCUS_LIST] = IN_LIST, [FOCUS_PARAMS] = IN_PARAMS, [FOCUS_PLOT] = IN_PLOT};
	return a->view == VIEW_MAIN ? places[app_focused_pane(a)] : view_get_info(a->view)->place;
}

bool app_pane_is_visible(const struct app *a, enum focus f)
{
	static const enum pane panes[FOCUS_COUNT] = {
		[FOCUS_LIST] = PANE_LIST, [FOCUS_PARAMS] = PANE_PARAMS, [FOCUS_PLOT] = PANE_PLOT};
	struct layout l = layout_main(a->width, a->height, a->zoom);
	return layout_has_pane(&l, panes[f]);
}

/* --- changing --- */
void app_request_redraw(struct app *a)
{
	a->dirty = a->urgent = true;
}

void app_resize(struct app *a, int w, int h)
{
	a->width = w;
	a->height = h;
	app_request_redraw(a);
}

void app_focus_scope(struct app *a, unsigned where)
{
	static const unsigned places[FOCUS_COUNT] = {
		[FOCUS_LIST] = IN_LIST, [FOCUS_PARAMS] = IN_PARAMS, [FOCUS_PLOT] = IN_PLOT};
	if (where & app_key_scope(a))
		return;
	int v = 0;
	while (v < VIEW_COUNT && !(view_get_info(v)->place & where))
		v++;
	if (v < VIEW_COUNT && a->view != (enum view)v)
		app_show_view(a, (enum view)v);
	for (int f = 0; f < FOCUS_COUNT && !(where & app_key_scope(a)); f++) {
		if (!(places[f] & where))
			continue;
		a->focus = (enum focus)f;
		a->zoom = a->zoom && app_pane_is_visible(a, a->focus);
	}
}

int app_unread_log_count(const struct app *a)
{
	enum log_level level;
	int count = 0;
	for (size_t i = log_line_count(); i > a->log_read && log_get_line(i - 1, &level); i--)
		count += level >= LOG_WARNING;
	return count;
}

static bool is_page(enum view v)
{
	return v == VIEW_HELP || v == VIEW_LOG;
}

void app_show_view(struct app *a, enum view v)
{
	if (a->view == VIEW_LOG || v == VIEW_LOG)
		a->log_read = log_line_count();
	bool page = is_page(v), again = a->view == v;
	if (page && !is_page(a->view))
		a->below = a->view;
	a->view = !again ? v : page ? a->below : VIEW_MAIN;
	a->scroll = 0;
	if (!(again && page) &&
		view_get_info(a->view)->enter) /* a page lies over a view: what is below it stayed as it was */
		view_get_info(a->view)->enter(a);
	app_request_redraw(a);
}

void app_show_message(struct app *a, enum role role, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(a->message, sizeof a->message, fmt, ap);
	va_end(ap);
	a->message_role = role;
	bool read = !app_unread_log_count(a);
	if (role != ROLE_DIM)
		log_printf(role == ROLE_BAD ? LOG_ERROR : role == ROLE_WARN ? LOG_WARNING : LOG_INFO, "%s", a->message);
	path_abbreviate_home(a->message);
	if (read)
		a->log_read = log_line_count(); /* told just now */
	a->dirty = true;
}

/* What a person does, so that it can be taken back; a knob that is turned on before anything is measured is one change.
 * NULL: a key of the line typed. */
static void do_action(struct app *a, const struct action *action, int key, const char *argument)
{
	struct lab *b = app_current_lab(a);
	struct lab_settings before;
	bool joined = action && a->measure_at && a->knob == action && b && b->selected == a->knob_param;
	bool moves = action && (action->run == act_undo || action->run == act_redo);
	if (b)
		lab_settings_capture(b, &before);
	if (action)
		action->run(a, argument);
	else
		input_line_handle_key(a, key);
	if (b && !moves)
		undo_push(b, &before, joined);
	if (b && before.axis != b->axis)
		x_window_reset(b);
	a->knob = action;
	a->knob_param = b ? b->selected : 0;
	if (app_current_lab(a))
		x_window_follow_cursor(a, app_current_lab(a));
}

void app_handle_key(struct app *a, int key)
{
	app_request_redraw(a);
	if (a->palette) {
		palette_handle_key(a, key);
		return;
	}
	if (a->entry.kind != ENTRY_NONE) {
		do_action(a, NULL, key, NULL);
		return;
	}
	a->message[0] = 0; /* read by now */
	const char *argument;
	const struct action *action = binding_for_key(key, app_key_scope(a), &argument);
	if (action)
		do_action(a, action, key, argument);
}

bool app_run_action(struct app *a, const char *name, const char *argument, struct err *e)
{
	const struct action *action = action_by_name(name);
	if (!action) {
		const char *names[256];
		int n = 0;
		while (n < 256 && action_at((size_t)n))
			names[n] = action_at((size_t)n)->name, n++;
		const char *near = find_nearest_name(name, names, n);
		return err_set(e, ST_REQUEST, "no action '%s'%s%s; the help view lists them", name,
			near ? ", did you mean " : "", near ? near : "");
	}
	if (!(action->where & app_key_scope(a)))
		return err_set(e, ST_REQUEST,
			"action '%s' means nothing where the focus is; use next-pane or back first", name);
	app_request_redraw(a);
	a->message[0] = 0;
	do_action(a, action, TK_NONE, argument);
	return true;
}
