#include "gpu/remote/content_offer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/protocol/base64.h"
#include "base/input_file.h"
#include "gpu/protocol/record.h"
#include "kernels/compile/kernel_build.h"
#include "kernels/compile/kernel_files.h"

/* --- jobs --- */
static void offer_file(struct content_offer *o, const char *path, uint64_t hash, char text[17])
{
	snprintf(text, 17, "%016" PRIx64, hash);
	if (!o->paths)
		o->paths = json_object();
	if (!json_object_get(o->paths, text))
		json_object_set_new(o->paths, text, json_utf8_string(path));
}

static json_t *list_files(struct content_offer *o, const struct kernel_files *files)
{
	char hash[17];
	json_t *list = json_array();
	for (int i = 0; i < files->count; i++) {
		offer_file(o, files->list[i].path, files->list[i].hash, hash);
		json_array_append_new(list, json_pack("[o, s]", json_utf8_string(files->list[i].name), hash));
	}
	return list;
}

/* The prebuilt code object that a worker here would use; null if it would compile. */
static json_t *name_object(struct content_offer *o, const json_t *kernel, const char *arch)
{
	char text[17];
	uint64_t hash;
	const struct kernel_source source = {record_get_text(kernel, "file"), record_get_text(kernel, "defines"), NULL};
	char *path = kernel_find_prebuilt(&source, arch);
	bool there = path && kernel_file_hash(path, &hash);
	if (there)
		offer_file(o, path, hash, text);
	free(path);
	return there ? json_string(text) : json_null();
}

static json_t *describe_content(struct content_offer *o, const json_t *kernel, const char *arch)
{
	struct kernel_files files;
	struct err e = {.text = ""};
	bool ok = kernel_files_find(record_get_text(kernel, "file"), &files, &e);
	json_t *content = ok
		? json_pack("{s:o, s:o}", "files", list_files(o, &files), "object", name_object(o, kernel, arch))
		: json_pack("{s:o}", "error", json_utf8_string(e.text));
	kernel_files_free(&files);
	return content;
}

/* A copy of the object, whose kernel also has its content. */
static json_t *add_content(struct content_offer *o, const json_t *with_kernel, const char *arch)
{
	json_t *copy = json_copy((json_t *)with_kernel), *kernel = json_copy(json_object_get(with_kernel, "kernel"));
	if (!kernel)
		return copy;
	json_object_set_new(kernel, "content", describe_content(o, kernel, arch));
	json_object_set_new(copy, "kernel", kernel);
	return copy;
}

json_t *content_offer_job(struct content_offer *o, const json_t *job, const char *arch)
{
	json_t *copy = add_content(o, job, arch), *reference = json_object_get(job, "reference");
	if (json_object_get(reference, "kernel"))
		json_object_set_new(copy, "reference", add_content(o, reference, arch));
	return copy;
}

/* --- content --- */
static json_t *read_content(const char *path, const char *hash)
{
	struct buf b = {0};
	const char *why = NULL;
	char now[17];
	uint64_t h;
	bool ok = kernel_file_hash(path, &h) && input_file_read(path, KERNEL_SOURCE_MAX, &b, &why);
	snprintf(now, sizeof now, "%016" PRIx64, h);
	json_t *record = json_pack("{s:s, s:s}", "type", "content", "hash", hash);
	if (ok && !strcmp(now, hash)) {
		char *text = base64_encode(b.data, b.len);
		json_object_set_new(record, "data", json_string(text));
		free(text);
	} else {
		json_object_set_new(record, "error",
			json_sprintf("cannot send %s: %s; measure the point again", path,
				ok            ? "it has changed"
					: why ? why
					      : "it cannot be read"));
	}
	buf_free(&b);
	return record;
}

json_t *content_offer_take(struct content_offer *o, const char *hash)
{
	json_t *path = json_object_get(o->paths, hash);
	if (!json_is_string(path))
		return NULL;
	json_t *record = read_content(json_string_value(path), hash);
	if (json_object_get(record, "data"))
		json_object_set_new(o->paths, hash, json_null());
	else /* the next job names the file as it is then */
		json_object_del(o->paths, hash);
	return record;
}

void content_offer_free(struct content_offer *o)
{
	json_decref(o->paths);
	o->paths = NULL;
}
