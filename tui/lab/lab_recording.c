/* Records sweeps of the workbench: one session file for each sweep, created with its first point, so that no file is
 * empty. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/units.h"
#include "tui/lab/files/curve_files.h"
#include "tui/lab/lab_measure.h"

static void forget_recorded_points(struct recording *r)
{
	free(r->added);
	r->added = NULL;
	r->count = 0;
	r->written = 0;
}

static void close_recording_file(struct app *a)
{
	struct recording *r = &a->recording;
	struct err e = {0};
	if (!r->file)
		return;
	char *path = xstrdup(recorder_path(r->file));
	if (recorder_close(r->file, &e))
		app_show_message(a, ROLE_OK, "recorded %zu point%s: %s", r->written, plural_s(r->written), path);
	else
		app_show_message(a, ROLE_BAD, "%s", e.text);
	free(path);
	r->file = NULL;
}

static bool open_recording_file(struct app *a)
{
	const json_t *device = a->workers ? worker_pool_device_record(a->workers) : NULL;
	struct err e = {0};
	json_t *header;
	if (!device || !(header = sweep_build_header(a->sweep, device)))
		return false;
	a->recording.file = recorder_open(NULL, header, &e);
	json_decref(header);
	if (!a->recording.file) {
		a->recording.on = false;
		app_show_message(a, ROLE_BAD, "not recording: %s", e.text);
		return false;
	}
	app_show_message(a, ROLE_RECORD, "recording to %s", recorder_path(a->recording.file));
	return true;
}

static void write_recorded_point(struct app *a, const struct point *p)
{
	struct err e = {0};
	if (p->record && !recorder_write_record(a->recording.file, p->record, &e))
		app_show_message(a, ROLE_BAD, "%s", e.text);
	else if (p->record)
		a->recording.written++;
}

/* All points that have ended are in the file. */
static void mark_recorded_curve(struct app *a)
{
	struct measured_curve *c = a->sweeping ? &a->sweeping->curve : NULL;
	if (c && c->ended && !c->saved && c->header)
		curves_mark_saved(a, c->header);
}

void recording_write_points(struct app *a)
{
	struct recording *r = &a->recording;
	int count, from, to;
	if (!r->on || !a->sweep)
		return;
	const struct point *points = sweep_points(a->sweep, &count);
	if (r->count != count) {
		forget_recorded_points(r);
		r->added = xcalloc((size_t)count, sizeof *r->added);
		r->count = count;
	}
	sweep_open_points(a->sweep, &from, &to); /* points before may have ended since the last look */
	for (int i = 0; i < to; i++) {
		if (r->added[i] || points[i].status < POINT_OK || points[i].status == POINT_CANCELLED)
			continue;
		if (!r->file && !open_recording_file(a))
			return;
		write_recorded_point(a, &points[i]);
		r->added[i] = true;
		a->dirty = true;
	}
	if (r->file) {
		recorder_flush_old(r->file);
		mark_recorded_curve(a);
	}
}

void recording_end_sweep(struct app *a)
{
	recording_write_points(a);
	close_recording_file(a);
	forget_recorded_points(&a->recording);
}

void recording_close(struct app *a)
{
	close_recording_file(a);
	forget_recorded_points(&a->recording);
	a->recording.on = false;
}

/* Later sweeps are not recorded. */
static void record_finished_curve(struct app *a)
{
	a->recording.on = true;
	recording_write_points(a);
	recording_close(a);
}

/* All points of the shown curve have been measured, and no file has them. */
static bool has_finished_curve(const struct app *a)
{
	return a->sweep && sweep_state(a->sweep) == SWEEP_DONE && a->sweeping && !a->sweeping->curve.saved;
}

/* The points of a curve that is in a file already are not written again. */
static bool skip_saved_points(struct app *a)
{
	struct recording *r = &a->recording;
	int count;
	if (!a->sweep || sweep_state(a->sweep) == SWEEP_RUNNING || !a->sweeping || !a->sweeping->curve.saved)
		return false;
	sweep_points(a->sweep, &count);
	forget_recorded_points(r);
	r->added = xcalloc((size_t)count, sizeof *r->added);
	r->count = count;
	memset(r->added, true, (size_t)count * sizeof *r->added);
	return true;
}

void recording_start(struct app *a)
{
	a->recording.on = true;
	app_show_message(a, ROLE_RECORD,
		skip_saved_points(a) ? "this curve is in a file already; recording starts with the next sweep"
				     : "recording starts with the next point");
	recording_write_points(a);
}

void recording_toggle(struct app *a)
{
	if (a->recording.on) {
		if (!a->recording.file)
			app_show_message(a, ROLE_DIM, "recording off; no points were recorded");
		recording_close(a);
		return;
	}
	if (has_finished_curve(a))
		record_finished_curve(a);
	else
		recording_start(a);
}
