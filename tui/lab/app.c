#include "tui/lab/app.h"

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
#include "tui/lab/device_switch.h"
#include "tui/lab/lab_measure.h"
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
	a->view = views[0];
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
	measure_close(a);
	for (int i = 0; views[i]; i++)
		if (views[i]->close)
			views[i]->close(a);
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

/* --- changing --- */
void app_request_redraw(struct app *a)
{
	a->dirty = a->urgent = true;
}

int app_unread_log_count(const struct app *a)
{
	enum log_level level;
	int count = 0;
	for (size_t i = log_line_count(); i > a->log_read && log_get_line(i - 1, &level); i--)
		count += level >= LOG_WARNING;
	return count;
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

/* --- views --- */
int view_index(const struct view *v)
{
	int i = 0;
	while (views[i] && views[i] != v)
		i++;
	return i;
}

const struct view *view_find(const char *name)
{
	for (int i = 0; views[i]; i++)
		if (!strcmp(views[i]->name, name))
			return views[i];
	return NULL;
}

void *app_view_state(const struct app *a, const struct view *v)
{
	return a->view_state[view_index(v)];
}

void app_set_view_state(struct app *a, const struct view *v, void *state)
{
	a->view_state[view_index(v)] = state;
}

bool app_views_have_work(const struct app *a, enum view_work work)
{
	for (int i = 0; views[i]; i++)
		if (views[i]->busy && views[i]->busy(a) == work)
			return true;
	return false;
}
