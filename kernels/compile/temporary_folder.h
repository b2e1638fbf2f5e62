/* A private folder for files that live no longer than a call. */
#ifndef KERNELS_COMPILE_TEMPORARY_FOLDER_H
#define KERNELS_COMPILE_TEMPORARY_FOLDER_H

#include "base/err.h"

/* Made in $TMPDIR, or in /tmp where that cannot be; NULL with the mend. The caller removes it and frees the path. */
char *temporary_folder_create(struct err *e);
void temporary_folder_remove(const char *folder); /* with all that is in it */

#endif
