/* Writes files completely or not at all. */
#ifndef BASE_ATOMIC_FILE_H
#define BASE_ATOMIC_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"

/* Replaces the file with what `print` writes: to a temporary file in the same folder, which is renamed at the end, so
 * that a reader sees either the old or the new contents. A symbolic link is kept: its target is replaced. Owner and
 * permissions stay; a new file gets those of the umask. A device or pipe is written directly.
 * False with one line that ends with `fix` ("" or "; ..."). */
bool file_write_atomic(
	const char *path, void (*print)(FILE *out, const void *ctx), const void *ctx, const char *fix, struct err *e);

#endif
