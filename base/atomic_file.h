/* Files that are written whole or not at all. */
#ifndef BASE_ATOMIC_FILE_H
#define BASE_ATOMIC_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"

/* What `print` prints becomes the file: it goes to a name beside it, which is renamed when all of it was written, so
 * that whoever reads meanwhile sees the old one or the new one. A link stays a link; a device or a pipe is written to
 * and stays. False with one line that `mend` ends ("" or "; ..."). */
bool file_write_atomic(
	const char *path, void (*print)(FILE *out, const void *ctx), const void *ctx, const char *mend, struct err *e);

#endif
