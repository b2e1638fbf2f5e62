#include "captures/capture_layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"

enum { NAME_LENGTH_MAX = 200 };

const struct capture_folder capture_folders[] = {
	{"launches", ".launch"},
	{"code", ".co"},
	{"sources", ""},
	{NULL, NULL},
};

bool is_capture_file_name(const char *name, const char *suffix)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
	size_t length = strnlen(name, NAME_LENGTH_MAX + 1), ending = strlen(suffix);
	return length && length <= NAME_LENGTH_MAX && *name != '.' && strspn(name, plain) == length &&
		length > ending && !strcmp(name + length - ending, suffix);
}

bool is_capture_path(const char *path)
{
	const char *slash = strchr(path, '/');
	for (const struct capture_folder *f = capture_folders; slash && f->name; f++)
		if (strlen(f->name) == (size_t)(slash - path) && !strncmp(path, f->name, (size_t)(slash - path)))
			return is_capture_file_name(slash + 1, f->suffix);
	return false;
}

void entry_checksum_start(struct entry_checksum *c, const char *name, const char *total)
{
	c->hash = hash_text(hash_text(HASH_START, name), total);
}

void entry_checksum_add(struct entry_checksum *c, const void *data, size_t bytes)
{
	c->hash = hash_bytes(c->hash, data, bytes);
}

void entry_checksum_print(const struct entry_checksum *c, char out[CHECKSUM_DIGITS + 1])
{
	snprintf(out, CHECKSUM_DIGITS + 1, "%016" PRIx64, c->hash);
}
