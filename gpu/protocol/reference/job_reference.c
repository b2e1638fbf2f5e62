/* Reads the reference of a job. */
#include "gpu/protocol/reference/job_reference.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/protocol/base64.h"
#include "gpu/protocol/job_record.h"
#include "gpu/protocol/record.h"

const char *reference_kind_member(enum reference_kind kind)
{
	static const char *const members[REFERENCE_KINDS] = {
#define REFERENCE_KIND(id, member) [REFERENCE_##id] = #member,
#include "gpu/protocol/reference/reference_kinds.def"
#undef REFERENCE_KIND
	};
	return members[kind];
}

/* --- the kinds --- */
static bool parse_reference_kernel(const json_t *o, const struct job *j, struct job_reference *out, struct err *e)
{
	(void)j;
	(void)out;
	return json_is_object(json_object_get(o, "kernel")) ||
		err_set(e, ST_REQUEST, "the reference of the job lacks its kernel");
}

static bool parse_indices(const json_t *list, const struct job_buffer *b, struct expected_elements *out, struct err *e)
{
	out->count = json_array_size(list);
	if (!out->count || out->count > EXPECTED_MAX)
		return err_set(e, ST_REQUEST, "%zu expected elements of %s; 1 to %d are supported", out->count, b->name,
			EXPECTED_MAX);
	out->at = xcalloc(out->count, sizeof *out->at);
	for (size_t i = 0; i < out->count; i++) {
		json_int_t at = json_integer_value(json_array_get(list, i));
		if (at < 0 || (size_t)at >= b->count || (i && (size_t)at <= out->at[i - 1]))
			return err_set(e, ST_REQUEST, "expected element %lld of %s; it has %zu elements, in order",
				(long long)at, b->name, b->count);
		out->at[i] = (size_t)at;
	}
	return true;
}

static bool parse_values(const char *text, const struct job_buffer *b, struct expected_elements *out, struct err *e)
{
	struct buf values = {0};
	if (!base64_decode(text, &values) || values.len != out->count * b->type->size) {
		buf_free(&values);
		return err_set(e, ST_REQUEST, "the expected elements of %s are damaged", b->name);
	}
	out->values = values.data;
	return true;
}

static bool parse_expected(const json_t *o, const struct job *j, struct expected_elements *out, struct err *e)
{
	const char *name = record_get_text(o, "buffer");
	out->buffer = job_find_buffer(j, name);
	if (out->buffer < 0)
		return err_set(e, ST_REQUEST, "the reference expects values of an unknown buffer '%s'", name);
	const struct job_buffer *b = &j->buffers[out->buffer];
	return parse_indices(json_object_get(o, "at"), b, out, e) &&
		parse_values(record_get_text(o, "values"), b, out, e);
}

static bool parse_reference_expect(const json_t *o, const struct job *j, struct job_reference *out, struct err *e)
{
	const json_t *list = json_object_get(o, "expect");
	out->expected = xcalloc(BUFFERS_MAX, sizeof *out->expected);
	if (json_array_size(list) > BUFFERS_MAX)
		return err_set(e, ST_REQUEST, "the reference expects values of more than %d buffers", BUFFERS_MAX);
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!parse_expected(json_array_get(list, i), j, &out->expected[out->expected_count++], e))
			return false;
	return true;
}

static bool parse_reference_c(const json_t *o, const struct job *j, struct job_reference *out, struct err *e)
{
	(void)j;
	out->file = record_get_text(o, "c");
	out->name = record_get_text(o, "entry");
	out->source = record_get_text(o, "source");
	out->defines = record_get_text(o, "defines");
	return (*out->file && *out->name) || err_set(e, ST_REQUEST, "the reference of the job lacks its C function");
}

/* --- a reference --- */
bool job_reference_parse(const json_t *v, const struct job *j, struct job_reference *out, struct err *e)
{
	static bool (*const parse[REFERENCE_KINDS])(
		const json_t *, const struct job *, struct job_reference *, struct err *) = {
#define REFERENCE_KIND(id, member) [REFERENCE_##id] = parse_reference_##member,
#include "gpu/protocol/reference/reference_kinds.def"
#undef REFERENCE_KIND
	};
	*out = (struct job_reference){.kind = REFERENCE_NONE};
	if (json_is_string(v))
		*out = (struct job_reference){.kind = REFERENCE_BUILT_IN, .name = json_string_value(v)};
	if (!json_is_object(v))
		return true;
	out->error = json_string_value(json_object_get(v, "error"));
	for (int i = 0; i < REFERENCE_KINDS; i++) {
		if (!parse[i] || !json_object_get(v, reference_kind_member(i)))
			continue;
		out->kind = i;
		return out->error || parse[i](v, j, out, e);
	}
	return err_set(e, ST_REQUEST, "the job has a reference of an unknown kind");
}

void job_reference_free(struct job_reference *r)
{
	for (int i = 0; i < r->expected_count; i++) {
		free(r->expected[i].at);
		free(r->expected[i].values);
	}
	free(r->expected);
	*r = (struct job_reference){.kind = REFERENCE_NONE};
}

/* --- a reference as a job --- */
const char *job_get_definition_file(const json_t *job)
{
	return record_get_text(json_object_get(job, "definition"), "file");
}

bool job_reference_make_job(const struct job *j, struct job *out, struct err *e)
{
	static const char *const other[] = {
		"reference", "steps", "contract", "counters", "profile", "inside", "checks"};
	static const char *const launch[] = {"kernel", "grid", "block", "dynamic_lds"};
	json_t *record = json_copy(j->record), *reference = json_object_get(j->record, "reference");
	json_t *definition = json_copy(json_object_get(record, "definition"));
	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		json_object_del(record, other[i]);
	for (size_t i = 0; i < sizeof launch / sizeof *launch; i++)
		json_object_set(record, launch[i], json_object_get(reference, launch[i]));
	if (definition) {
		json_object_set(definition, "entry_line", json_object_get(reference, "line"));
		json_object_set_new(record, "definition", definition);
	}
	return job_parse(record, out, e);
}
