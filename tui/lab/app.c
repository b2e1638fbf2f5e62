#include "tui/lab/app.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "captures/capture_file.h"
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

#define FIRST_EXPERIMENT "range-latency" /* one curve that shows both caches and the memory */

/* --- open, close --- */
static void show_catalog_error(void *ctx, const char *line)
{
	app_show_message(ctx, ROLE_BAD, "%s", line);
}

/* The other kernels of its capture; each is an experiment, which may have the name of another one. */
static void load_captured_experiments(struct app *a, const struct experiment *first)
{
	char **list;
	int count = capture_list_definitions(first->path, &list);
	for (int i = 0; i < count; i++) {
		struct experiment *x = catalog_find(&a->catalog, list[i], NULL);
		if (x)
			snprintf(x->chapter, sizeof x->chapter, CAPTURED_CHAPTER);
		free(list[i]);
	}
	free(list);
}

/* Loads only the experiment of the first frame. */
static bool load_first_experiment(struct app *a, const char *name, struct err *e)
{
	char *folder = path_catalog();
	bool ok = catalog_open(folder, &a->catalog, show_catalog_error, a, e);
	free(folder);
	struct experiment *chosen =
		ok ? catalog_find(&a->catalog, name ? name : FIRST_EXPERIMENT, name ? e : NULL) : NULL;
	if (!ok || (!chosen && name))
		return false;
	while (!chosen && catalog_load_next(&a->catalog))
		chosen = a->catalog.count ? a->catalog.list[0] : NULL;
	if (!chosen)
		return err_set(e, ST_FAILED,
			"no experiment in the catalog can be loaded; see the messages above, or reinstall wavedeck");
	load_captured_experiments(a, chosen);
	a->lab_count = 1;
	a->labs = xcalloc(1, sizeof *a->labs);
	lab_init(&a->labs[0], chosen, a->soft, a->arch);
	return true;
}

/* Makes a lab for every experiment, in the order of the catalog; keeps the first one. */
static void make_labs(struct app *a)
{
	struct lab first = a->labs[0];
	a->lab_count = a->catalog.count;
	a->labs = xrealloc(a->labs, (size_t)a->lab_count * sizeof *a->labs);
	for (int i = 0; i < a->lab_count; i++) {
		if (a->catalog.list[i] != (first.original ? first.original : first.x)) {
			lab_init(&a->labs[i], a->catalog.list[i], a->soft, a->arch);
			continue;
		}
		a->labs[i] = first;
		a->current = i;
		if (a->sweeping)
			a->sweeping = &a->labs[i];
	}
}

bool app_add_captured_experiment(struct app *a, const char *path, struct err *e)
{
	while (!a->loaded && app_load_slice(a, 100))
		;
	struct experiment *x = catalog_find(&a->catalog, path, e);
	if (!x)
		return false;
	for (int i = 0; i < a->lab_count; i++)
		if (a->labs[i].x == x || a->labs[i].original == x)
			return true;
	ptrdiff_t sweeping = a->sweeping ? a->sweeping - a->labs : -1;
	snprintf(x->chapter, sizeof x->chapter, CAPTURED_CHAPTER);
	a->labs = xrealloc(a->labs, (size_t)(a->lab_count + 1) * sizeof *a->labs);
	lab_init(&a->labs[a->lab_count++], x, a->soft, a->arch);
	if (sweeping >= 0)
		a->sweeping = &a->labs[sweeping];
	return true;
}

/* The workbench also works without them; `wavedeck validate` reports mistakes in their rows. */
static void load_published_rows(struct app *a)
{
	struct err e = {.text = ""};
	char *folder = path_published();
	if (!published_load(folder, &a->published, &e))
		log_printf(LOG_WARNING, "%s", e.text);
	for (int i = 0; i < a->lab_count; i++)
		if (!validation_make_for(&a->published, a->labs[i].x, true, &a->labs[i].published, &e))
			log_printf(LOG_WARNING, "%s", e.text);
	free(folder);
	folder = path_share("accuracy");
	if (!accuracy_load(folder, &a->accuracy, &e))
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
	make_labs(a);
	load_published_rows(a);
	device_take_numbers(a);
	app_request_redraw(a);
	return false;
}

bool app_open_start(struct app *a, const char *device, const char *experiment, struct err *e)
{
	memset(a, 0, sizeof *a);
	snprintf(a->device, sizeof a->device, "%s", device ? device : device_default_name());
	a->soft = device_is_soft(a->device);
	device_read_lab_arch(a->device, a->arch);
	a->view = views[0];
	a->focus = FOCUS_PARAMS;
	a->canvas = CANVAS_BRAILLE;
	a->frames = 30;
	a->width = 80;
	a->height = 24;
	bool ok = load_first_experiment(a, experiment, e);
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

bool app_keep_results(struct app *a, struct err *e)
{
	bool ok = true;
	for (int i = 0; views[i]; i++)
		if (views[i]->keep && !views[i]->keep(a, ok ? e : NULL))
			ok = false;
	return ok;
}

/* Results first: closing the workers may take a moment, in which a second signal can end the program. */
void app_close(struct app *a)
{
	struct err e = {0};
	if (!app_keep_results(a, &e))
		fprintf(stderr, "wavedeck: %s\n", e.text);
	free(a->clipboard);
	a->clipboard = NULL;
	measure_close(a);
	for (int i = 0; views[i]; i++)
		if (views[i]->close)
			views[i]->close(a);
	background_jobs_close(a);
	for (int i = 0; i < a->lab_count; i++)
		lab_free(&a->labs[i]);
	free(a->labs);
	a->labs = NULL;
	a->lab_count = 0;
	undo_free(a);
	published_free(&a->published);
	accuracy_free(&a->accuracy);
	catalog_free(&a->catalog);
}

struct lab *app_current_lab(const struct app *a)
{
	return a->current < a->lab_count ? &a->labs[a->current] : NULL;
}

/* --- messages --- */
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
		a->log_read = log_line_count(); /* the user sees it on the status line */
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
