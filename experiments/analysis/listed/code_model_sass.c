#include "experiments/analysis/listed/code_model_sass.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "kernels/inspect/sass/sass_text.h"
#include "kernels/inspect/sass/sass_tools.h"

/* As for the driver when it loads a kernel (gpu/backends/cuda). */
enum { REGISTERS_WITHOUT_BOUNDS = 64 };

/* The last output: a text often has many kernels, and the tools read all of it each time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	uint64_t of; /* 0: none */
	struct sass_output output;
} last;

/* Of this text for this target. */
static uint64_t identify(const struct sass_source *s)
{
	return hash_text(hash_bytes(HASH_START, s->ptx, s->bytes), s->arch);
}

static bool run_tools_once(const struct sass_source *s, struct err *e)
{
	uint64_t of = identify(s);
	if (last.of == of)
		return true;
	sass_output_free(&last.output);
	last.of = sass_run_tools(s, &last.output, e) ? of : 0;
	return last.of;
}

static void take_code(struct code_model *m, struct sass_code *c)
{
	m->lines = c->lines;
	m->code = c->code;
	m->source_line = c->source_line;
	m->mapped = c->mapped;
	m->count = c->count;
	m->loop_start = c->loop_start;
	m->loop_end = c->loop_end;
	m->info.code_bytes = c->count * SASS_BYTES;
}

static void read_output(struct code_model *m, const struct sass_output *out)
{
	struct sass_code code;
	if (!out->resources.data || !sass_read_resources(out->resources.data, &m->info))
		snprintf(m->why_no_lines, sizeof m->why_no_lines, "ptxas does not name the kernel");
	else if (!out->lister)
		snprintf(m->why_no_lines, sizeof m->why_no_lines, "%s", out->why);
	else if (!sass_read_listing(out->listing.data ? out->listing.data : "", m->info.name,
			 code_request_source(&m->request), &code))
		snprintf(m->why_no_lines, sizeof m->why_no_lines, "%s does not list the kernel", out->lister);
	else
		take_code(m, &code);
}

static void name_tools(struct code_model *m, const char *lister)
{
	char tools[64];
	snprintf(tools, sizeof tools, "ptxas%s%s", lister ? ", " : "", lister ? lister : "");
	code_model_name_tools(m, tools);
}

void code_model_read_sass(struct code_model *m, const struct code_object *o)
{
	struct err e = {0};
	m->listed = &listed_sass;
	struct sass_source s = {.most_registers = REGISTERS_WITHOUT_BOUNDS};
	if (m->request.arch && !strncmp(m->request.arch, "sm_", 3)) /* PTX may be of an older target */
		snprintf(m->info.arch, sizeof m->info.arch, "%s", m->request.arch);
	s.ptx = code_object_bytes(o, &s.bytes);
	s.arch = m->info.arch;
	pthread_mutex_lock(&lock);
	if (run_tools_once(&s, &e)) {
		read_output(m, &last.output);
		name_tools(m, last.output.lister);
	} else {
		snprintf(m->why_no_lines, sizeof m->why_no_lines, "%s", e.text);
	}
	pthread_mutex_unlock(&lock);
}
