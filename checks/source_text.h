/* Lines of the user's sources, for reports. */
#ifndef CHECKS_SOURCE_TEXT_H
#define CHECKS_SOURCE_TEXT_H

#include <stdbool.h>
#include <time.h>

struct source_text;
/* Sources that changed after `built` are not those that were compiled; 0: any. */
struct source_text *source_text_new(time_t built);
void source_text_free(struct source_text *s); /* NULL: nothing */
/* The line, from 1 on, without spaces at its ends; valid until the next call. NULL: not found, or *changed: the file
 * is newer than the program. */
const char *source_text_line(struct source_text *s, const char *file, int line, bool *changed);
/* Relative to the current folder, if it is below it; points into the path. */
const char *source_path_shorten(const char *path);

#endif
