#include "sessions/export/exporters.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static const struct exporter exporters[FORMAT_COUNT] = {
#define EXPORTER(id, name, extensions, contents, function, help) {name, extensions, contents, function, help},
#include "sessions/export/exporters.def"
#undef EXPORTER
};

const struct exporter *exporter_at(int format)
{
	return format >= 0 && format < FORMAT_COUNT ? &exporters[format] : NULL;
}

char *exporter_list_names(unsigned contents, const char *comma, const char *last)
{
	struct buf b = {0};
	int left = 0;
	for (int i = 0; i < FORMAT_COUNT; i++)
		left += (exporters[i].contents & contents) != 0;
	buf_puts(&b, "");
	for (int i = 0; i < FORMAT_COUNT; i++)
		if (exporters[i].contents & contents)
			buf_printf(&b, "%s%s", !b.len ? "" : left == 1 ? last : comma, exporters[i].name), left--;
	return b.data;
}

bool exporter_find(const char *name, unsigned contents, enum export_format *out, struct err *e)
{
	for (int i = 0; i < FORMAT_COUNT; i++)
		if ((exporters[i].contents & contents) && !strcmp(name, exporters[i].name)) {
			*out = (enum export_format)i;
			return true;
		}
	char *names = exporter_list_names(contents, ", ", " or ");
	err_set(e, ST_REQUEST, "unknown format '%.40s'; use %s", name, names);
	free(names);
	return false;
}

/* `list` is "a|b|c". */
static bool has_extension(const char *list, const char *extension)
{
	size_t n = strlen(extension);
	for (; *list; list += strcspn(list, "|"), list += *list == '|')
		if (strcspn(list, "|") == n && !strncmp(list, extension, n))
			return true;
	return false;
}

bool exporter_find_for_file(const char *path, unsigned contents, enum export_format *out, struct err *e)
{
	const char *dot = strrchr(path, '.');
	for (int i = 0; dot && i < FORMAT_COUNT; i++)
		if ((exporters[i].contents & contents) && has_extension(exporters[i].extensions, dot + 1)) {
			*out = (enum export_format)i;
			return true;
		}
	char *names = exporter_list_names(contents, ", ", " or ");
	err_set(e, ST_REQUEST, "the name '%.200s' does not select a format; add --format %s", path, names);
	free(names);
	return false;
}
