#include "tui/views/inspector/step_source.h"

#include <string.h>

static bool source_is_assembly(const struct code_model *m)
{
	const char *end = m->request.file ? strrchr(m->request.file, '.') : NULL;
	return end && !strcmp(end, ".s");
}

/* Instructions that the compiler added have no line: they belong to the line before them. */
const char *step_source_find(const struct code_model *m, int64_t offset, int *line)
{
	*line = 0;
	if (!m || !m->lines || source_is_assembly(m))
		return NULL;
	for (size_t i = 0; i < m->count && m->lines[i].va <= m->info.code_va + (uint64_t)offset; i++)
		if (m->source_line[i] >= 1 && m->source_line[i] <= m->source_count)
			*line = m->source_line[i];
	return *line ? m->source[*line - 1] + strspn(m->source[*line - 1], " \t") : NULL;
}
