#include "tui/views/inspector/step_source.h"

#include <string.h>

static bool source_is_assembly(const struct code_model *m)
{
	const char *end = m->request.file ? strrchr(m->request.file, '.') : NULL;
	return end && !strcmp(end, ".s");
}

const char *step_source_find(const struct code_model *m, int64_t offset, int *line)
{
	if (!m || !m->lines || source_is_assembly(m))
		return NULL;
	for (size_t i = 0; i < m->count; i++) {
		int at = m->source_line[i];
		if (m->lines[i].va != m->info.code_va + (uint64_t)offset || at < 1 || at > m->source_count)
			continue;
		*line = at;
		return m->source[at - 1] + strspn(m->source[at - 1], " \t");
	}
	return NULL;
}
