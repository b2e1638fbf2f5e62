/* The points of a session. A parsed record takes ten times the bytes of its line: a session keeps the lines, without
 * the members that many points share (shared_members.h), and only the records that were read last. */
#ifndef SESSIONS_LOAD_POINT_LIST_H
#define SESSIONS_LOAD_POINT_LIST_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "sessions/load/record_members.h"

enum {
	POINTS_HELD = 1024, /* about 5 MiB */
	/* Of a list with more points, which is read in passes: records that are freed while they are in the processor's
	 * cache take a fifth of the time less. */
	POINTS_HELD_OF_LONG = 64
};

/* The points whose parsed records are kept. The oldest record is freed first. */
struct point_ring {
	size_t points[POINTS_HELD], count;
	size_t held;   /* how many records are kept */
	size_t parsed; /* lines, by all reads so far */
};

struct point_list {
	struct stored_point *list;
	size_t count, room;
	struct point_ring *ring;
	json_t *shared; /* values that lines have in common */
};

/* The record of a line as the list would return it, which must not be changed; the caller owns it. NULL: it is none. */
json_t *point_list_parse_line(struct point_list *p, const char *line, size_t n);
/* Notes the code that points refer to by its hash, from the line of a record "code" that comes before them. */
void point_list_add_code(struct point_list *p, const char *line, size_t n);
/* Copies the line of a record that can be parsed. */
void point_list_add_line(struct point_list *p, const char *line, size_t n);
void point_list_set_line(struct point_list *p, size_t i, const char *line, size_t n);
/* Adds a record as it is; NULL: a point that was not measured. Takes a reference. */
void point_list_add_record(struct point_list *p, json_t *record);
void point_list_set_record(struct point_list *p, size_t i, json_t *record);
/* Keeps the record as a line, a tenth of its memory. Takes a reference for a while. */
void point_list_set_packed(struct point_list *p, size_t i, json_t *record);
void point_list_copy(struct point_list *p, size_t i, const struct point_list *from, size_t at);
/* Keeps these points, in this order; the list has each at most once. */
void point_list_select(struct point_list *p, const size_t *list, size_t count);
/* The record, which must not be changed; NULL: not measured. Valid until POINTS_HELD_OF_LONG others were read. Read all
 * points of a long session in one pass, because each pass parses them again. */
const json_t *point_list_get(const struct point_list *p, size_t i);
/* The parameters alone, which takes a quarter of the time. The caller owns them; NULL: not measured. */
json_t *point_list_get_params(const struct point_list *p, size_t i);
/* The record's line, for record_next_member; `code` and `kernel` may be 0 in it. From NULL: it has none. Valid until
 * the point is changed. */
struct text_span point_list_get_line(const struct point_list *p, size_t i);
void point_list_free(struct point_list *p);

#endif
