#include "experiments/course/lesson_source.h"

#include <string.h>

#include "base/buf.h"

static const struct {
	const char *name, *meaning;
} kinds[SOURCE_KINDS] = {
	[SOURCE_BOARD] = {"board", "measured on this board"},
	[SOURCE_OTHER] = {"other", "measured on another board"},
	[SOURCE_MANUAL] = {"manual", "documented"},
	[SOURCE_DEFINITION] = {"definition", "follows from the program"},
	[SOURCE_MODEL] = {"model", "only the software GPU"},
};

const char *lesson_source_name(enum source_kind kind)
{
	return kinds[kind].name;
}

const char *lesson_source_names(void)
{
	return "board, other, manual, definition or model";
}

bool lesson_source_read(const char *text, enum source_kind *kind, const char **rest)
{
	size_t n = strcspn(text, ":");
	if (!text[n])
		return false;
	*rest = text + n + 1 + strspn(text + n + 1, " ");
	for (int i = 0; i < SOURCE_KINDS; i++)
		if (strlen(kinds[i].name) == n && !memcmp(kinds[i].name, text, n)) {
			*kind = (enum source_kind)i;
			return **rest;
		}
	return false;
}

char *lesson_source_format(const struct lesson_block *b)
{
	return xasprintf("%s: %s", kinds[b->source].meaning, b->text);
}

int lesson_count_sources(const struct lesson *l, int step)
{
	int n = 0;
	while (lesson_find_block(l, step, LESSON_BASIS, n + 1))
		n++;
	return n;
}
