#include "gpu/protocol/point_record.h"

#include <string.h>

json_t *record_get_params(const json_t *record)
{
	return json_object_get(record, "params");
}

const char *record_get_experiment(const json_t *record)
{
	return record_get_text(record, "experiment");
}

json_int_t record_get_job(const json_t *record)
{
	return record_get_integer(record, "job");
}

json_int_t record_get_point(const json_t *record)
{
	return record_get_integer(record, "point");
}

json_t *record_get_inside(const json_t *record)
{
	return json_object_get(record, "inside");
}

const char *point_get_status(const json_t *point)
{
	return record_get_text(point, "status");
}

const char *point_get_error(const json_t *point)
{
	return record_get_text(point, "error");
}

json_t *point_get_samples(const json_t *point)
{
	return json_object_get(point, "seconds");
}

json_t *point_get_metrics(const json_t *point)
{
	return json_object_get(point, "metrics");
}

json_t *point_get_counters(const json_t *point)
{
	return json_object_get(point, "counters");
}

json_t *point_get_profile(const json_t *point)
{
	return json_object_get(point, "profile");
}

json_t *point_get_measured(const json_t *point)
{
	return json_object_get(point, "measures");
}

const char *point_get_verify(const json_t *point)
{
	return record_get_text(point, "verify");
}

const char *point_get_verify_text(const json_t *point)
{
	return record_get_text(point, "verify_text");
}

const char *point_get_contract(const json_t *point)
{
	return record_get_text(point, "contract");
}

const char *point_get_contract_text(const json_t *point)
{
	return record_get_text(point, "contract_text");
}

const char *point_get_compiler_text(const json_t *point)
{
	return record_get_text(point, "compiler_text");
}

const char *point_get_verdict(const json_t *point)
{
	return record_get_text(point, "verdict");
}

const char *point_get_metric_error(const json_t *point)
{
	return record_get_text(point, "metric_error");
}

bool point_has_moved_clocks(const json_t *point)
{
	return json_is_true(json_object_get(point, "clocks_moved"));
}

bool point_is_ok(const json_t *point)
{
	return !strcmp(point_get_status(point), "ok");
}
