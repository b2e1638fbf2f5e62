/* The session that a run resumes or records. */
#include <string.h>

#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"
#include "sessions/join/session_join.h"
#include "cli/run/run_state.h"

/* --- a session that is resumed --- */

/* The devices of a session, for a request that names none. */
static void take_session_devices(struct request *q, const json_t *header)
{
	const json_t *shared = json_object_get(header, "devices");
	q->named[0] = device_get_id(header_get_device(header));
	for (size_t i = 0; i < json_array_size(shared) && i < OPTION_REPEATS; i++)
		q->named[i] = json_string_value(json_array_get(shared, i));
}

bool run_open_resumed_session(struct run *r, struct request *q, struct err *e)
{
	if (!q->resume)
		return true;
	if (q->record)
		return err_set(
			e, ST_REQUEST, "--record starts a session and --resume continues one; use only one of them");
	bool ok = resumed_session_open(&r->old, q->resume, e);
	r->recorder = r->old.recorder;
	if (!ok)
		return false;
	const json_t *header = r->old.session->header;
	if (!q->experiment)
		q->experiment = record_get_experiment(header);
	if (!q->named[0])
		take_session_devices(q, header);
	return true;
}

static bool check_same_device(const struct run *r, struct err *e)
{
	const char *was = device_get_id(header_get_device(r->old.session->header));
	for (int i = 0; i < r->ask->devices.count; i++)
		if (!strcmp(was, r->ask->devices.names[i]))
			return true;
	return err_set(e, ST_REQUEST, "%s was measured on %s, not on %s; add --device %s or record to another file",
		r->ask->resume, was, r->ask->device, was);
}

bool run_choose_devices(const struct run *r, struct request *q, struct err *e)
{
	if (!device_choice_make(&q->devices, q->named, false, e))
		return false;
	q->device = q->devices.names[0];
	return !r->old.session || check_same_device(r, e);
}

/* New points must be of the same kernels. */
static void take_resumed_point(struct run *r, int i, size_t at)
{
	char ignored[200];
	kernel_agreement_add(&r->kernels, point_list_get(&r->old.session->points, at), ignored, sizeof ignored);
	point_list_copy(&r->points, (size_t)i, &r->old.session->points, at);
}

void run_load_resumed_points(struct run *r)
{
	double values[PARAMS_MAX];
	size_t at;
	struct measured_points old;
	if (!r->old.session)
		return;
	r->kernels.advice = "restore it to go on, or record to another file";
	measured_points_make(&old, r->old.session, r->x);
	for (int i = 0; i < r->count; i++) {
		plan_point_values(&r->plan, i, values);
		r->resumed[i] = measured_points_find(&old, values, &at);
		if (r->resumed[i])
			take_resumed_point(r, i, at);
		r->done += r->resumed[i];
		r->measured = r->measured || r->resumed[i];
	}
	measured_points_free(&old);
}

/* --- what is written --- */

void run_record_point(struct run *r, const json_t *record)
{
	struct err e = {0};
	if (r->recorder && !recorder_write_record(r->recorder, record, &e)) {
		command_print_error(e.text);
		r->status = ST_FAILED;
	}
}

/* The header names the device of the worker that was the first. */
static void note_shared_devices(struct run *r)
{
	const struct device_choice *c = &r->ask->devices;
	if (c->count < 2)
		return;
	json_t *list = json_array();
	for (int i = 0; i < c->count; i++)
		json_array_append_new(list, json_utf8_string(c->names[i]));
	json_object_set_new(r->header, "devices", list);
}

static void make_session_header(struct run *r)
{
	r->header = r->old.session ? json_incref(r->old.session->header)
				   : plan_build_header(&r->plan, worker_pool_device_record(r->workers));
	if (!r->old.session)
		note_shared_devices(r);
	if (r->ask->chunk)
		json_object_set(r->header, "batch", (json_t *)r->ask->chunk->origin);
}

/* The device of a session that goes on, as it is now: the constants of a model may have changed, and the rules of the
 * software GPU. */
static bool check_resumed_device(const struct run *r, struct err *e)
{
	json_t *now = plan_build_header(&r->plan, worker_pool_device_record(r->workers));
	const char *differs = r->old.session ? session_find_device_difference(r->old.session->header, now) : NULL;
	json_decref(now);
	return !differs ||
		err_set(e, ST_REQUEST, "%s was measured on another device: '%s' differs; record to another file",
			r->ask->resume, differs);
}

bool run_start_recording(struct run *r, struct err *e)
{
	if (!check_resumed_device(r, e))
		return false;
	make_session_header(r);
	if (r->ask->record)
		r->recorder = recorder_open(r->ask->record, r->header, e);
	if (r->old.session) {
		json_t *note = resumed_session_note();
		recorder_continue_session(r->recorder, r->old.session);
		run_record_point(r, note);
		json_decref(note);
	}
	return r->recorder || !r->ask->record;
}
