#include "sessions/record/code_writer.h"

#include <string.h>

#include "gpu/protocol/header_record.h"

struct code_writer code_writer_make(const json_t *header)
{
	return (struct code_writer){.keep = header_get_schema(header) < SCHEMA_WITH_CODE_RECORDS};
}

/* Most points have the code of the point before: comparing it takes less time than its hash. */
static void hash_code(struct code_writer *w, json_t *code)
{
	if (w->last && json_equal(w->last, code))
		return;
	json_decref(w->last);
	w->last = json_incref(code);
	code_format_hash(code, w->hash);
}

/* Whether the code must be written before that point. */
static bool note_written(struct code_writer *w, size_t at)
{
	const json_t *before = json_object_get(w->written, w->hash);
	if (before && at < (size_t)json_integer_value(before) + CODE_REPEAT)
		return false;
	if (!w->written)
		w->written = json_object();
	json_object_set_new(w->written, w->hash, json_integer((json_int_t)at));
	return true;
}

json_t *code_writer_refer(struct code_writer *w, json_t *point, size_t at)
{
	json_t *code = point_get_code(point), *record = NULL;
	if (w->keep || !json_is_object(code))
		return NULL;
	hash_code(w, code);
	if (note_written(w, at))
		record = code_record_build(w->hash, code);
	json_object_set_new(point, "code", json_string(w->hash));
	return record;
}

void code_writer_free(struct code_writer *w)
{
	json_decref(w->last);
	json_decref(w->written);
	*w = (struct code_writer){0};
}
