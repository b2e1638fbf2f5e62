/* Reads the entries of a capture file, which may be damaged or made by anybody. */
#ifndef CAPTURES_CAPTURE_READER_H
#define CAPTURES_CAPTURE_READER_H

#include <archive.h>
#include <archive_entry.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "captures/capture_layout.h"

struct capture_reader {
	const char *file;
	int fd;
	struct archive *in;
};

/* Content of the first entry. */
struct capture_head {
	struct buf text; /* as it is in the file */
	json_t *json;    /* an object of format CAPTURE_FILE_FORMAT */
	uint64_t files, bytes;
};

/* The caller closes the reader in any case. */
bool capture_reader_open(struct capture_reader *r, const char *file, struct err *e);
void capture_reader_close(struct capture_reader *r);
/* First call: the entry capture.json, or an error that the file is no capture. The entry is libarchive's. */
bool capture_reader_find_head(struct capture_reader *r, struct archive_entry **entry, struct err *e);
/* Opens the file and reads its head. The caller frees the head and closes the reader in any case. */
bool capture_reader_begin(struct capture_reader *r, const char *file, struct capture_head *head, struct err *e);
void capture_head_free(struct capture_head *head);

/* The next entry that is allowed: a regular file of the layout. *entry is NULL at the end. */
bool capture_reader_next(struct capture_reader *r, struct archive_entry **entry, struct err *e);
/* Calls `put` with all bytes of the entry and compares the checksum. `put` sets the error when it returns false. */
bool capture_reader_copy(struct capture_reader *r, struct archive_entry *entry, const char *total,
	bool (*put)(void *ctx, const void *data, size_t bytes, struct err *e), void *ctx, struct err *e);
/* "FILE is damaged: WHAT; capture it again"; false. */
bool capture_reader_damaged(const struct capture_reader *r, const char *what, struct err *e);

#endif
