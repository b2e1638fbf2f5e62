#include "captures/capture_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/host/temporary_folder.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "captures/capture_archive.h"
#include "captures/capture_description.h"
#include "captures/capture_experiments.h"

enum { KEPT_FOLDERS = 16 };

/* --- the cache --- */
static bool hash_file(const char *file, uint64_t *out, struct err *e)
{
	const char *why;
	struct stat st;
	int fd = input_file_open(file, &why);
	if (fd < 0)
		return err_set(e, ST_REQUEST, "cannot read %s: %s", file, why);
	void *data = fstat(fd, &st) || !st.st_size ? MAP_FAILED
						   : mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (data == MAP_FAILED)
		return err_set(e, ST_REQUEST, "%s is not a capture of wavedeck", file);
	*out = hash_bytes(HASH_START, data, (size_t)st.st_size);
	munmap(data, (size_t)st.st_size);
	return true;
}

struct kept_folder {
	char *path;
	time_t used;
};

static int compare_use(const void *a, const void *b)
{
	const struct kept_folder *x = a, *y = b;
	return (x->used < y->used) - (x->used > y->used);
}

/* Keeps those that were opened last. */
static void remove_old_folders(const char *all)
{
	struct kept_folder *list = NULL;
	size_t count = 0;
	struct stat st;
	DIR *d = opendir(all);
	for (struct dirent *entry; d && (entry = readdir(d));) {
		char *path = *entry->d_name == '.' ? NULL : xasprintf("%s/%s", all, entry->d_name);
		if (path && !stat(path, &st)) {
			list = xrealloc(list, (count + 1) * sizeof *list);
			list[count++] = (struct kept_folder){path, st.st_mtime};
		} else {
			free(path);
		}
	}
	if (d)
		closedir(d);
	if (count)
		qsort(list, count, sizeof *list, compare_use);
	for (size_t i = 0; i < count; i++) {
		if (i >= KEPT_FOLDERS)
			temporary_folder_remove(list[i].path);
		free(list[i].path);
	}
	free(list);
}

/* Under another name first: who finds the folder finds all of it. */
static bool unpack_to(const char *file, const char *folder, struct err *e)
{
	char *part = xasprintf("%s.%d", folder, (int)getpid());
	temporary_folder_remove(part);
	bool ok = capture_archive_unpack(file, part, e);
	if (ok && rename(part, folder) && errno != EEXIST && errno != ENOTEMPTY)
		ok = err_set(e, ST_FAILED, "cannot make the folder %s: %s", folder, strerror(errno));
	temporary_folder_remove(part);
	free(part);
	return ok;
}

static bool unpack_once(const char *file, char **folder, struct err *e)
{
	uint64_t hash = 0;
	char name[40];
	if (!hash_file(file, &hash, e))
		return false;
	char *all = path_user_cache("captures");
	snprintf(name, sizeof name, "%016" PRIx64, hash);
	*folder = xasprintf("%s/%s", all, name);
	bool there = !access(*folder, R_OK | X_OK);
	bool ok = there || (path_make_directories(all, e) && unpack_to(file, *folder, e));
	if (there)
		utimensat(AT_FDCWD, *folder, NULL, 0); /* used now */
	else
		remove_old_folders(all);
	free(all);
	return ok;
}

/* --- opening --- */
bool capture_open(const char *file, struct opened_capture *out, struct err *e)
{
	*out = (struct opened_capture){0};
	if (capture_archive_read_head(file, &out->capture, e) && capture_check_description(file, out->capture, e) &&
		unpack_once(file, &out->folder, e) && capture_write_experiments(out->folder, out->capture, e))
		return true;
	capture_close(out);
	return false;
}

void capture_close(struct opened_capture *c)
{
	free(c->folder);
	json_decref(c->capture);
	*c = (struct opened_capture){0};
}

/* --- names --- */
static const char suffix[] = ".wbc";

/* The end of the file's name in the word; NULL: it is not a capture's. */
static const char *find_file_end(const char *word)
{
	size_t k = sizeof suffix - 1;
	if (path_has_suffix(word, suffix) || is_capture_file(word))
		return word + strlen(word);
	const char *colon = strrchr(word, ':');
	return colon && (size_t)(colon - word) > k && !strncmp(colon - k, suffix, k) ? colon : NULL;
}

bool capture_is_named(const char *word)
{
	return find_file_end(word) != NULL;
}

/* By its experiment's id, or by a part of its name that no other has. */
static const struct captured_kernel *choose_kernel(const struct captured_kernel *list, int count, const char *name)
{
	const struct captured_kernel *found = NULL;
	for (int i = 0; i < count; i++)
		if (!strcmp(list[i].id, name))
			return &list[i];
	for (int i = 0; i < count; i++) {
		if (!strstr(list[i].name, name))
			continue;
		if (found)
			return NULL;
		found = &list[i];
	}
	return found;
}

static bool refuse_kernel(
	const char *file, const char *name, const struct captured_kernel *list, int count, struct err *e)
{
	struct buf names = {0};
	for (int i = 0; i < count && names.len < 200; i++)
		if (!*list[i].reason)
			buf_printf(&names, "%s%s", names.len ? ", " : "", list[i].id);
	if (!names.len)
		err_set(e, ST_REQUEST, "%s has no launch that can run again; the first: %s", path_basename(file),
			count ? list[0].reason : "it is empty");
	else
		err_set(e, ST_REQUEST,
			"%s has no kernel '%s', or several with that in their names; write for example %s:%s (%s)",
			path_basename(file), name, path_basename(file), list[0].id, names.data);
	buf_free(&names);
	return false;
}

/* Without a name the slowest that can run again. */
static const struct captured_kernel *find_kernel(
	const char *file, const char *name, const struct captured_kernel *list, int count, struct err *e)
{
	const struct captured_kernel *k = name ? choose_kernel(list, count, name) : NULL;
	for (int i = 0; !name && !k && i < count; i++)
		if (!*list[i].reason)
			k = &list[i];
	if (!k)
		return refuse_kernel(file, name ? name : "", list, count, e), NULL;
	if (*k->reason)
		return err_set(e, ST_REQUEST, "%s cannot run again: %s", k->id, k->reason), NULL;
	return k;
}

char *capture_find_definition(const char *word, char **device, struct err *e)
{
	const char *end = find_file_end(word);
	char *file = xasprintf("%.*s", (int)(end - word), word), *path = NULL;
	struct opened_capture c;
	int count;
	if (capture_open(file, &c, e)) {
		struct captured_kernel *list = capture_list_kernels(c.capture, &count);
		const struct captured_kernel *k = find_kernel(file, *end ? end + 1 : NULL, list, count, e);
		path = k ? xasprintf("%s/%s.lua", c.folder, k->id) : NULL;
		if (k && device)
			*device = xasprintf("soft:%s", k->model);
		free(list);
		capture_close(&c);
	}
	free(file);
	return path;
}

int capture_list_definitions(const char *definition, char ***list)
{
	char *folder = path_copy_folder(definition), *file = xasprintf("%s/capture.json", folder);
	json_t *capture = json_load_file(file, JSON_REJECT_DUPLICATES, NULL);
	int count = 0, kept = 0;
	struct captured_kernel *kernels = capture_list_kernels(capture, &count);
	*list = xcalloc((size_t)count + 1, sizeof **list);
	for (int i = 0; i < count; i++)
		if (!*kernels[i].reason)
			(*list)[kept++] = xasprintf("%s/%s.lua", folder, kernels[i].id);
	free(kernels);
	json_decref(capture);
	free(file);
	free(folder);
	return kept;
}
