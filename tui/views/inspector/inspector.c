#include "tui/views/inspector/inspector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/point_record.h"
#include "tui/lab/lab.h"
#include "tui/lab/lab_measure.h"

enum {
	ALL_PARTS = PART_WAVES | PART_SETS | PART_STEPS | PART_LANES,
	SPANS_WANTED = 40000 /* three screens of 200 columns with 40 slots, with room */
};

static const unsigned page_parts[INSPECTOR_PAGE_COUNT] = {
#define PAGE_PART(id, key, title, name, part, draw) [INSPECTOR_##id] = part,
	INSPECTOR_PAGES(PAGE_PART)
#undef PAGE_PART
};

/* --- the launch --- */
struct inspector *inspector_get(struct app *a)
{
	struct inspector *v = inspector_of(a);
	if (v)
		return v;
	v = xcalloc(1, sizeof *v);
	v->line = -1;
	v->request_offset = -1;
	app_set_view_state(a, &view_inspector, v);
	return v;
}

static void cursor_values(const struct lab *b, double *out)
{
	const struct point *p = lab_cursor_point(b);
	memcpy(out, p ? p->values : b->values, sizeof b->values);
}

static bool same_point(const struct app *a, const struct inspector *v, const struct lab *b)
{
	double values[PARAMS_MAX];
	cursor_values(b, values);
	return v->x == b->x && !strcmp(v->device, a->device) &&
		!memcmp(values, v->values, sizeof(double) * (size_t)b->x->param_count);
}

static void forget_launch(struct inspector *v)
{
	issued_code_free(&v->code);
	free(v->waves.span);
	v->waves = (struct wave_spans){.cu = v->waves.cu, .selected = 0};
	v->request_from = v->request_to = 0;
	int what = v->sets.what;
	enum set_cache cache = v->sets.cache;
	set_map_free(&v->sets);
	v->sets.what = what;
	v->sets.cache = cache;
	wave_steps_free(&v->steps);
	wave_steps_free(&v->lanes);
	code_model_free(v->model);
	v->model = NULL;
	v->model_tried = false;
	v->line = -1;
	v->request_offset = -1;
	v->request_step = v->request_cycle = v->request_nth = v->nth = v->nth_loaded = 0;
	v->trips_tried = v->trips_sought = false;
	v->at = v->wave = v->part = 0;
	v->seek = SEEK_NONE;
	v->watch.on = false;
	v->access_count = v->shown_access = 0;
	v->loaded = v->wanted = 0;
	v->why[0] = 0;
}

/* "range-latency  rangesize 4 KiB": the swept parameter and its value. */
static void name_point(struct inspector *v, const struct lab *b)
{
	char value[64];
	int i = b->axis;
	if (i < 0)
		snprintf(v->title, sizeof v->title, "%s", b->x->id);
	else
		snprintf(v->title, sizeof v->title, "%s  %s %s", b->x->id, b->x->params[i].id,
			param_format(&b->x->params[i], v->values[i], value, sizeof value));
}

static void take_cursor_point(struct app *a, struct inspector *v, const struct lab *b)
{
	background_job_cancel(v->job);
	v->pending = 0;
	forget_launch(v);
	v->x = b->x;
	cursor_values(b, v->values);
	snprintf(v->device, sizeof v->device, "%s", a->device);
	name_point(v, b);
}

bool inspector_take_point(struct app *a, struct lab *b)
{
	struct inspector *v = inspector_get(a);
	if (same_point(a, v, b))
		return false;
	take_cursor_point(a, v, b);
	return true;
}

/* Why the inspector cannot show this launch, if so. */
static bool nothing_to_see(const struct app *a, struct inspector *v, const struct lab *b)
{
	if (device_can(a->device, DEVICE_RECORDING))
		snprintf(v->why, sizeof v->why,
			"not available for a recording; open a software GPU such as soft:mi25 and measure there");
	else if (!device_can(a->device, DEVICE_INSPECTOR))
		snprintf(v->why, sizeof v->why, "not available on this device; open a software GPU such as soft:mi25");
	else if (experiment_why_no_launch(b->x))
		snprintf(v->why, sizeof v->why, "nothing to inspect: %s", experiment_why_no_launch(b->x));
	else
		return false;
	return true;
}

/* --- requests --- */
static json_t *waves_wanted(const struct inspector *v)
{
	return json_pack("{s:i,s:I,s:I,s:i}", "cu", v->waves.cu, "from", (json_int_t)v->request_from, "to",
		(json_int_t)v->request_to, "most", SPANS_WANTED);
}

static json_t *sets_wanted(const struct inspector *v)
{
	json_t *o = json_pack("{s:s}", "cache", set_cache_get_info(v->sets.cache)->name);
	if (v->sets.cut)
		json_object_set_new(o, "instance", json_integer(v->sets.instance));
	return o;
}

static json_t *steps_wanted(const struct inspector *v)
{
	json_t *o = json_pack("{s:i,s:I,s:I,s:i}", "wave", v->wave, "from", (json_int_t)v->request_step, "cycle",
		(json_int_t)v->request_cycle, "steps", STEP_WINDOW_SIZE);
	if (v->request_offset >= 0) {
		json_object_set_new(o, "offset", json_integer(v->request_offset));
		json_object_set_new(o, "nth", json_integer((json_int_t)v->request_nth));
	}
	if (v->watch.on)
		json_object_set_new(o, "memory", memory_watch_request(&v->watch));
	return o;
}

static json_t *lanes_wanted(const struct inspector *v)
{
	return json_pack("{s:i,s:I,s:I,s:i}", "wave", v->wave, "offset", (json_int_t)v->code.line[v->line].offset,
		"nth", (json_int_t)v->nth, "steps", 1);
}

static json_t *build_request(const struct inspector *v, unsigned parts)
{
	json_t *o = json_object();
	if (parts & PART_WAVES)
		json_object_set_new(o, "waves", waves_wanted(v));
	if (parts & PART_SETS)
		json_object_set_new(o, "sets", sets_wanted(v));
	if (parts & PART_STEPS)
		json_object_set_new(o, "trace", steps_wanted(v));
	if (parts & PART_LANES)
		json_object_set_new(o, "trace", lanes_wanted(v));
	return o;
}

/* The requested parts that one launch can provide: it traces one wave for one page, and the instructions must be
 * known before one is selected. */
static unsigned next_parts(const struct inspector *v)
{
	unsigned parts = v->wanted;
	if (!v->loaded && parts)
		return PART_WAVES | PART_SETS | PART_STEPS;
	if (v->line < 0)
		parts &= ~(unsigned)PART_LANES;
	return parts & PART_LANES ? parts & ~(unsigned)PART_STEPS : parts;
}

static void take_profiling_record(void *ctx, struct background_job *s, const json_t *record);

static void send_profiling_job(struct app *a, struct inspector *v, unsigned parts)
{
	static int number = 1 << 30; /* sweeps number their jobs from 1 */
	struct err e = {0};
	json_t *job = experiment_build_job((struct experiment *)v->x, v->values, true, a->arch, false, &e);
	if (!job) {
		snprintf(v->why, sizeof v->why, "%s", e.text);
		v->wanted = 0;
		return;
	}
	json_object_set_new(job, "job", json_integer(++number));
	json_object_set_new(job, "point", json_integer(0));
	json_object_set_new(job, "inside", build_request(v, parts));
	if (v->access_count) /* the launch goes on at an access that would end it */
		json_object_set_new(job, "checks", json_string("memory"));
	v->pending = parts;
	v->wanted &= ~parts;
	v->done = v->total = 0;
	if (!v->job)
		v->job = background_job_create(a, "profile", take_profiling_record, a);
	background_job_send(v->job, v->device, job);
}

static void request_next_parts(struct app *a)
{
	struct inspector *v = inspector_of(a);
	unsigned parts = v->pending ? 0 : next_parts(v);
	if (parts)
		send_profiling_job(a, v, parts);
	app_request_redraw(a);
}

void inspector_request_parts(struct app *a, unsigned parts)
{
	struct inspector *v = inspector_get(a);
	v->wanted |= parts;
	request_next_parts(a);
}

enum view_work inspector_work(const struct app *a)
{
	const struct inspector *v = inspector_of(a);
	return v && (v->pending || *a->next_device) ? VIEW_BACKGROUND : VIEW_IDLE;
}

const json_t *inspector_device_constants(const struct app *a)
{
	return inspector_of(a) ? json_object_get(background_job_device_record(inspector_of(a)->job), "constants")
			       : NULL;
}

int inspector_timeline_columns(const struct app *a)
{
	int columns = a->width - 2 - TIMELINE_LABEL;
	return columns > 1 ? columns : 1;
}

/* --- replies --- */
/* The instruction to start with: the most frequent access to memory or LDS. */
static int busiest_access_line(const struct issued_code *c)
{
	int best = -1;
	for (int i = 0; i < c->lines; i++) {
		enum memory_path way = instruction_memory_path(c->line[i].text);
		if (way == MEMORY_PATH_NONE)
			continue;
		bool vector = way != MEMORY_PATH_SCALAR,
		     was = best >= 0 && instruction_memory_path(c->line[best].text) != MEMORY_PATH_SCALAR;
		if (best < 0 || (vector && !was) || (vector == was && c->line[i].count > c->line[best].count))
			best = i;
	}
	return best;
}

static void take_waves(struct app *a, struct inspector *v, const json_t *o)
{
	bool first = !v->waves.zoom;
	wave_spans_read(&v->waves, o);
	if (first)
		wave_spans_fit(&v->waves, 0, v->code.cycles, inspector_timeline_columns(a));
	if (first && v->waves.count)
		v->waves.cursor = v->waves.span[0].start;
}

static void take_sets(struct inspector *v, const json_t *o)
{
	set_map_read(&v->sets, o);
	if (!v->sets.what && !set_map_max_count(&v->sets))
		v->sets.what = 1; /* no hits: show misses */
}

static void take_lanes(struct app *a, struct inspector *v, const json_t *o)
{
	if (json_is_object(o)) {
		wave_steps_read(&v->lanes, o);
		v->nth_loaded = v->nth;
		v->part = 0;
	} else {
		app_show_message(a, ROLE_WARN, "wave %d has fewer than %llu executions of this instruction", v->wave,
			(unsigned long long)v->nth + 1);
		v->nth = v->nth_loaded;
	}
}

static void take_parts(struct app *a, struct inspector *v, const json_t *inside)
{
	unsigned parts = v->pending;
	v->pending = 0;
	v->loaded |= parts;
	issued_code_read(&v->code, inside);
	if (parts & PART_WAVES)
		take_waves(a, v, json_object_get(inside, "waves"));
	if (parts & PART_SETS)
		take_sets(v, json_object_get(inside, "sets"));
	if (parts & PART_LANES)
		take_lanes(a, v, json_object_get(inside, "trace"));
	if (parts & PART_STEPS) {
		launch_buffers_read(&v->buffers, json_object_get(inside, "buffers"));
		inspector_handle_trace(a, json_object_get(inside, "trace"));
	}
	if (v->line < 0)
		v->line = busiest_access_line(&v->code);
	inspector_open_timeline(a);
}

void inspector_handle_record(struct app *a, const json_t *point)
{
	struct inspector *v = inspector_get(a);
	const json_t *inside = record_get_inside(point);
	v->why[0] = 0;
	if (inside)
		take_parts(a, v, inside);
	else {
		v->pending = v->wanted = 0;
		const char *error = point_get_error(point);
		snprintf(v->why, sizeof v->why, "%s",
			*error ? error
				: !strcmp(point_get_status(point), "cancelled")
				? "canceled; press r to profile again"
				: "no data: this device has no timing (timing=0)");
	}
	request_next_parts(a);
}

void inspector_cancel_request(struct app *a)
{
	struct inspector *v = inspector_get(a);
	if (!v->pending)
		return;
	background_job_cancel(v->job);
	v->pending = v->wanted = 0;
	v->seek = SEEK_NONE;
	v->trips_sought = false;
	if (!v->loaded)
		snprintf(v->why, sizeof v->why, "canceled; press r to profile again");
	app_request_redraw(a);
}

static void take_profiling_record(void *ctx, struct background_job *s, const json_t *record)
{
	struct app *a = ctx;
	if (record && !strcmp(record_get_type(record), "progress")) {
		inspector_of(a)->done = json_integer_value(json_object_get(record, "done"));
		inspector_of(a)->total = json_integer_value(json_object_get(record, "total"));
	}
	if (record && !strcmp(record_get_type(record), "point") && background_job_state(s) == BACKGROUND_BUSY &&
		inspector_of(a)->pending)
		inspector_handle_record(a, record);
	if (record || background_job_state(s) != BACKGROUND_FAILED)
		return;
	inspector_of(a)->pending = inspector_of(a)->wanted = 0;
	snprintf(inspector_of(a)->why, sizeof inspector_of(a)->why, "%s", background_job_status_text(s));
	app_request_redraw(a);
}

/* --- pages --- */
static void read_tunables(struct app *a, struct inspector *v)
{
	struct err e = {0};
	if (!*a->next_device && !tunables_read_device(&v->tunables, a->device, &e))
		snprintf(v->why, sizeof v->why, "%s", e.text);
}

void inspector_show_page(struct app *a, enum inspector_page page)
{
	struct inspector *v = inspector_get(a);
	struct lab *b = app_current_lab(a);
	v->page = page;
	app_request_redraw(a);
	if (!b)
		return;
	inspector_take_point(a, b);
	if (nothing_to_see(a, v, b) && (page != INSPECTOR_HARDWARE || !device_can(a->device, DEVICE_TUNABLE)))
		return;
	if (page == INSPECTOR_HARDWARE)
		read_tunables(a, v);
	inspector_open_timeline(a);
	unsigned lacks = page_parts[page] & ~(v->loaded | v->pending);
	if (lacks && !*v->why)
		inspector_request_parts(a, lacks);
}

void inspector_enter(struct app *a)
{
	inspector_show_page(a, inspector_get(a)->page);
}

void inspector_reload(struct app *a)
{
	inspector_get(a)->x = NULL;
	inspector_show_page(a, inspector_of(a)->page);
}

void inspector_close(struct app *a)
{
	struct inspector *v = inspector_of(a);
	if (!v)
		return;
	issued_code_free(&v->code);
	wave_spans_free(&v->waves);
	set_map_free(&v->sets);
	wave_steps_free(&v->steps);
	wave_steps_free(&v->lanes);
	code_model_free(v->model);
	tunables_free(&v->tunables);
	free(v);
	app_set_view_state(a, &view_inspector, NULL);
}

void inspector_load_timeline(struct app *a)
{
	struct inspector *v = inspector_get(a);
	uint64_t from, to;
	if (!wave_spans_needs_data(&v->waves, inspector_timeline_columns(a), v->code.cycles, &from, &to))
		return;
	inspector_request_timeline(a, from, to);
}

void inspector_request_timeline(struct app *a, uint64_t from, uint64_t to)
{
	struct inspector *v = inspector_get(a);
	v->request_from = from;
	v->request_to = to < v->code.cycles ? to : v->code.cycles;
	inspector_request_parts(a, PART_WAVES);
}

void inspector_resize(struct app *a)
{
	struct inspector *v = inspector_of(a);
	int columns = inspector_timeline_columns(a);
	if (!v || !v->waves.zoom || columns == v->waves.columns)
		return;
	wave_spans_resize(&v->waves, columns, v->code.cycles);
	if (v->page == INSPECTOR_TIMELINE)
		inspector_load_timeline(a);
}

void inspector_select_instruction(struct app *a, int line, uint64_t nth)
{
	struct inspector *v = inspector_get(a);
	if (line < 0 || line >= v->code.lines)
		return;
	if (line != v->line)
		wave_steps_free(&v->lanes);
	v->line = line;
	v->nth = nth;
	inspector_request_parts(a, PART_LANES);
}
