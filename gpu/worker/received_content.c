#include "gpu/worker/received_content.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gpu/protocol/base64.h"
#include "base/buf.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/worker_folder.h"
#include "gpu/protocol/worker_protocol.h"
#include "kernels/compile/kernel_files.h"

enum { HASH_DIGITS = 16, CANCEL_POLL_MS = 50 };

/* By hash: true once the file is in the worker's folder, or the text of an error. */
static json_t *received;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;

/* --- files in the worker's folder --- */
static bool is_content_hash(const char *text)
{
	return strlen(text) == HASH_DIGITS && strspn(text, "0123456789abcdef") == HASH_DIGITS;
}

static char *received_path(const char *hash)
{
	return xasprintf("%s/content/%s", worker_folder_path(), hash);
}

static bool write_file(const char *path, const char *data, size_t n, struct err *e)
{
	char *folder = xasprintf("%.*s", (int)(strrchr(path, '/') - path), path);
	FILE *f = path_make_directories(folder, NULL) ? fopen(path, "we") : NULL;
	bool ok = f && (!n || fwrite(data, 1, n, f) == n);
	if (f)
		ok = !fclose(f) && ok;
	free(folder);
	return ok || err_set(e, ST_FAILED, "cannot write %s: %s; free some space", path, strerror(errno));
}

static json_t *keep_content(const char *hash, const char *text)
{
	struct buf b = {0};
	struct err e = {.text = ""};
	uint64_t h;
	char *path = received_path(hash), now[HASH_DIGITS + 1] = "";
	bool ok = (base64_decode(text, &b) || err_set(&e, ST_FAILED, "a file of the job arrived damaged")) &&
		write_file(path, b.data, b.len, &e);
	if (ok && kernel_file_hash(path, &h))
		snprintf(now, sizeof now, "%016" PRIx64, h);
	if (ok && strcmp(now, hash))
		ok = err_set(&e, ST_FAILED, "a file of the job arrived damaged");
	buf_free(&b);
	free(path);
	return ok ? json_true() : json_utf8_string(e.text);
}

void content_receive(const json_t *record)
{
	const char *hash = record_get_hash(record), *error = record_get_text(record, "error");
	if (!is_content_hash(hash) || !worker_folder_path())
		return;
	json_t *result = *error ? json_string(error) : keep_content(hash, record_get_text(record, "data"));
	pthread_mutex_lock(&lock);
	if (!received)
		received = json_object();
	json_object_set_new(received, hash, result);
	pthread_cond_broadcast(&arrived);
	pthread_mutex_unlock(&lock);
}

/* --- what a job needs --- */
static const json_t *job_content(const struct job *j)
{
	return json_object_get(json_object_get(j->record, "kernel"), "content");
}

static bool has_hash(const char *path, const char *hash)
{
	uint64_t h;
	char now[HASH_DIGITS + 1];
	if (access(path, R_OK) || !kernel_file_hash(path, &h))
		return false;
	snprintf(now, sizeof now, "%016" PRIx64, h);
	return !strcmp(now, hash);
}

/* The project's file here, if it is the same; NULL otherwise. The caller frees it. */
static char *find_installed(const char *name, const char *hash)
{
	char *path = strncmp(name, "kernels/", 8) ? NULL : path_kernels(name + 8);
	if (path && has_hash(path, hash))
		return path;
	free(path);
	return NULL;
}

static char *find_installed_object(const struct job *j, const char *arch, const char *hash)
{
	const struct kernel_source source = {j->file, j->defines, NULL};
	char *path = kernel_find_prebuilt(&source, arch);
	if (path && has_hash(path, hash))
		return path;
	free(path);
	return NULL;
}

static void need_unless_received(json_t *needed, const char *hash)
{
	pthread_mutex_lock(&lock);
	bool there = json_is_true(json_object_get(received, hash));
	if (!there)
		json_object_del(received, hash); /* an error from before */
	pthread_mutex_unlock(&lock);
	if (!there)
		json_array_append_new(needed, json_string(hash));
}

static bool list_needed(const struct job *j, const char *arch, json_t *needed, struct err *e)
{
	const json_t *content = job_content(j), *files = json_object_get(content, "files");
	const char *object = json_string_value(json_object_get(content, "object"));
	for (size_t i = 0; i < json_array_size(files); i++) {
		const json_t *pair = json_array_get(files, i);
		const char *name = json_string_value(json_array_get(pair, 0)),
			   *hash = json_string_value(json_array_get(pair, 1));
		if (!name || !hash || !kernel_file_name_is_valid(name) || !is_content_hash(hash))
			return err_set(e, ST_REQUEST,
				"the job has a file with an invalid name or hash: names are at most %d folders deep",
				KERNEL_FOLDERS_MAX);
		char *here = find_installed(name, hash);
		if (!here)
			need_unless_received(needed, hash);
		free(here);
	}
	if (object && !is_content_hash(object))
		return err_set(e, ST_REQUEST, "the job has a code object with an invalid hash");
	char *here = object ? find_installed_object(j, arch, object) : NULL;
	if (object && !here)
		need_unless_received(needed, object);
	free(here);
	return true;
}

/* --- waiting --- */
/* With the lock held: 1 all arrived, 0 not yet, -1 one failed. */
static int check_arrived(const json_t *needed, struct err *e)
{
	for (size_t i = 0; i < json_array_size(needed); i++) {
		const json_t *r = json_object_get(received, json_string_value(json_array_get(needed, i)));
		if (json_is_string(r)) {
			err_set(e, ST_FAILED, "%s", json_string_value(r));
			return -1;
		}
		if (!r)
			return 0;
	}
	return 1;
}

static void wait_a_moment(void)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += CANCEL_POLL_MS * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&arrived, &lock, &until);
}

static bool await_needed(const json_t *needed, const struct measure_callbacks *m, struct err *e)
{
	int state;
	bool cancelled = false;
	pthread_mutex_lock(&lock);
	while (!(state = check_arrived(needed, e)) && !cancelled) {
		wait_a_moment();
		pthread_mutex_unlock(&lock);
		cancelled = m->cancelled(m->ctx);
		pthread_mutex_lock(&lock);
	}
	pthread_mutex_unlock(&lock);
	return state > 0 || (state < 0 ? false : err_set(e, ST_INTERRUPTED, "cancelled"));
}

bool content_await(const struct job *j, const char *arch, const struct measure_callbacks *m, struct err *e)
{
	const json_t *content = job_content(j);
	if (!content)
		return true;
	if (json_object_get(content, "error"))
		return err_set(e, ST_REQUEST, "%s", record_get_text(content, "error"));
	if (!worker_folder_path())
		return err_set(e, ST_FAILED, "no folder for temporary files on this host; set TMPDIR there");
	json_t *needed = json_array();
	bool ok = list_needed(j, arch, needed, e);
	if (ok && json_array_size(needed)) {
		protocol_send(json_pack(
			"{s:s, s:I, s:I, s:O}", "type", "need", "job", j->job, "point", j->point, "hashes", needed));
		ok = await_needed(needed, m, e);
	}
	json_decref(needed);
	return ok;
}

/* --- the tree --- */
static char *find_any(const char *name, const char *hash)
{
	char *path = find_installed(name, hash);
	return path ? path : received_path(hash);
}

static bool copy_file(const char *from, const char *to, struct err *e)
{
	struct buf b = {0};
	const char *why;
	bool ok = input_file_read(from, KERNEL_SOURCE_MAX, &b, &why) ||
		err_set(e, ST_FAILED, "cannot read %s: %s", from, why);
	ok = ok && write_file(to, b.data, b.len, e);
	buf_free(&b);
	return ok;
}

static bool make_tree(const json_t *files, const char *root, struct err *e)
{
	bool ok = true;
	for (size_t i = 0; ok && i < json_array_size(files); i++) {
		const json_t *pair = json_array_get(files, i);
		const char *name = json_string_value(json_array_get(pair, 0));
		char *from = find_any(name, json_string_value(json_array_get(pair, 1)));
		char *to = xasprintf("%s/%s", root, name);
		ok = copy_file(from, to, e);
		free(from);
		free(to);
	}
	return ok;
}

static bool all_installed(const json_t *files)
{
	for (size_t i = 0; i < json_array_size(files); i++) {
		const json_t *pair = json_array_get(files, i);
		char *here = find_installed(
			json_string_value(json_array_get(pair, 0)), json_string_value(json_array_get(pair, 1)));
		free(here);
		if (!here)
			return false;
	}
	return true;
}

/* One tree for each set of files: named after the first and all hashes. */
static char *tree_path(const json_t *files)
{
	uint64_t h = 0;
	for (size_t i = 0; i < json_array_size(files); i++) {
		const char *hash = json_string_value(json_array_get(json_array_get(files, i), 1));
		h = h * UINT64_C(0x100000001b3) ^ strtoull(hash, NULL, 16);
	}
	return xasprintf("%s/sources/%016" PRIx64, worker_folder_path(), h);
}

bool content_find(const struct job *j, const char *arch, struct job_files *out, struct err *e)
{
	const json_t *content = job_content(j), *files = json_object_get(content, "files");
	const char *object = json_string_value(json_object_get(content, "object"));
	*out = (struct job_files){.present = files != NULL};
	if (!files)
		return true;
	if (!all_installed(files)) {
		out->root = tree_path(files);
		if (!make_tree(files, out->root, e))
			return false;
	}
	if (object && !(out->object = find_installed_object(j, arch, object)))
		out->object = received_path(object);
	out->file = *j->file == '/' ? xasprintf("%s/own/%s", out->root ? out->root : "", path_basename(j->file))
				    : xstrdup(j->file);
	out->given = (struct kernel_given){out->root, out->object};
	return true;
}

static void replace_text(char *text, size_t size, const char *from, const char *to)
{
	char *at = strstr(text, from);
	if (!at)
		return;
	char *whole = xasprintf("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	snprintf(text, size, "%s", whole);
	free(whole);
}

void content_rename(const struct job *j, const struct job_files *f, char *text, size_t size)
{
	if (!f->root)
		return;
	char *own = xasprintf("%s/own/", f->root), *kernels = xasprintf("%s/", f->root);
	char *there = xasprintf("%.*s", (int)(path_basename(j->file) - j->file), j->file);
	replace_text(text, size, own, there);
	replace_text(text, size, kernels, "");
	free(own);
	free(kernels);
	free(there);
}

void content_free(struct job_files *f)
{
	free(f->file);
	free(f->root);
	free(f->object);
	*f = (struct job_files){.present = false};
}
