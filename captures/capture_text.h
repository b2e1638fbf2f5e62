/* Files of a folder of captured launches. */
#ifndef CAPTURES_CAPTURE_TEXT_H
#define CAPTURES_CAPTURE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Writes a file of a capture's folder, completely or not at all. */
bool capture_write_file(const char *path, const void *data, size_t bytes, struct err *e);

#endif
