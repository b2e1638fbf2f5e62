#include "sessions/load/point_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "sessions/load/record_parse.h"

struct stored_point {
	char *line; /* NULL: the record was added as it is */
	size_t length;
	json_t *record; /* NULL: not parsed, or not measured */
};

/* The oldest record is freed first. */
struct point_ring {
	size_t points[POINTS_HELD], count;
};

static void add_stored_point(struct point_list *p)
{
	if (p->count == p->room) {
		p->room = p->room ? 2 * p->room : 64;
		p->list = xrealloc(p->list, p->room * sizeof *p->list);
	}
	p->list[p->count++] = (struct stored_point){0};
}

static void forget_record(struct stored_point *s)
{
	json_decref(s->record);
	s->record = NULL;
}

static struct stored_point *clear_stored_point(struct point_list *p, size_t i)
{
	forget_record(&p->list[i]);
	free(p->list[i].line);
	p->list[i] = (struct stored_point){0};
	return &p->list[i];
}

void point_list_set_line(struct point_list *p, size_t i, const char *line, size_t n)
{
	struct stored_point *s = clear_stored_point(p, i);
	if (!p->ring)
		p->ring = xcalloc(1, sizeof *p->ring);
	s->line = xmalloc(n);
	memcpy(s->line, line, n);
	s->length = n;
}

void point_list_add_line(struct point_list *p, const char *line, size_t n)
{
	add_stored_point(p);
	point_list_set_line(p, p->count - 1, line, n);
}

void point_list_set_record(struct point_list *p, size_t i, json_t *record)
{
	json_incref(record);
	clear_stored_point(p, i)->record = record;
}

void point_list_add_record(struct point_list *p, json_t *record)
{
	add_stored_point(p);
	p->list[p->count - 1].record = json_incref(record);
}

void point_list_copy(struct point_list *p, size_t i, const struct point_list *from, size_t at)
{
	if (from->list[at].line)
		point_list_set_line(p, i, from->list[at].line, from->list[at].length);
	else
		point_list_set_record(p, i, from->list[at].record);
}

void point_list_select(struct point_list *p, const size_t *list, size_t count)
{
	struct stored_point *kept = xcalloc(count ? count : 1, sizeof *kept);
	for (size_t i = 0; i < count; i++) {
		kept[i] = p->list[list[i]];
		p->list[list[i]] = (struct stored_point){0};
		if (kept[i].line) /* the ring knows it by its old place */
			forget_record(&kept[i]);
	}
	for (size_t i = 0; i < p->count; i++)
		clear_stored_point(p, i);
	free(p->list);
	p->list = kept;
	p->count = p->room = count;
	if (p->ring)
		p->ring->count = 0;
}

static json_t *parse_stored_point(const struct point_list *p, size_t i)
{
	struct point_ring *r = p->ring;
	size_t *place = &r->points[r->count % POINTS_HELD];
	if (r->count++ >= POINTS_HELD && p->list[*place].line)
		forget_record(&p->list[*place]);
	*place = i;
	return p->list[i].record = record_parse(p->list[i].line, p->list[i].length, true);
}

const json_t *point_list_get(const struct point_list *p, size_t i)
{
	struct stored_point *s = &p->list[i];
	return s->record || !s->line ? s->record : parse_stored_point(p, i);
}

void point_list_free(struct point_list *p)
{
	for (size_t i = 0; i < p->count; i++)
		clear_stored_point(p, i);
	free(p->ring);
	free(p->list);
	*p = (struct point_list){0};
}
