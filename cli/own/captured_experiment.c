#include "cli/own/captured_experiment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "captures/capture_archive.h"
#include "captures/capture_experiments.h"

/* The kernel with this id, without one the first that can run again. */
static const struct captured_kernel *choose_captured_kernel(
	const struct captured_kernel *list, int count, const char *file, const char *id, struct err *e)
{
	struct buf names = {0};
	for (int i = 0; i < count; i++) {
		if (id ? !strcmp(list[i].id, id) : !*list[i].reason) {
			buf_free(&names);
			if (!*list[i].reason)
				return &list[i];
			err_set(e, ST_REQUEST, "%s: %s cannot run again: %s", file, list[i].id, list[i].reason);
			return NULL;
		}
		buf_printf(&names, "%s%s", i ? ", " : "", list[i].id);
	}
	err_set(e, ST_REQUEST,
		id ? "%s has no kernel '%s'; it has %s" : "%s has no kernel that can run again%.0s; it has %s", file,
		id ? id : "", names.data ? names.data : "none");
	buf_free(&names);
	return NULL;
}

/* The experiment files of the other kernels. */
static void remove_others(const struct captured_kernel *list, int count, const char *folder, const char *id)
{
	for (int i = 0; i < count; i++) {
		char *path = xasprintf("%s/%s.lua", folder, list[i].id);
		if (strcmp(list[i].id, id) != 0)
			unlink(path);
		free(path);
	}
}

static bool is_new(const char *folder, struct err *e)
{
	struct stat s;
	return lstat(folder, &s) ||
		err_set(e, ST_REQUEST, "%s exists, and is not replaced; name another folder: -o FOLDER", folder);
}

char *captured_experiment_write(const char *file, const char *kernel, const char *folder, struct err *e)
{
	json_t *capture;
	int count;
	char *path = NULL;
	if (!capture_archive_read_head(file, &capture, e))
		return NULL;
	struct captured_kernel *list = capture_list_kernels(capture, &count);
	const struct captured_kernel *k = choose_captured_kernel(list, count, file, kernel, e);
	const char *into = folder ? folder : k ? k->id : "";
	if (k && is_new(into, e) && capture_archive_unpack(file, into, e) &&
		capture_write_experiments(into, capture, e)) {
		remove_others(list, count, into, k->id);
		path = xasprintf("%s/%s.lua", into, k->id);
	}
	free(list);
	json_decref(capture);
	return path;
}
