#include "checks/host_frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"
#include "checks/source_text.h"
#include "kernels/inspect/readable_name.h"

enum { SHOWN_FRAMES_MAX = 8 };

struct host_module {
	char *path;
	struct debug_lines *lines;
};
struct host_modules {
	struct host_module *list;
	size_t count;
};

struct host_modules *host_modules_new(void)
{
	return xcalloc(1, sizeof(struct host_modules));
}

void host_modules_free(struct host_modules *m)
{
	for (size_t i = 0; m && i < m->count; i++) {
		free(m->list[i].path);
		debug_lines_close(m->list[i].lines);
	}
	if (m)
		free(m->list);
	free(m);
}

static struct host_module *open_host_module(struct host_modules *m, const char *path)
{
	for (size_t i = 0; i < m->count; i++)
		if (!strcmp(m->list[i].path, path))
			return &m->list[i];
	m->list = xrealloc(m->list, (m->count + 1) * sizeof *m->list);
	m->list[m->count] = (struct host_module){xstrdup(path), debug_lines_open(path)};
	return &m->list[m->count++];
}

void host_frame_find(struct host_modules *m, const struct host_frame *f, struct source_frames *out)
{
	const struct host_module *module = open_host_module(m, f->module);
	debug_lines_find(module->lines, f->offset, out);
}

/* --- which frames --- */
static bool is_runtime_library(const char *module)
{
	static const char *const names[] = {"libamdhip64.", "libhsa-runtime64.", "libsoftgpu.", "libhiprtc."};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strncmp(path_basename(module), names[i], strlen(names[i])))
			return true;
	return false;
}

/* hipMalloc for a typed pointer is a function of a header. */
static bool is_runtime_frame(struct host_modules *m, const struct host_frame *f)
{
	struct source_frames lines;
	if (is_runtime_library(f->module))
		return true;
	host_frame_find(m, f, &lines);
	bool own = !lines.count || !source_file_is_system(lines.list[source_frames_find_own(&lines)].file);
	source_frames_free(&lines);
	return !own;
}

/* The program need not export its main. */
static bool is_main(struct host_modules *m, const struct host_frame *f)
{
	struct source_frames lines;
	host_frame_find(m, f, &lines);
	const char *function = lines.count ? lines.list[lines.count - 1].function : NULL;
	bool found = !strcmp(f->symbol, "main") || (function && !strcmp(function, "main"));
	source_frames_free(&lines);
	return found;
}

size_t host_stack_find_program(struct host_modules *m, const struct host_stack *s, size_t *first)
{
	size_t from = 0, to;
	while (from < s->count && is_runtime_frame(m, &s->list[from]))
		from++;
	for (to = from; to < s->count && to - from < SHOWN_FRAMES_MAX; to++)
		if (is_main(m, &s->list[to])) {
			to++;
			break;
		}
	*first = from;
	return to - from;
}

char *host_frame_describe(struct host_modules *m, const struct host_frame *f)
{
	struct source_frames lines;
	host_frame_find(m, f, &lines);
	char *name = *f->symbol ? kernel_readable_name(f->symbol) : NULL, *text;
	const struct source_frame *at = lines.count ? &lines.list[source_frames_find_own(&lines)] : NULL;
	if (at)
		text = xasprintf("%s%s%s:%d", at->function ? at->function : "", at->function ? " at " : "",
			source_path_shorten(at->file), at->line);
	else if (name)
		text = xasprintf("%s in %s", name, path_basename(f->module));
	else
		text = xasprintf("%s+0x%llx", path_basename(f->module), (unsigned long long)f->offset);
	free(name);
	source_frames_free(&lines);
	return text;
}
