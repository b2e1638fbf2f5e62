/* How the samples of a point came about, in words. */
#ifndef SESSIONS_LOAD_SAMPLING_TEXT_H
#define SESSIONS_LOAD_SAMPLING_TEXT_H

#include <jansson.h>
#include <stddef.h>

/* "clock limited by power; measured again; drifted by 2 % while it was measured; 3 of 30 samples are outliers"; "" if
 * there is nothing to say. */
char *point_format_sampling(const json_t *point, char *out, size_t size);

#endif
