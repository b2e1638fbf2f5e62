/* Opening and reading files that other people may have put there: never blocks on a named pipe, never waits for a
 * device, and never needs more memory than a limit. */
#ifndef BASE_INPUT_FILE_H
#define BASE_INPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* A file descriptor for reading; -1 with the reason in *why (static or of strerror): it cannot be opened, or it "is not
 * a regular file". errno is ENOENT if there is no such file. */
int input_file_open(const char *path, const char **why);
/* The same for a file that a person names as input: a pipe is allowed, such as /dev/stdin and <(...) of the shell. */
int input_stream_open(const char *path, const char **why);
bool input_file_is_readable(const char *path, const char **why);
/* Appends the whole file; false with the reason if it cannot be read or is larger than `limit` bytes. */
bool input_file_read(const char *path, size_t limit, struct buf *out, const char **why);

#endif
