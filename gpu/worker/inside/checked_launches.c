#include "gpu/worker/inside/checked_launches.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/protocol/record.h"
#include "gpu/softgpu-link/softprobe.h"
#include "kernels/inspect/debug_lines.h"

/* The kernel's code. */
struct listing {
	struct debug_lines *lines; /* NULL: it has no line tables */
	struct kernel_line *list;  /* owned */
	size_t count;
	uint64_t code_va;
};

bool checked_launches_begin(const struct job *j, struct err *e)
{
	return !*j->checks || softprobe_request_checks(j->checks, e);
}

void checked_launches_end(const struct job *j)
{
	struct err unused;
	if (*j->checks)
		softprobe_request_checks("", &unused);
}

/* --- what a place is about --- */
static json_t *list_frames(const struct listing *l, uint64_t va)
{
	struct source_frames f;
	json_t *list = json_array();
	debug_lines_find(l->lines, va, &f);
	for (size_t i = 0; i < f.count; i++)
		json_array_append_new(list,
			json_pack("{s:s*,s:s,s:i}", "function", f.list[i].function, "file", f.list[i].file, "line",
				f.list[i].line));
	source_frames_free(&f);
	return list;
}

static void add_source(const struct listing *l, json_t *side)
{
	const json_t *offset = json_object_get(side, "offset");
	uint64_t va = l->code_va + (uint64_t)json_integer_value(offset);
	if (!side)
		return;
	json_object_set_new(side, "frames", list_frames(l, va));
	for (size_t i = 0; i < l->count; i++)
		if (l->list[i].va == va)
			json_object_set_new(side, "instruction", json_string(l->list[i].text));
}

static void add_buffer_name(const struct buffers *b, json_t *place)
{
	json_int_t start = json_integer_value(json_object_get(place, "start"));
	for (int i = 0; start && i < b->job->buffer_count; i++)
		if ((json_int_t)(uintptr_t)b->in_kernel[i] == start)
			json_object_set_new(place, "buffer", json_utf8_string(b->job->buffers[i].name));
}

static struct listing list_code(const struct loaded_kernel *k)
{
	size_t from, to;
	struct listing l = {.code_va = k->info.code_va};
	if (!k->object)
		return l;
	l.lines = debug_lines_from_object(k->object);
	l.list = code_object_disassemble(k->object, &k->info, &l.count, &from, &to, NULL);
	return l;
}

json_t *checked_launches_record(const struct job *j, const struct buffers *b, const struct loaded_kernel *k)
{
	json_t *found = *j->checks ? softprobe_check_reports() : NULL, *places = json_object_get(found, "places");
	if (!found)
		return NULL;
	struct listing l = json_array_size(places) ? list_code(k) : (struct listing){0};
	for (size_t i = 0; i < json_array_size(places); i++) {
		json_t *place = json_array_get(places, i);
		add_source(&l, json_object_get(place, "at"));
		add_source(&l, json_object_get(place, "other"));
		if (b->job)
			add_buffer_name(b, place);
	}
	json_object_set_new(found, "checks", json_string(j->checks));
	json_object_set_new(found, "kernel", json_utf8_string(k->info.name ? k->info.name : ""));
	debug_lines_close(l.lines);
	free(l.list);
	return found;
}
