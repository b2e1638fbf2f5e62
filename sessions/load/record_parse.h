/* A line of a session file parsed. Most bytes of a long session are samples: they are read by a reader of their own,
 * several times as fast as Jansson's, or left out where nobody asks for them. */
#ifndef SESSIONS_LOAD_RECORD_PARSE_H
#define SESSIONS_LOAD_RECORD_PARSE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The record, or NULL when the line is none. Without `samples` a long "seconds" is empty and "samples" says how many
 * there were. */
json_t *record_parse(const char *line, size_t n, bool samples);
size_t record_sample_count(const json_t *record); /* how many a point has, either way */

#endif
