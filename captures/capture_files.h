/* The files of a folder that is packed. */
#ifndef CAPTURES_CAPTURE_FILES_H
#define CAPTURES_CAPTURE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "captures/capture_layout.h"

struct capture_file {
	char path[CAPTURE_PATH_MAX]; /* below the folder: "launches/3.launch" */
	uint64_t bytes;
};

struct capture_files {
	struct capture_file *file; /* owned; capture.json first, then by name */
	size_t count;
	uint64_t bytes; /* of all; at most UINT64_MAX */
};

/* Lists the open folder, called `name` in errors. False if it has a file that is not in the layout, if capture.json is
 * missing or too large, or if there are too many files. The caller frees the list in any case. */
bool capture_files_list(struct capture_files *list, int folder, const char *name, struct err *e);
void capture_files_free(struct capture_files *list);
/* Opens a regular file for reading, and no link; -1 with an error. */
int capture_file_open(int folder, const char *name, const char *path, struct err *e);

/* Writes a file of a capture's folder, completely or not at all. */
bool capture_write_file(const char *path, const void *data, size_t bytes, struct err *e);

#endif
