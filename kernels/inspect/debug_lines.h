/* Where in the source the instructions of a file are, with the functions that were inlined there: of a code object, or
 * of a program or library of the host. */
#ifndef KERNELS_INSPECT_DEBUG_LINES_H
#define KERNELS_INSPECT_DEBUG_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/inspect/code_object.h"

/* A function and the place in it. */
struct source_frame {
	char *function; /* as in the source, without parameters; NULL: unknown */
	char *file;     /* absolute, where the tables say that */
	int line;       /* from 1 */
};
enum { SOURCE_FRAMES_MAX = 16 };
struct source_frames {
	struct source_frame list[SOURCE_FRAMES_MAX];
	size_t count; /* 0: the line is unknown */
};

struct debug_lines;
/* NULL: the file cannot be read, or has no tables. Any thread. */
struct debug_lines *debug_lines_open(const char *path);
/* The same of a code object, which must stay open. */
struct debug_lines *debug_lines_from_object(const struct code_object *o);
void debug_lines_close(struct debug_lines *d); /* NULL: nothing */
/* The innermost function first, then those into which it was inlined. The caller frees it with source_frames_free. `d`
 * may be NULL. */
void debug_lines_find(struct debug_lines *d, uint64_t va, struct source_frames *out);
void source_frames_free(struct source_frames *f);
void source_frames_copy(struct source_frames *to, const struct source_frames *from);

/* Whether it belongs to the compiler, the vendor or the system, rather than to the user. */
bool source_file_is_system(const char *path);
/* The innermost frame in a file of the user's; 0 if all are of the system. */
size_t source_frames_find_own(const struct source_frames *f);

#endif
