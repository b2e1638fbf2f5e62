#include "experiments/analysis/listed/code_model_objdump.h"

#include <stdio.h>

#include "base/buf.h"
#include "kernels/inspect/objdump/objdump_tool.h"
#include "kernels/inspect/source_map.h"

void code_model_read_objdump(struct code_model *m, const struct code_object *o)
{
	struct err e = {0};
	struct objdump_code c;
	const char *source = code_request_source(&m->request);
	m->listed = &listed_amdgcn;
	if (!objdump_list_kernel(o, &m->info, &c, &e)) {
		snprintf(m->why_no_lines, sizeof m->why_no_lines, "%s", e.text);
		return;
	}
	code_model_name_tools(m, "llvm-objdump");
	m->lines = c.lines;
	m->code = c.code;
	m->count = c.count;
	m->loop_start = c.loop_start;
	m->loop_end = c.loop_end;
	m->source_line = xcalloc(m->count, sizeof *m->source_line);
	m->mapped = source && source_map_build(o, source, m->lines, m->count, m->source_line);
}
