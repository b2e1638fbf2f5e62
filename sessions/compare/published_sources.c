#include "sessions/compare/published_sources.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct published_source sources[] = {
#define PUBLISHED_SOURCE(id, short_name, title, author, where) {id, short_name, title, author, where},
#include "sessions/compare/published_sources.def"
#undef PUBLISHED_SOURCE
};

enum { SOURCES = sizeof sources / sizeof *sources };

const struct published_source *published_source_at(int index)
{
	return index >= 0 && index < SOURCES ? &sources[index] : NULL;
}

const char *published_source_format(char *out, size_t size, const char *source)
{
	size_t id = strcspn(source, " ");
	for (int i = 0; i < SOURCES; i++)
		if (strlen(sources[i].id) == id && !strncmp(source, sources[i].id, id)) {
			const char *section = source + id + strspn(source + id, " ");
			const char *between = !*section ? "" : isdigit((unsigned char)*section) ? " " : ", ";
			snprintf(out, size, "%s%s%s", sources[i].short_name, between, section);
			return out;
		}
	snprintf(out, size, "%s", source);
	return out;
}
