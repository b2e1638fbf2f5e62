/* What a capture file may contain: names, limits, and the checksum of an entry. docs/capture.md describes it. */
#ifndef CAPTURES_CAPTURE_LAYOUT_H
#define CAPTURES_CAPTURE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAPTURE_HEAD_NAME "capture.json" /* the first entry */
/* Members of the head and attributes of entries. */
#define CAPTURE_FORMAT_MEMBER "wavedeck_capture"
#define CAPTURE_CHECKSUM_ATTR "user.wavedeck.checksum" /* of each entry */
#define CAPTURE_TOTAL_ATTR    "user.wavedeck.total"    /* of the first entry: "FILES BYTES" */
enum {
	CAPTURE_FILE_FORMAT = 1, /* raised when an older wavedeck would misread a file */
	CAPTURE_FILES_MAX = 10000,
	CAPTURE_HEAD_MAX = 4 << 20, /* bytes */
	CAPTURE_PATH_MAX = 256,     /* of a name with its folder and the NUL */
	CAPTURE_TOTAL_MAX = 64,     /* of the attribute with its NUL */
	CAPTURE_CHUNK = 256 << 10   /* bytes that are read or written at once */
};
#define CAPTURE_BYTES_MAX (UINT64_C(16) << 30) /* all files together, not compressed */

/* The folders of a capture and how the names of their files end; the last one has no name. */
struct capture_folder {
	const char *name, *suffix;
};
extern const struct capture_folder capture_folders[];

/* Letters, digits, '.', '_' and '-', at most 200, not beginning with '.'; ends with `suffix`. */
bool is_capture_file_name(const char *name, const char *suffix);
/* A file in one of the folders: "launches/3.launch". */
bool is_capture_path(const char *path);

/* 16 hexadecimal digits, of the name, the total (of the first entry; else "") and the content. They find damage; they
 * prove nothing against a person who makes a file. */
struct entry_checksum {
	uint64_t hash;
};
enum { CHECKSUM_DIGITS = 16 };
void entry_checksum_start(struct entry_checksum *c, const char *name, const char *total);
void entry_checksum_add(struct entry_checksum *c, const void *data, size_t bytes);
void entry_checksum_print(const struct entry_checksum *c, char out[CHECKSUM_DIGITS + 1]);

#endif
