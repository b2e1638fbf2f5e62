#include "experiments/definition/native_permission.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "experiments/definition/definition.h"

enum { SOURCE_MAX = 256 << 10 /* bytes; it travels with each job */ };

char *native_source_path(const struct experiment *x)
{
	return *x->native ? xasprintf("%s/%s", x->lua->reference_folder, x->native) : NULL;
}

bool native_source_read(const struct experiment *x, struct buf *out, struct err *e)
{
	const char *why;
	char place[700], *path = native_source_path(x);
	bool ok = input_file_read(path, SOURCE_MAX, out, &why);
	free(path);
	if (ok && !out->len)
		buf_puts(out, "\n");
	if (ok && strlen(out->data) == out->len)
		return true;
	return err_set(e, ST_REQUEST, "%s: cannot read '%s' in the definition's folder: %s",
		definition_format_location(x, "reference.c", place, sizeof place), x->native,
		ok ? "it contains a NUL" : why);
}

/* The file with the copy; several contents have different names. */
static char *allowed_path(const char *file, const char *text)
{
	char *name = xasprintf("allowed/%s-%016" PRIx64, file, hash_text(HASH_START, text));
	char *path = path_user_data(name);
	free(name);
	return path;
}

bool native_source_is_allowed(const char *file, const char *text)
{
	struct buf kept = {0};
	const char *why;
	char *path = allowed_path(file, text);
	bool same = input_file_read(path, SOURCE_MAX, &kept, &why) && kept.data && !strcmp(kept.data, text);
	buf_free(&kept);
	free(path);
	return same;
}

static void print_source(FILE *out, const void *ctx)
{
	fputs(ctx, out);
}

bool native_source_allow(const char *file, const char *text, struct err *e)
{
	char *path = allowed_path(file, text), *folder = path_copy_folder(path);
	bool ok = path_make_directories(folder, e) &&
		file_write_atomic(path, print_source, text, "; free some space, or set XDG_DATA_HOME", e);
	free(folder);
	free(path);
	return ok;
}

bool native_job_check(const json_t *job, struct err *e)
{
	const json_t *reference = json_object_get(job, "reference");
	const char *file = json_string_value(json_object_get(reference, "c"));
	if (!file || native_source_is_allowed(file, record_get_text(reference, "source")))
		return true;
	return err_set(e, ST_REQUEST,
		"%s is native code, and this content was not allowed to run yet; allow it: wavedeck run %s --trust",
		file, job_get_definition_file(job));
}
