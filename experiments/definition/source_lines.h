/* Where the keys of a definition stand in its text: Lua keeps no lines for table fields, so the returned table
 * constructor is read once more. */
#ifndef EXPERIMENTS_DEFINITION_SOURCE_LINES_H
#define EXPERIMENTS_DEFINITION_SOURCE_LINES_H

#include <stddef.h>

struct source_lines;

/* `text` must have been accepted by Lua. The caller frees the result with source_lines_free. */
struct source_lines *source_lines_scan(const char *text, size_t len);
void source_lines_free(struct source_lines *s);

/* The line of a field such as "params[2].max", else of what holds it, else of the return statement; 0 when there is
 * none. */
int source_line_of(const struct source_lines *s, const char *path);
/* The field's rank in the text, to put fields with names in the order they were written; -1 when it was not written as
 * a constructor. */
int source_rank_of(const struct source_lines *s, const char *path);

#endif
