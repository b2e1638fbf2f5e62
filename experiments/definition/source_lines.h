/* Line numbers of a definition's fields. Lua does not keep them for tables, so the returned table constructor is
 * scanned again. */
#ifndef EXPERIMENTS_DEFINITION_SOURCE_LINES_H
#define EXPERIMENTS_DEFINITION_SOURCE_LINES_H

#include <stddef.h>

struct source_lines;

/* `text` must be valid Lua. source_lines_free. */
struct source_lines *source_lines_scan(const char *text, size_t len);
void source_lines_free(struct source_lines *s);

/* The line of a field such as "params[2].max"; else of its closest parent, else of the return statement; else 0. */
int source_line_of(const struct source_lines *s, const char *path);
/* Position of the field in the text, for sorting named fields in the order they were written; -1 if the text has no
 * constructor with it. */
int source_rank_of(const struct source_lines *s, const char *path);

#endif
