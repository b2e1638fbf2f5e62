/* The members of a record in its line, without parsing it: those of the record itself, not of objects in it. */
#ifndef SESSIONS_LOAD_RECORD_MEMBERS_H
#define SESSIONS_LOAD_RECORD_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>

struct text_span {
	const char *from, *to;
};
struct record_member {
	struct text_span name, value; /* the name without its quotation marks */
};

/* The member that begins at *at, which moves behind it; the first call has the start of the line. False at the end, or
 * where the line is no record. */
bool record_next_member(const char **at, const char *end, struct record_member *out);
/* The first member of that name in the line, without parsing it; false: there is none. */
bool record_find_member(struct text_span line, const char *name, struct text_span *value);
bool text_span_is(struct text_span s, const char *text);

#endif
