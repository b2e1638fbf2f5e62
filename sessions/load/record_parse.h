/* Parses a line of a session file. Most bytes of a long session are samples: a dedicated parser reads them several
 * times faster than Jansson, or skips them if the caller does not need them. */
#ifndef SESSIONS_LOAD_RECORD_PARSE_H
#define SESSIONS_LOAD_RECORD_PARSE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Returns the record; NULL if the line is not a record. Without `samples`, a long list "seconds" is left empty, and
 * "samples" is set to its length. */
json_t *record_parse(const char *line, size_t n, bool samples);
size_t record_sample_count(const json_t *record); /* the number of samples of a point, in both cases */

#endif
