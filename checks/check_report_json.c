#include "checks/check_report_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/atomic_file.h"
#include "checks/check_record_fields.h"
#include "gpu/protocol/record.h"

enum { CHECK_REPORT_VERSION = 1 };

/* --- values --- */
/* A count can be larger than an integer of JSON readers. */
static json_t *json_count(uint64_t n)
{
	return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n);
}

static json_t *json_address(uint64_t address)
{
	char text[24];
	snprintf(text, sizeof text, "0x%" PRIx64, address);
	return json_string(text);
}

static json_t *json_three(const uint32_t v[3])
{
	return json_pack("[I,I,I]", (json_int_t)v[0], (json_int_t)v[1], (json_int_t)v[2]);
}

static json_t *json_text_or_null(const char *text)
{
	return text && *text ? json_utf8_string(text) : json_null();
}

static void set_text(json_t *o, const char *name, const char *text)
{
	json_object_set_new(o, name, json_text_or_null(text));
}

static json_t *list_words(const char *text)
{
	json_t *list = json_array();
	for (size_t n; *text; text += n + (text[n] == ',')) {
		for (n = 0; text[n] && text[n] != ','; n++)
			;
		json_array_append_new(list, json_stringn(text, n));
	}
	return list;
}

/* --- a place --- */
static json_t *describe_frames(const struct source_frames *f)
{
	json_t *list = json_array();
	for (size_t i = 0; i < f->count; i++) {
		json_t *o = json_object();
		set_text(o, "function", f->list[i].function);
		set_text(o, "file", f->list[i].file);
		json_object_set_new(o, "line", json_integer(f->list[i].line));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *describe_side(const struct check_access *a, const struct code_point *at, enum memory_space space)
{
	json_t *o = json_object();
	json_object_set_new(o, "frames", describe_frames(&at->frames));
	json_object_set_new(o, "offset", json_integer(a->offset));
	set_text(o, "instruction", at->instruction);
	set_text(o, "access", access_kind_name(a->access));
	json_object_set_new(
		o, "address", memory_space_has_addresses(space) ? json_address(a->address) : json_count(a->address));
	json_object_set_new(o, "bytes", json_integer(a->bytes));
	json_object_set_new(o, "workgroup", json_three(a->group));
	json_object_set_new(o, "work_item", json_three(a->item));
	json_object_set_new(o, "wave", json_integer(a->wave));
	json_object_set_new(o, "lane", json_integer(a->lane));
	json_object_set_new(o, "cycle", json_count(a->cycle));
	return o;
}

static json_t *describe_stack(const struct check_findings *r, const struct host_stack *s)
{
	json_t *list = json_array();
	for (size_t i = 0; i < s->count; i++) {
		struct source_frames lines;
		json_t *o = json_object();
		set_text(o, "module", s->list[i].module);
		json_object_set_new(o, "offset", json_count(s->list[i].offset));
		set_text(o, "symbol", s->list[i].symbol);
		host_frame_find(r->modules, &s->list[i], &lines);
		json_object_set_new(o, "frames", describe_frames(&lines));
		source_frames_free(&lines);
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *describe_allocation(const struct check_findings *r, const struct check_allocation *a)
{
	if (!a->number)
		return json_null();
	json_t *o = json_object();
	set_text(o, "how", a->how);
	set_text(o, "variable", a->variable);
	json_object_set_new(o, "number", json_count(a->number));
	json_object_set_new(o, "address", json_address(a->address));
	json_object_set_new(o, "bytes", json_count(a->bytes));
	json_object_set_new(o, "allocated", describe_stack(r, &a->allocated));
	json_object_set_new(o, "freed", describe_stack(r, &a->freed));
	return o;
}

static json_t *describe_offsets(const struct check_place *p)
{
	json_t *list = json_array();
	for (size_t i = 0; i < p->offset_count; i++)
		json_array_append_new(list, json_integer(p->offsets[i]));
	return list;
}

static json_t *describe_place(const struct check_findings *r, const struct check_place *p)
{
	const struct check_record *record = p->record;
	json_t *o = json_object();
	set_text(o, "kind", check_kind_name(record->kind));
	set_text(o, "text", check_kind_text(record->kind));
	set_text(o, "kernel", p->kernel);
	set_text(o, "symbol", record->kernel);
	json_object_set_new(o, "suppressed", json_boolean(p->suppressed));
	json_object_set_new(o, "accesses", json_count(p->count));
	json_object_set_new(o, "launches", json_count(p->launches));
	json_object_set_new(o, "first_launch", json_count(record->first_launch));
	json_object_set_new(o, "offsets", describe_offsets(p));
	set_text(o, "point", record->point);
	set_text(o, "buffer", record->buffer);
	set_text(o, "memory", memory_space_name(record->space));
	json_object_set_new(o, "start", json_address(record->start));
	json_object_set_new(o, "room", json_count(record->room));
	json_object_set_new(o, "at", describe_side(&record->at, &p->at, record->space));
	json_object_set_new(
		o, "other", record->has_other ? describe_side(&record->other, &p->other, record->space) : json_null());
	json_object_set_new(o, "allocation", describe_allocation(r, &record->allocation));
	json_object_set_new(o, "read", record->read.count ? describe_stack(r, &record->read) : json_null());
	return o;
}

/* --- the document --- */
static json_t *describe_program(const struct check_findings *r)
{
	json_t *list = json_array();
	for (char **word = r->program; *word; word++)
		json_array_append_new(list, json_utf8_string(*word));
	return list;
}

static json_t *describe_report(const struct check_findings *r)
{
	json_t *o = json_object(), *places = json_array();
	uint64_t accesses = 0;
	for (size_t i = 0; i < r->places->count; i++) {
		const struct check_place *p = &r->places->list[i];
		json_array_append_new(places, describe_place(r, p));
		accesses = p->suppressed ? accesses : count_add(accesses, p->count);
	}
	set_text(o, "format", "wavedeck-check");
	json_object_set_new(o, "version", json_integer(CHECK_REPORT_VERSION));
	json_object_set_new(o, "program", describe_program(r));
	json_object_set_new(o, "status", json_integer(r->status));
	json_object_set_new(o, "checks", list_words(r->checks));
	json_object_set_new(o, "launches", json_count(r->journals->launches));
	json_object_set_new(o, "processes", json_count(r->journals->processes));
	json_object_set_new(o, "left_out", json_count(r->journals->left_out));
	json_object_set_new(o, "damaged_lines", json_count(r->journals->damaged));
	json_object_set_new(o, "accesses", json_count(accesses));
	json_object_set_new(o, "suppressed", json_count(check_places_count_suppressed(r->places)));
	json_object_set_new(o, "places", places);
	return o;
}

static void print_document(FILE *out, const void *ctx)
{
	json_dumpf(ctx, out, JSON_INDENT(2) | JSON_ENSURE_ASCII);
	fputc('\n', out);
}

bool check_report_write_json(const struct check_findings *r, const char *path, struct err *e)
{
	json_t *o = describe_report(r);
	bool ok = file_write_atomic(path, print_document, o, "; name another file with --check-json", e);
	json_decref(o);
	return ok;
}
