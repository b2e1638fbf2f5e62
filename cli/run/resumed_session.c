#include "cli/run/resumed_session.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"
#include "cli/run/plan_parts.h"

bool resumed_session_open(struct resumed_session *r, const char *path, struct err *e)
{
	*r = (struct resumed_session){.path = path};
	r->recorder = recorder_open_existing(path, e); /* lock before loading, so that no one adds points */
	r->session = r->recorder ? session_load(path, e) : NULL;
	if (!r->session)
		return false;
	const json_t *counters = json_object_get(header_get_columns(r->session->header), "counters");
	for (size_t i = 0; i < json_array_size(counters) && i < RESUME_COUNTERS; i++)
		r->counters[i] = json_string_value(json_array_get(counters, i));
	return true;
}

void resumed_session_free(struct resumed_session *r)
{
	session_free(r->session);
	*r = (struct resumed_session){0};
}

static bool reject_param(const struct resumed_session *r, const char *param, struct err *e)
{
	return err_set(e, ST_REQUEST,
		"%s was measured with other values of %s; resume it without parameters, or record to another file",
		r->path, param);
}

static const char *swept_param_id(const json_t *sweep, size_t i)
{
	return record_get_text(json_is_array(sweep) ? json_array_get(sweep, i) : sweep, "param");
}

static bool check_same_plan(const struct resumed_session *r, struct plan *p, struct err *e)
{
	const json_t *header = r->session->header, *sweep = header_get_sweep(header), *value;
	plan_take_recorded_numbers(p, header);
	json_t *asked = plan_to_json(p);
	const char *id;
	bool ok = true;
	json_object_foreach(record_get_params(asked), id, value)
	{
		if (ok && !record_values_equal(value, json_object_get(record_get_params(header), id)))
			ok = reject_param(r, id, e);
	}
	if (ok && !record_values_equal(header_get_sweep(asked), json_is_null(sweep) ? NULL : sweep)) {
		const char *own = swept_param_id(header_get_sweep(asked), 0);
		ok = reject_param(r, *own ? own : swept_param_id(sweep, 0), e);
	}
	json_decref(asked);
	return ok;
}

/* Points of two definitions in one file would look like one measurement. */
static bool check_same_definition(const struct resumed_session *r, const struct plan *p, struct err *e)
{
	json_t *now = plan_to_json(p);
	const json_t *was = header_get_definition(r->session->header);
	bool ok = !was || record_values_equal(header_get_definition(now), was);
	json_decref(now);
	return ok ||
		err_set(e, ST_REQUEST, "the definition of %s has changed since %s was recorded; record to another file",
			p->x->id, r->path);
}

static bool counters_equal(const struct resumed_session *r, const struct plan *p)
{
	int i = 0;
	while (p->counters && p->counters[i] && r->counters[i] && !strcmp(p->counters[i], r->counters[i]))
		i++;
	return !(p->counters && p->counters[i]) && !r->counters[i];
}

/* The options need not be given again. */
static bool check_same_sampling(const struct resumed_session *r, struct plan *p, struct err *e)
{
	struct sampling was = sampling_from_header(r->session->header), none = {0};
	if (!sampling_is_same(&p->sampling, &none) && !sampling_is_same(&p->sampling, &was))
		return err_set(e, ST_REQUEST,
			"%s was measured with other samples; resume it without --flush-l2 and --stop, or record to another file",
			r->path);
	p->sampling = was;
	return true;
}

bool resumed_session_plan(struct resumed_session *r, struct plan *p, bool given, struct err *e)
{
	if (!session_check_experiment(r->session, p->x, r->path, e) || !check_same_definition(r, p, e))
		return false;
	if (!counters_equal(r, p))
		return err_set(e, ST_REQUEST,
			"%s was measured with other counters; resume it without --counters, or record to another file",
			r->path);
	if (!check_same_sampling(r, p, e))
		return false;
	if (!given)
		plan_from_header(p, r->session->header);
	else if (!check_same_plan(r, p, e))
		return false;
	if (json_is_false(json_object_get(r->session->header, "verify")))
		p->verify = false;
	return true;
}

json_t *resumed_session_note(void)
{
	char when[UTC_TEXT];
	return json_pack("{s:s, s:s, s:s}", "type", "note", "time", now_utc(when), "text",
		"resumed by wavedeck " WAVEDECK_VERSION);
}
