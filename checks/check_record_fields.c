#include "checks/check_record_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernels/inspect/readable_name.h"

enum { TEXT_BYTES_MAX = 64 << 10, STACK_FRAMES_MAX = 64 };

static const char *const access_names[] = {"", "read", "write", "atomic", NULL};
static const char *const space_names[] = {"global", "lds", "scratch", "arguments", NULL};

const char *access_kind_name(enum access_kind a)
{
	return access_names[a];
}

const char *memory_space_name(enum memory_space s)
{
	return space_names[s];
}

bool memory_space_has_addresses(enum memory_space s)
{
	return s == MEMORY_GLOBAL || s == MEMORY_ARGUMENTS;
}

uint64_t count_add(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/* --- fields --- */
bool check_field_read_count(const json_t *line, const char *name, uint64_t *out)
{
	json_t *v = json_object_get(line, name);
	*out = json_is_integer(v) && json_integer_value(v) >= 0 ? (uint64_t)json_integer_value(v) : 0;
	return json_is_integer(v) && json_integer_value(v) >= 0;
}

static bool read_small_count(const json_t *line, const char *name, uint32_t *out)
{
	uint64_t n;
	bool ok = check_field_read_count(line, name, &n) && n <= UINT32_MAX;
	*out = (uint32_t)n;
	return ok;
}

/* An address is any number, written as a signed one. */
static bool read_signed(const json_t *line, const char *name, int64_t *out)
{
	json_t *v = json_object_get(line, name);
	*out = json_integer_value(v);
	return json_is_integer(v);
}

static bool read_address(const json_t *line, const char *name, uint64_t *out)
{
	int64_t v;
	bool ok = read_signed(line, name, &v);
	*out = (uint64_t)v;
	return ok;
}

static bool read_three(const json_t *line, const char *name, uint32_t out[3])
{
	json_t *list = json_object_get(line, name);
	for (size_t i = 0; i < 3; i++) {
		json_t *v = json_array_get(list, i);
		if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > UINT32_MAX)
			return false;
		out[i] = (uint32_t)json_integer_value(v);
	}
	return json_array_size(list) == 3;
}

/* Index of the text in a list. */
static bool read_word(const json_t *line, const char *name, const char *const *words, unsigned *out)
{
	const char *text = json_string_value(json_object_get(line, name));
	int i = text ? name_list_index(text, words) : -1;
	*out = i < 0 ? 0 : (unsigned)i;
	return i >= 0;
}

/* The caller owns it; NULL if it is not a text, or an endless one. */
static char *copy_text(const json_t *line, const char *name)
{
	const json_t *v = json_object_get(line, name);
	return json_is_string(v) && json_string_length(v) <= TEXT_BYTES_MAX ? xstrdup(json_string_value(v)) : NULL;
}

/* --- parts of a line --- */
static bool read_access(const json_t *o, struct check_access *a)
{
	unsigned access;
	bool ok = json_is_object(o) && read_signed(o, "offset", &a->offset) &&
		read_address(o, "address", &a->address) && read_small_count(o, "bytes", &a->bytes) &&
		read_word(o, "access", access_names, &access) && read_three(o, "group", a->group) &&
		read_three(o, "item", a->item) && read_small_count(o, "wave", &a->wave) &&
		read_small_count(o, "lane", &a->lane) && check_field_read_count(o, "cycle", &a->cycle);
	uint64_t launch_wave;
	a->launch_wave = check_field_read_count(o, "launch_wave", &launch_wave) ? (int64_t)launch_wave : -1;
	if (ok)
		a->access = (enum access_kind)access;
	return ok;
}

static bool read_stack(const json_t *list, struct host_stack *out)
{
	size_t count = json_array_size(list);
	if (!list || !json_is_array(list))
		return !list;
	count = count < STACK_FRAMES_MAX ? count : STACK_FRAMES_MAX;
	out->list = xcalloc(count + 1, sizeof *out->list);
	for (; out->count < count; out->count++) {
		const json_t *o = json_array_get(list, out->count);
		struct host_frame f = {.module = copy_text(o, "module"), .symbol = copy_text(o, "symbol")};
		bool ok = f.module && check_field_read_count(o, "offset", &f.offset);
		f.symbol = f.symbol ? f.symbol : xstrdup("");
		out->list[out->count] = f;
		if (!ok) {
			out->count++;
			return false;
		}
	}
	return true;
}

static bool read_allocation(const json_t *o, struct check_allocation *a)
{
	if (!o)
		return true;
	char *variable = copy_text(o, "variable");
	a->variable = variable ? kernel_readable_name(variable) : NULL;
	free(variable);
	return json_is_object(o) && check_field_read_count(o, "number", &a->number) && a->number &&
		read_address(o, "address", &a->address) && check_field_read_count(o, "bytes", &a->bytes) &&
		(a->how = copy_text(o, "how")) && read_stack(json_object_get(o, "allocated"), &a->allocated) &&
		read_stack(json_object_get(o, "freed"), &a->freed);
}

/* As many as the launch uses; all where that is unknown. */
static int count_axes(const json_t *line)
{
	uint32_t grid[3], group[3];
	int axes = 3;
	if (read_three(line, "grid", grid) && read_three(line, "workgroup", group))
		while (axes > 1 && grid[axes - 1] <= 1 && group[axes - 1] <= 1)
			axes--;
	return axes;
}

/* A file in the folder of the journals, and no other. */
static bool is_code_name(const char *name)
{
	size_t digits = strspn(name, "0123456789abcdef");
	return !*name || (digits && !strcmp(name + digits, ".co"));
}

static bool read_place(const json_t *line, struct check_record *r)
{
	const char *kind = json_string_value(json_object_get(line, "kind"));
	const json_t *other = json_object_get(line, "other");
	unsigned space;
	r->has_other = other;
	r->launches = 1;
	r->axes = count_axes(line);
	if (!kind || !check_kind_find(kind, strlen(kind), &r->kind) ||
		!check_field_read_count(line, "count", &r->count) ||
		!check_field_read_count(line, "launch", &r->first_launch) || !(r->kernel = copy_text(line, "kernel")) ||
		!(r->code = copy_text(line, "code")) || !is_code_name(r->code) ||
		!read_word(line, "space", space_names, &space) || !read_address(line, "start", &r->start) ||
		!check_field_read_count(line, "room", &r->room))
		return false;
	r->space = (enum memory_space)space;
	r->last_launch = r->first_launch;
	return read_access(json_object_get(line, "at"), &r->at) && (!other || read_access(other, &r->other)) &&
		read_allocation(json_object_get(line, "allocation"), &r->allocation) &&
		read_stack(json_object_get(line, "read"), &r->read);
}

/* --- the record --- */
static void clear_stack(struct host_stack *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->list[i].module);
		free(s->list[i].symbol);
	}
	free(s->list);
}

void check_record_clear(struct check_record *r)
{
	free(r->kernel);
	free(r->code);
	free(r->allocation.how);
	free(r->point);
	free(r->buffer);
	source_frames_free(&r->at_code.frames);
	source_frames_free(&r->other_code.frames);
	free(r->allocation.variable);
	clear_stack(&r->allocation.allocated);
	clear_stack(&r->allocation.freed);
	clear_stack(&r->read);
	*r = (struct check_record){0};
}

bool check_record_read(const json_t *line, struct check_record *out)
{
	*out = (struct check_record){0};
	bool ok = read_place(line, out);
	if (!ok)
		check_record_clear(out);
	return ok;
}

/* --- a point of an experiment: its worker knows the code --- */
/* A prebuilt kernel's files begin with the folder of the kernels, where `folder` ends with it. Its part of `file`. */
static size_t count_folder_bytes(const char *folder, size_t length, const char *file)
{
	size_t n = strcspn(file, "/");
	bool same = file[n] && n < length && folder[length - n - 1] == '/' && !strncmp(folder + length - n, file, n);
	return same ? n + 1 : 0;
}

/* A relative file lies in the folder of the kernel's source. */
static char *find_source_file(char *file, const char *source)
{
	const char *end = source && file && *file != '/' ? strrchr(source, '/') : NULL, *rest = file;
	if (!end)
		return file;
	while (!strncmp(rest, "./", 2))
		rest += 2;
	rest += count_folder_bytes(source, (size_t)(end - source), rest);
	char *path = xasprintf("%.*s/%s", (int)(end - source), source, rest);
	free(file);
	return path;
}

static void read_code_point(const json_t *side, const char *source, struct code_point *out)
{
	const json_t *list = json_object_get(side, "frames");
	for (size_t i = 0; i < json_array_size(list) && i < SOURCE_FRAMES_MAX; i++) {
		const json_t *o = json_array_get(list, i);
		struct source_frame f = {copy_text(o, "function"), find_source_file(copy_text(o, "file"), source),
			(int)json_integer_value(json_object_get(o, "line"))};
		out->frames.list[out->frames.count++] = f;
		if (!f.file || f.line < 1) {
			source_frames_free(&out->frames);
			break;
		}
	}
	const char *text = json_string_value(json_object_get(side, "instruction"));
	snprintf(out->instruction, sizeof out->instruction, "%s", text ? text : "");
}

bool check_record_read_of_point(const json_t *place, const struct checked_point *point, struct check_record *out)
{
	if (!check_record_read(place, out))
		return false;
	char *buffer = copy_text(place, "buffer");
	out->buffer = buffer ? buffer : xstrdup("");
	out->point = xstrdup(point->name);
	out->point_number = point->number;
	read_code_point(json_object_get(place, "at"), point->source, &out->at_code);
	read_code_point(json_object_get(place, "other"), point->source, &out->other_code);
	return true;
}
