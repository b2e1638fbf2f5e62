/* Members of records that many points of a session have in common: the code of the kernel, and where it is from. They
 * are most of a record's bytes. A list of points keeps each value once, in its parsed form; in the lines that it keeps
 * the number 0 stands for it. A file of schema 2 writes the code once, too: a record "code" has it, and points name its
 * hash (docs/protocol.md). */
#ifndef SESSIONS_LOAD_SHARED_MEMBERS_H
#define SESSIONS_LOAD_SHARED_MEMBERS_H

#include <jansson.h>
#include <stddef.h>

enum {
	SHARED_MEMBERS = 2,      /* "code", "kernel" */
	SHARED_VALUES_MAX = 1000 /* kept parsed, some MiB; a session with more has a kernel for each point */
};

/* A line of a record without its shared members. */
struct cut_line {
	char *text; /* owned, not terminated */
	size_t length;
	json_t *values[SHARED_MEMBERS]; /* owned; NULL: the record has no such member, or the line still has it */
	unsigned missing;               /* bit of a member: the record that it names was not read */
};

/* A table has values by the text that stands for them in a line. The first addition creates it; the caller releases it
 * with json_decref. */

/* Notes the value of a record "code", from its line. */
void shared_values_add_code(json_t **table, const char *line, size_t n);
struct cut_line line_cut(json_t **table, const char *line, size_t n);
/* The line of a record whose shared members are already shared. */
struct cut_line line_pack(const json_t *record);
/* The parsed record with its shared members, which must not be changed. The caller owns it; NULL: not a record. */
json_t *cut_line_parse(const struct cut_line *c);
struct cut_line cut_line_copy(const struct cut_line *c);
void cut_line_free(struct cut_line *c);

#endif
