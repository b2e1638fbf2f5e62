/* How samples are taken, beyond what the experiment says: the same for all points of a session, whose header has it. */
#ifndef EXPERIMENTS_DEFINITION_SAMPLING_H
#define EXPERIMENTS_DEFINITION_SAMPLING_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"

struct sampling {
	bool flush_l2; /* before each sample */
	bool entropy;  /* until their entropy no longer rises, instead of until the interval of the median is narrow */
};

/* The rule after --stop: "interval" or "entropy"; NULL: the first. */
bool sampling_read_stop(const char *text, struct sampling *s, struct err *e);
/* "sampling" of a header and of a plan (docs/protocol.md), and of a job; both do nothing for the default. */
void sampling_add_to_header(const struct sampling *s, json_t *header);
void sampling_add_to_job(const struct sampling *s, json_t *job);
struct sampling sampling_from_header(const json_t *header);
/* What is not the default, in few words: "L2 emptied, stop entropy"; "": nothing. Returns out. */
char *sampling_format_words(const struct sampling *s, char *out, size_t size);
/* The same of what differs from `other`: "L2 kept" where that emptied it. */
char *sampling_format_difference(const struct sampling *s, const struct sampling *other, char *out, size_t size);
bool sampling_is_same(const struct sampling *a, const struct sampling *b);

#endif
