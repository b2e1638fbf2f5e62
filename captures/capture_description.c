#include "captures/capture_description.h"

#include <stdint.h>
#include <string.h>

#include "captures/capture_layout.h"
#include "gpu/protocol/record.h"

enum { TEXT_MAX = 4096 /* as in struct softgpu_captured */ };

/* How a member of a launch must be. Returns whether it is; NULL: it is missing. */
static bool is_text(const json_t *v)
{
	return json_is_string(v) && json_string_length(v) < TEXT_MAX;
}

static bool is_name(const json_t *v)
{
	return is_text(v) && json_string_length(v);
}

/* As definitions have them. */
static bool is_symbol(const json_t *v)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$";
	return is_name(v) && strspn(json_string_value(v), plain) == json_string_length(v);
}

/* A path in the folder of this name. */
static bool is_path_in(const char *folder, const char *path)
{
	size_t n = strlen(folder);
	return !strncmp(path, folder, n) && path[n] == '/' && is_capture_path(path);
}

static bool is_launch_file(const json_t *v)
{
	return is_text(v) && is_path_in("launches", json_string_value(v));
}

static bool is_code_file(const json_t *v)
{
	const char *name = json_string_value(v);
	return is_text(v) && (!*name || is_capture_file_name(name, ".co"));
}

static bool is_source_file(const json_t *v)
{
	return !v || (is_text(v) && is_path_in("sources", json_string_value(v)));
}

/* "mi25,l1_bytes=65536": it is part of a device's name. */
static bool is_model(const json_t *v)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789_=,";
	return is_name(v) && strspn(json_string_value(v), plain) == json_string_length(v);
}

static bool is_count(const json_t *v)
{
	return json_is_integer(v) && json_integer_value(v) >= 0;
}

static bool is_time(const json_t *v)
{
	return json_is_number(v) && json_number_value(v) >= 0 && json_number_value(v) < 1e9;
}

static bool is_shape(const json_t *v)
{
	bool ok = json_array_size(v) == 3;
	for (size_t i = 0; ok && i < 3; i++) {
		const json_t *size = json_array_get(v, i);
		ok = is_count(size) && json_integer_value(size) <= UINT32_MAX;
	}
	return ok;
}

static const struct {
	const char *name;
	bool (*fits)(const json_t *value);
} members[] = {
	{"file", is_launch_file},
	{"kernel", is_symbol},
	{"readable_name", is_name},
	{"number", is_count},
	{"model", is_model},
	{"code_object", is_code_file},
	{"source", is_source_file},
	{"reason", is_text},
	{"grid", is_shape},
	{"workgroup", is_shape},
	{"cycles", is_count},
	{"duration", is_time},
	{"instructions", is_count},
	{"memory_bytes", is_count},
};

static bool refuse_member(const char *file, size_t launch, const char *member, struct err *e)
{
	return err_set(e, ST_REQUEST,
		"%.300s is damaged: launches[%zu].%s in its %s is missing or wrong; capture it again", file, launch,
		member, CAPTURE_HEAD_NAME);
}

static bool check_launch(const char *file, const json_t *launch, size_t index, struct err *e)
{
	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		if (!members[i].fits(json_object_get(launch, members[i].name)))
			return refuse_member(file, index, members[i].name, e);
	return true;
}

static bool are_texts(const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!json_is_string(json_array_get(list, i)))
			return false;
	return json_is_array(list);
}

bool capture_check_description(const char *file, const json_t *capture, struct err *e)
{
	const json_t *launches = json_object_get(capture, "launches");
	size_t count = json_array_size(launches);
	const char *wrong = !json_is_array(launches) || count > CAPTURE_FILES_MAX ? "launches"
		: !are_texts(json_object_get(capture, "command"))                 ? "command"
		: !is_name(json_object_get(capture, "utc"))                       ? "utc"
										  : NULL;
	if (wrong)
		return err_set(e, ST_REQUEST, "%.300s is damaged: %s in its %s is missing or wrong; capture it again",
			file, wrong, CAPTURE_HEAD_NAME);
	for (size_t i = 0; i < count; i++)
		if (!check_launch(file, json_array_get(launches, i), i, e))
			return false;
	return true;
}
