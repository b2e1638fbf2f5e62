/* A capture file, `app.wbc`: the launches of a program that were captured, with their code and sources. It is a tar
 * archive, compressed with zstd (docs/capture.md). Files of other people are read as carefully as sessions: what is not
 * in the layout is refused, and nothing is written outside of the folder. */
#ifndef CAPTURES_CAPTURE_ARCHIVE_H
#define CAPTURES_CAPTURE_ARCHIVE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* Packs a folder: capture.json, launches/NAME.launch, code/NAME.co and sources/NAME. Anything else in it is an error.
 * The same files give the same bytes; owners and times do not count. `limit_bytes` is the most that
 * the files may take before compression.
 * `progress` (may be NULL) is called many times a second with bytes; it returns false to cancel, and the error then has
 * the status ST_INTERRUPTED. A file of that name is replaced at the end; on an error nothing is changed or left. */
bool capture_archive_pack(const char *folder, const char *file, uint64_t limit_bytes,
	bool (*progress)(void *ctx, uint64_t done, uint64_t total), void *ctx, struct err *e);

/* Reads only capture.json, an object that the caller owns. Fast for a file of any size. */
bool capture_archive_read_head(const char *file, json_t **capture, struct err *e);

/* Unpacks into a new folder, readable by this user alone. On an error nothing is left of it. */
bool capture_archive_unpack(const char *file, const char *folder, struct err *e);

/* A regular file that is compressed with zstd and has the suffix .wbc, or begins as a capture does. Reading
 * it may still find damage. */
bool is_capture_file(const char *file);

#endif
