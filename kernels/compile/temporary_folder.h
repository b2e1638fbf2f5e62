/* A private folder for temporary files. */
#ifndef KERNELS_COMPILE_TEMPORARY_FOLDER_H
#define KERNELS_COMPILE_TEMPORARY_FOLDER_H

#include "base/err.h"

/* Created in $TMPDIR, or in /tmp if that fails. NULL with an error. The caller removes it and frees the path. */
char *temporary_folder_create(struct err *e);
void temporary_folder_remove(const char *folder); /* with its content */

#endif
