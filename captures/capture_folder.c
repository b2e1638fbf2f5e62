#include "captures/capture_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "base/paths.h"
#include "base/units.h"
#include "captures/captured_sources.h"
#include "captures/capture_files.h"
#include "gpu/protocol/record.h"
#include "gpu/remote/build_identity.h"
#include "gpu/softgpu-link/captured_file.h"
#include "kernels/inspect/readable_name.h"

enum { CAPTURE_FORMAT = 1 };

/* Names in the folder with this suffix, in the order of their launches' numbers; the caller frees each and the list. */
static int compare_names(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static char **list_names(const char *folder, const char *suffix, size_t *count)
{
	DIR *d = opendir(folder);
	char **list = NULL;
	*count = 0;
	for (struct dirent *entry; d && (entry = readdir(d));)
		if (path_has_suffix(entry->d_name, suffix)) {
			list = xrealloc(list, (*count + 1) * sizeof *list);
			list[(*count)++] = xstrdup(entry->d_name);
		}
	if (d)
		closedir(d);
	if (*count)
		qsort(list, *count, sizeof *list, compare_names);
	return list;
}

static void free_names(char **list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i]);
	free(list);
}

static bool move_file(const char *folder, const char *name, const char *to, struct err *e)
{
	char *from = xasprintf("%s/%s", folder, name), *target = xasprintf("%s/%s/%s", folder, to, name);
	bool ok = !rename(from, target) || err_set(e, ST_FAILED, "cannot move %s: %s", from, strerror(errno));
	free(from);
	free(target);
	return ok;
}

static bool move_files(const char *folder, const char *suffix, const char *to, struct err *e)
{
	size_t count;
	char **names = list_names(folder, suffix, &count), *target = xasprintf("%s/%s", folder, to);
	bool ok = !mkdir(target, 0700) || errno == EEXIST ||
		err_set(e, ST_FAILED, "cannot make the folder %s: %s", target, strerror(errno));
	for (size_t i = 0; ok && i < count; i++)
		ok = move_file(folder, names[i], to, e);
	free(target);
	free_names(names, count);
	return ok;
}

/* --- the description --- */
static json_t *list_shape(const uint32_t shape[3])
{
	return json_pack("[I, I, I]", (json_int_t)shape[0], (json_int_t)shape[1], (json_int_t)shape[2]);
}

static json_t *describe_launch(const char *name, const struct softgpu_captured *c)
{
	char *readable = strncmp(c->kernel, "0x", 2) ? kernel_readable_name(c->kernel) : xstrdup("HIP's own kernel");
	json_t *o = json_pack("{s:s+, s:o, s:o, s:I, s:s, s:s, s:s, s:s, s:i, s:o, s:o, s:i, s:I, s:f, s:I, s:I, s:I}",
		"file", "launches/", name, "kernel", json_utf8_string(c->kernel), "readable_name",
		json_utf8_string(readable), "number", (json_int_t)c->number, "model", c->model, "arch", c->arch,
		"code_object", c->code, "reason", c->reason, "status", (int)c->status, "grid", list_shape(c->grid),
		"workgroup", list_shape(c->workgroup), "lds_bytes", (int)c->lds_bytes, "cycles", (json_int_t)c->cycles,
		"duration", (double)c->ps * 1e-12, "waves", (json_int_t)c->waves, "instructions",
		(json_int_t)c->instructions, "memory_bytes", (json_int_t)c->memory_bytes);
	free(readable);
	return o;
}

static json_t *describe_launches(const char *folder, struct err *e)
{
	size_t count;
	char *launches = xasprintf("%s/launches", folder), **names = list_names(launches, ".launch", &count);
	json_t *list = json_array();
	bool ok = true;
	for (size_t i = 0; ok && i < count; i++) {
		struct softgpu_captured c;
		char *file = xasprintf("%s/%s", launches, names[i]);
		ok = captured_file_read(file, &c, e);
		json_t *one = ok ? describe_launch(names[i], &c) : NULL;
		ok = ok && (one || err_set(e, ST_FAILED, "%s has a text that is not UTF-8", file));
		if (one)
			json_array_append_new(list, one);
		free(file);
	}
	free_names(names, count);
	free(launches);
	if (ok)
		return list;
	json_decref(list);
	return NULL;
}

static json_t *list_words(char *const *words)
{
	json_t *list = json_array();
	for (; *words; words++)
		json_array_append_new(list, json_utf8_string(*words));
	return list;
}

bool capture_folder_write(const char *folder, const json_t *capture, struct err *e)
{
	char *file = xasprintf("%s/capture.json", folder);
	char *text = json_dumps(capture, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
	bool ok = capture_write_file(file, text, strlen(text), e);
	free(text);
	free(file);
	return ok;
}

json_t *capture_folder_describe(const char *folder, char *const *command, bool with_sources, struct err *e)
{
	char utc[UTC_TEXT];
	if (!move_files(folder, ".launch", "launches", e) || !move_files(folder, ".co", "code", e))
		return NULL;
	json_t *launches = describe_launches(folder, e);
	if (!launches)
		return NULL;
	json_t *sources = captured_sources_collect(folder, launches, with_sources);
	return json_pack("{s:i, s:s, s:s, s:o, s:o, s:o}", "wavedeck_capture", CAPTURE_FORMAT, "program",
		PROGRAM_VERSION, "utc", now_utc(utc), "command", list_words(command), "launches", launches, "sources",
		sources);
}

/* --- the summary --- */
static bool is_first_of_kernel(const json_t *launches, size_t i)
{
	const char *name = record_get_text(json_array_get(launches, i), "kernel");
	for (size_t k = 0; k < i; k++)
		if (!strcmp(record_get_text(json_array_get(launches, k), "kernel"), name))
			return false;
	return true;
}

char *capture_format_summary(const json_t *capture, char *out, size_t size)
{
	const json_t *launches = json_object_get(capture, "launches"), *sources = json_object_get(capture, "sources");
	size_t count = json_array_size(launches), files = json_array_size(sources), kernels = 0;
	double bytes = 0;
	char memory[40];
	for (size_t i = 0; i < count; i++) {
		kernels += is_first_of_kernel(launches, i);
		bytes += json_number_value(json_object_get(json_array_get(launches, i), "memory_bytes"));
	}
	snprintf(out, size, "%zu kernel%s, %zu launch%s, %zu source file%s, %s of the program's memory", kernels,
		kernels == 1 ? "" : "s", count, count == 1 ? "" : "es", files, files == 1 ? "" : "s",
		units_format(memory, sizeof memory, bytes, "B", 3));
	return out;
}
