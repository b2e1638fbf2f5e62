/* The backend "replay:FILE": a recorded session answers jobs with its points. */
#include "gpu/backends/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/input_file.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

/* by_params: the line of the last point with these parameters, by their text. If a point was measured twice, the later
 * one counts. A parsed record would take ten times the bytes of its line. */
struct replay {
	json_t *header, *by_params;
	json_t *experiments; /* of the points, in their order: name: parameters of the first point */
	json_t *codes;       /* by hash (point_record.h) */
};

/* Whether the experiment gained this parameter after it was recorded, and the job has its default value. */
static bool is_later_default(const struct replay *r, const json_t *record, const char *name, const json_t *value)
{
	const json_t *recorded = json_object_get(r->experiments, record_get_experiment(record));
	return recorded && !json_object_get(recorded, name) &&
		json_equal(json_object_get(json_object_get(record, "defaults"), name), value);
}

/* The experiment and its parameters as text: names sorted, all numbers as reals (4096 equals 4096.0). */
static char *point_key(const struct replay *r, const json_t *record)
{
	json_t *params = record_get_params(record), *sorted = json_object(), *value;
	const char *name;
	json_object_foreach(params, name, value) if (!is_later_default(r, record, name, value)) json_object_set_new(
		sorted, name, json_is_number(value) ? json_real(json_number_value(value)) : json_incref(value));
	char *text = json_dumps(sorted, JSON_SORT_KEYS | JSON_COMPACT);
	char *key = xasprintf("%s %s", record_get_experiment(record), text ? text : "");
	json_decref(sorted);
	free(text);
	return key;
}

static void add_recorded_point(struct replay *r, const json_t *point, const char *line, size_t n)
{
	const char *experiment = record_get_experiment(point);
	json_t *params = record_get_params(point);
	char *key = point_key(r, point);
	if (!json_object_get(r->experiments, experiment))
		json_object_set_new(
			r->experiments, experiment, json_is_object(params) ? json_incref(params) : json_object());
	json_object_set_new(r->by_params, key, json_stringn_nocheck(line, n));
	free(key);
}

/* Skips a damaged or unknown line: what is readable can be replayed. */
static void add_recorded_line(struct replay *r, const char *line, size_t n)
{
	json_t *o = json_loadb(line, n, 0, NULL);
	if (!strcmp(record_get_type(o), "session") && !r->header)
		r->header = json_incref(o);
	else if (!strcmp(record_get_type(o), "point"))
		add_recorded_point(r, o, line, n);
	else if (!strcmp(record_get_type(o), "code"))
		code_record_note(r->codes, o);
	json_decref(o);
}

struct replay *replay_open(const char *path, struct err *e)
{
	const char *why;
	int fd = input_stream_open(path, &why);
	if (fd < 0) {
		err_set(e, ST_REQUEST, "cannot read the session %s: %s", path, why);
		return NULL;
	}
	struct replay *r = xcalloc(1, sizeof *r);
	struct line_reader *lines = line_reader_new(fd, RECORD_LINE_MAX);
	struct text_line line;
	r->experiments = json_object();
	r->by_params = json_object();
	r->codes = json_object();
	while (line_reader_next(lines, &line))
		if (!line.too_long)
			add_recorded_line(r, line.text, line.length);
	line_reader_free(lines);
	if (r->header && header_check_schema(header_get_schema(r->header), path, e))
		return r;
	if (!r->header)
		err_set(e, ST_REQUEST, "%s is not a recorded session; record one with: wavedeck run EXP --record FILE",
			path);
	replay_close(r);
	return NULL;
}

void replay_close(struct replay *r)
{
	json_decref(r->header);
	json_decref(r->experiments);
	json_decref(r->by_params);
	json_decref(r->codes);
	free(r);
}

json_t *replay_device_record(const struct replay *r)
{
	const json_t *recorded = header_get_device(r->header);
	json_t *device = json_is_object(recorded) ? json_deep_copy(recorded) : json_object();
	if (*device_get_id(recorded)) /* the worker replaces it by replay:FILE */
		json_object_set_new(device, "recorded", json_string(device_get_id(recorded)));
	return device;
}

bool replay_has_experiment(const struct replay *r, const char *experiment, struct err *e)
{
	const char *recorded = record_get_experiment(r->header);
	const char *of_point;
	json_t *unused;
	json_object_foreach(r->experiments, of_point, unused) recorded = *recorded ? recorded : of_point;
	return !strcmp(record_get_experiment(r->header), experiment) || json_object_get(r->experiments, experiment) ||
		err_set(e, ST_REQUEST, "the recording is of %s, not %s; run %s on it", recorded, experiment, recorded);
}

json_t *replay_point_record(const struct replay *r, const json_t *job)
{
	char *key = point_key(r, job);
	const json_t *line = json_object_get(r->by_params, key);
	free(key);
	json_t *o = line ? json_loadb(json_string_value(line), json_string_length(line), 0, NULL)
			 : json_pack("{s:s,s:s,s:O*,s:s,s:s}", "type", "point", "experiment",
				   record_get_experiment(job), "params", record_get_params(job), "status", "failed",
				   "error", "the recording has no point with these parameters");
	point_resolve_code(o, r->codes);
	json_object_set(o, "job", json_object_get(job, "job"));
	json_object_set(o, "point", json_object_get(job, "point"));
	json_object_set(o, "params", record_get_params(job)); /* with those that were added since */
	json_object_del(o, "metrics");                        /* computed by the front end, which computes them again */
	return o;
}

/* --- the backend --- */
static bool open_recording(const char *rest, struct opened_device *out, struct err *e)
{
	struct replay *r = replay_open(rest, e);
	out->handle = r;
	out->record = r ? replay_device_record(r) : NULL;
	return r != NULL;
}

static json_t *answer_from_recording(void *handle, const json_t *job, struct err *e)
{
	return replay_has_experiment(handle, record_get_experiment(job), e) ? replay_point_record(handle, job) : NULL;
}

const struct backend backend_replay = {
	.prefix = "replay",
	.form = "replay:FILE",
	.capabilities = DEVICE_RECORDING | DEVICE_DETERMINISTIC,
	.clock_advice = "a recording has the clocks that it was measured with; remove --lock-clocks",
	.open = open_recording,
	.answer = answer_from_recording,
};
