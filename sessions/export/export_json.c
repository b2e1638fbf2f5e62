/* Export format "json": one object with the records as they are in the session file. */
#include <stdlib.h>
#include <string.h>

#include "sessions/export/exporters.h"
#include "gpu/protocol/record.h"

static void print_records(const struct session_output *o, const char *name, const json_t *records)
{
	char *line = json_array_size(records) ? record_format_line(records) : NULL;
	if (line)
		fprintf(o->file, "\"%s\":%.*s,\n", name, (int)strcspn(line, "\n"), line);
	free(line);
}

/* Each record is one line, so that people and diff can read the file. */
void json_export(const struct session_output *o)
{
	const char *comma = "";
	char *line = record_format_line(o->header);
	fprintf(o->file, "{\"header\":%.*s,\n", (int)strcspn(line, "\n"), line);
	free(line);
	print_records(o, "notes", o->notes);
	print_records(o, "what_if", o->what_if);
	fprintf(o->file, "\"points\":[");
	for (size_t i = 0; i < o->points->count; i++) {
		const json_t *point = point_list_get(o->points, i);
		if (!point)
			continue;
		line = record_format_line(point);
		fprintf(o->file, "%s\n%.*s", comma, (int)strcspn(line, "\n"), line);
		free(line);
		comma = ",";
	}
	fprintf(o->file, "\n]}\n");
}
