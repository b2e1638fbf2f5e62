/* The points of a session. A parsed record takes ten times the bytes of its line: a session keeps the lines, and only
 * the records that were read last. */
#ifndef SESSIONS_LOAD_POINT_LIST_H
#define SESSIONS_LOAD_POINT_LIST_H

#include <jansson.h>
#include <stddef.h>

struct point_list {
	struct stored_point *list;
	size_t count, room;
	struct point_ring *ring; /* the points whose parsed records are kept */
};

enum { POINTS_HELD = 1024 /* about 5 MiB */ };

/* Copies the line of a record that can be parsed. */
void point_list_add_line(struct point_list *p, const char *line, size_t n);
void point_list_set_line(struct point_list *p, size_t i, const char *line, size_t n);
/* Adds a record as it is; NULL: a point that was not measured. Takes a reference. */
void point_list_add_record(struct point_list *p, json_t *record);
void point_list_set_record(struct point_list *p, size_t i, json_t *record);
void point_list_copy(struct point_list *p, size_t i, const struct point_list *from, size_t at);
/* Keeps these points, in this order; the list has each at most once. */
void point_list_select(struct point_list *p, const size_t *list, size_t count);
/* The record, which must not be changed; NULL: not measured. Valid until POINTS_HELD others were read: of a long
 * session, read all points in one pass, because each pass parses them again. */
const json_t *point_list_get(const struct point_list *p, size_t i);
void point_list_free(struct point_list *p);

#endif
