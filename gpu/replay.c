#include "gpu/replay.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/record.h"

struct replay { json_t *header, *points; };

/* A torn or foreign line is left out: what can be read can be replayed. */
static void take_line(struct replay *r, const char *line, size_t n)
{
	json_t *o = json_loadb(line, n, 0, NULL);
	if (!strcmp(record_type(o), "session") && !r->header)
		r->header = json_incref(o);
	else if (!strcmp(record_type(o), "point"))
		json_array_append(r->points, o);
	json_decref(o);
}

struct replay *replay_open(const char *path, struct err *e)
{
	FILE *in = fopen(path, "re");
	if (!in) {
		err_set(e, ST_REQUEST, "cannot read the session %s: %s", path, strerror(errno));
		return NULL;
	}
	struct replay *r = xcalloc(1, sizeof *r);
	char *line = NULL;
	size_t room = 0;
	r->points = json_array();
	for (ssize_t n; (n = getline(&line, &room, in)) > 0;)
		take_line(r, line, (size_t)n);
	free(line);
	fclose(in);
	if (r->header)
		return r;
	err_set(e, ST_REQUEST, "%s holds no recorded session; make one with: wavedeck run EXP --record FILE", path);
	replay_close(r);
	return NULL;
}

void replay_close(struct replay *r)
{
	json_decref(r->header);
	json_decref(r->points);
	free(r);
}

json_t *replay_device(const struct replay *r, const char *device)
{
	const json_t *recorded = json_object_get(r->header, "device");
	json_t *o = json_is_object(recorded) ? json_deep_copy(recorded) : json_object();
	json_object_set_new(o, "type", json_string("device"));
	json_object_set_new(o, "device", json_string(device));
	json_object_set_new(o, "kind", json_string("replay"));
	json_object_set_new(o, "deterministic", json_true());
	return o;
}

static bool same_value(const json_t *a, const json_t *b)
{
	if (json_is_number(a) && json_is_number(b))
		return json_number_value(a) == json_number_value(b); /* 4096 and 4096.0 */
	return json_equal(a, b);
}

static bool same_params(const json_t *a, const json_t *b)
{
	const char *key;
	json_t *value;
	if (json_object_size(a) != json_object_size(b))
		return false;
	json_object_foreach((json_t *)a, key, value)
		if (!same_value(value, json_object_get(b, key)))
			return false;
	return true;
}

bool replay_knows(const struct replay *r, const char *experiment, struct err *e)
{
	const char *recorded = record_text(r->header, "experiment");
	bool known = !strcmp(recorded, experiment);
	for (size_t i = 0; !known && i < json_array_size(r->points); i++) {
		const char *of_point = record_text(json_array_get(r->points, i), "experiment");
		known = !strcmp(of_point, experiment);
		if (!*recorded)
			recorded = of_point;
	}
	return known || err_set(e, ST_REQUEST, "the recording is of %s, not of %s; run %s with it", recorded, experiment, recorded);
}

/* The last one wins: a point measured again was measured again for a reason. */
static const json_t *find_point(const struct replay *r, const json_t *job)
{
	for (size_t i = json_array_size(r->points); i-- > 0;) {
		const json_t *p = json_array_get(r->points, i);
		if (!strcmp(record_text(p, "experiment"), record_text(job, "experiment")) &&
		    same_params(json_object_get(p, "params"), json_object_get(job, "params")))
			return p;
	}
	return NULL;
}

json_t *replay_point(const struct replay *r, const json_t *job)
{
	const json_t *found = find_point(r, job);
	json_t *o = found ? json_deep_copy(found)
	                  : json_pack("{s:s,s:s,s:O*,s:s,s:s}", "type", "point", "experiment", record_text(job, "experiment"), "params",
	                              json_object_get(job, "params"), "status", "failed", "error", "the recording has no point with these parameters");
	json_object_set(o, "job", json_object_get(job, "job"));
	json_object_set(o, "point", json_object_get(job, "point"));
	json_object_del(o, "metrics"); /* the front end's addition; it will add them again */
	return o;
}
