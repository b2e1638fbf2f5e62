/* Logic of the steps page: loads windows of steps and seeks in them. */
#include <string.h>

#include "gpu/protocol/header_record.h"
#include "tui/lab/lab.h"
#include "tui/views/inspector/inspector.h"

static int next_barrier(const struct inspector *v, int k)
{
	for (; k < v->steps.steps; k++)
		if (!strncmp(issued_code_text(&v->code, v->steps.step[k].offset), "s_barrier", 9))
			return k;
	return -1;
}

/* The sought step in the loaded window; -1: it comes later. */
static int find_sought_step(const struct inspector *v, int from)
{
	const struct wave_steps *t = &v->steps;
	switch (v->seek) {
	case SEEK_STEP:
		return v->seek_step >= t->first && v->seek_step < t->first + (uint64_t)t->steps
			? (int)(v->seek_step - t->first)
			: -1;
	case SEEK_ACCESS: return wave_steps_next_access(t, from);
	case SEEK_BARRIER: return next_barrier(v, from);
	case SEEK_FIRST: return t->steps ? 0 : -1;
	default: return v->at;
	}
}

static void request_steps(struct app *a, struct inspector *v, uint64_t from)
{
	v->request_step = from;
	v->request_cycle = 0;
	v->request_offset = -1;
	inspector_request_parts(a, PART_STEPS);
}

static void report_not_found(struct app *a, struct inspector *v, const char *why)
{
	static const char *const what[] = {
		"", "such step", "further access", "further barrier", "such instruction", "such write"};
	app_show_message(a, ROLE_WARN, "wave %d: no %s %s", v->steps.wave, what[v->seek], why);
	v->seek = SEEK_NONE;
}

/* Continues from loaded step `from`, then in the next windows. */
static void continue_seek(struct app *a, struct inspector *v, int from)
{
	struct wave_steps *t = &v->steps;
	int k = find_sought_step(v, from);
	if (k >= 0) {
		v->at = k;
		v->seek = SEEK_NONE;
	} else if (t->ended) {
		v->at = t->steps ? t->steps - 1 : 0;
		report_not_found(a, v, "before the end");
	} else if (++v->seek_windows > SEEK_WINDOWS_MAX)
		report_not_found(a, v, "in the next 8192 steps; press again to continue");
	else
		request_steps(a, v, t->first + (uint64_t)t->steps);
}

/* The kernel has just run, so that its code object is in the cache. */
static void load_source_lines(struct app *a, struct inspector *v)
{
	struct lab *b = app_current_lab(a);
	const json_t *device = a->workers ? worker_pool_device_record(a->workers) : NULL;
	struct code_request r;
	struct err e = {0};
	if (v->model_tried || !device || !b || b->x != v->x)
		return;
	v->model_tried = true;
	if (!code_request_build(
		    b->x, v->values, a->soft, v->device, experiment_code_arch(b->x, device_get_arch(device)), &r, &e))
		return;
	v->model = code_model_load(&r, &e);
	code_request_free(&r);
}

void inspector_handle_trace(struct app *a, const json_t *o)
{
	struct inspector *v = inspector_get(a);
	if (!json_is_object(o)) {
		v->trips_sought = false;
		if (v->seek != SEEK_NONE) {
			report_not_found(a, v, "before the end");
			return;
		}
		app_show_message(a, ROLE_WARN, "the launch has no wave %d", v->wave);
		v->wave = v->steps.loaded ? v->steps.wave : 0;
		return;
	}
	wave_steps_read(&v->steps, o);
	load_source_lines(a, v);
	v->at = 0;
	if (v->trips_sought)
		inspector_continue_trips(a);
	else if (v->seek == SEEK_WRITE)
		inspector_continue_write_seek(a);
	else if (v->seek != SEEK_NONE)
		continue_seek(a, v, 0);
}

static bool has_barrier(const struct issued_code *c)
{
	for (int i = 0; i < c->lines; i++)
		if (!strncmp(c->line[i].text, "s_barrier", 9))
			return true;
	return false;
}

void inspector_seek_step(struct app *a, enum step_seek seek, uint64_t step)
{
	struct inspector *v = inspector_get(a);
	if (seek == SEEK_BARRIER && !has_barrier(&v->code)) {
		app_show_message(a, ROLE_DIM, "this kernel has no barrier");
		return;
	}
	v->seek = seek;
	v->seek_step = step;
	v->seek_windows = 0;
	if (seek == SEEK_STEP && find_sought_step(v, 0) < 0 && (step < v->steps.first || !v->steps.ended))
		request_steps(a, v, step > STEP_WINDOW_BEFORE ? step - STEP_WINDOW_BEFORE : 0);
	else
		continue_seek(a, v, v->at + 1);
	app_request_redraw(a);
}

/* The steps that are loaded are loaded again, with the memory. */
bool inspector_watch_memory(struct app *a, const char *text, struct err *e)
{
	static struct wave_registers r; /* 64 KiB: too large for the stack */
	struct inspector *v = inspector_get(a);
	struct memory_watch watch = {.on = false};
	wave_steps_registers(&v->steps, v->at, &r);
	if (*text && !memory_watch_read(text, &r, v->lane, &v->buffers, &watch, e))
		return false;
	v->watch = watch;
	v->seek = SEEK_STEP;
	v->seek_step = v->steps.first + (uint64_t)v->at;
	v->seek_windows = 0;
	request_steps(a, v, v->steps.first);
	return true;
}

void inspector_run_to_offset(struct app *a, int64_t offset)
{
	struct inspector *v = inspector_get(a);
	int k = wave_steps_next_at(&v->steps, v->at + 1, offset);
	if (k >= 0) {
		v->at = k;
		return;
	}
	v->seek = SEEK_FIRST;
	v->request_step = v->steps.first + (uint64_t)v->at + 1;
	v->request_cycle = 0;
	v->request_offset = offset;
	inspector_request_parts(a, PART_STEPS);
}

void inspector_follow_wave(struct app *a, int wave, uint64_t cycle)
{
	struct inspector *v = inspector_get(a);
	v->wave = wave;
	v->nth = 0;
	v->seek = SEEK_NONE;
	v->loaded &= ~(unsigned)PART_LANES;
	v->request_step = 0;
	v->request_cycle = cycle;
	v->request_offset = -1;
	inspector_request_parts(a, PART_STEPS);
}
