/* Private folders for temporary files. Those that are still there when the process ends, normally or by a signal that
 * can be caught, are removed then. */
#ifndef BASE_HOST_TEMPORARY_FOLDER_H
#define BASE_HOST_TEMPORARY_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Created in $TMPDIR, or in /tmp if that fails. NULL with an error. The caller removes it and frees the path. */
char *temporary_folder_create(struct err *e);

/* A name for a folder that another process creates; NULL if there is no place for it. The caller removes the folder and
 * frees the name. */
char *temporary_folder_choose_name(void);

/* Writes a file in such a folder. */
bool temporary_file_write(const char *path, const void *bytes, size_t size, struct err *e);

/* With its content, if it exists. Processes that were killed a moment ago may still complete a call that creates a
 * file. */
void temporary_folder_remove(const char *folder);

#endif
