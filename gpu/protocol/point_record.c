#include "gpu/protocol/point_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

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

json_t *point_get_code(const json_t *point)
{
	return json_object_get(point, "code");
}

json_t *point_get_found(const json_t *point)
{
	return json_object_get(point, "found");
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

char *point_format_clocks(const json_t *point, char *out, size_t size)
{
	const json_t *limits = json_object_get(point, "clock_limits");
	json_int_t others = json_integer_value(json_object_get(point, "other_processes"));
	size_t count = json_array_size(limits), used = 0;
	if (others > 0) {
		snprintf(out, size, "%" JSON_INTEGER_FORMAT " other process%s had the GPU open", others,
			others == 1 ? "" : "es");
		return out;
	}
	snprintf(out, size, count ? "clock limited by " : "clock moved by more than 2 %%");
	for (size_t i = 0; i < count && (used = strlen(out)) < size; i++)
		snprintf(out + used, size - used, "%s%s", i ? " and " : "",
			json_is_string(json_array_get(limits, i)) ? json_string_value(json_array_get(limits, i)) : "?");
	return out;
}

const char *record_get_hash(const json_t *record)
{
	return record_get_text(record, "hash");
}

bool point_is_ok(const json_t *point)
{
	return !strcmp(point_get_status(point), "ok");
}

/* --- records "code" --- */

char *code_format_hash(const json_t *code, char out[CODE_HASH_TEXT])
{
	char *text = json_dumps(code, JSON_COMPACT);
	snprintf(out, CODE_HASH_TEXT, "%016" PRIx64, hash_text(HASH_START, text ? text : ""));
	free(text);
	return out;
}

json_t *code_record_build(const char *hash, json_t *code)
{
	return json_pack("{s:s, s:s, s:O}", "type", "code", "hash", hash, "code", code);
}

void code_record_note(json_t *table, const json_t *record)
{
	const char *hash = record_get_hash(record);
	json_t *code = point_get_code(record);
	if (*hash && json_is_object(code))
		json_object_set(table, hash, code);
}

void point_resolve_code(json_t *point, const json_t *table)
{
	const char *hash = json_string_value(point_get_code(point));
	json_t *code = hash ? json_object_get(table, hash) : NULL;
	if (code)
		json_object_set(point, "code", code);
	else if (hash)
		json_object_del(point, "code");
}
