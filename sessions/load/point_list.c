#include "sessions/load/point_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/protocol/point_record.h"
#include "sessions/load/shared_members.h"

struct stored_point {
	struct cut_line line; /* no text: the record was added as it is */
	json_t *record;       /* NULL: not parsed, or not measured */
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
	cut_line_free(&p->list[i].line);
	p->list[i] = (struct stored_point){0};
	return &p->list[i];
}

static void set_cut_line(struct point_list *p, size_t i, struct cut_line line)
{
	if (!p->ring)
		p->ring = xcalloc(1, sizeof *p->ring);
	clear_stored_point(p, i)->line = line;
}

json_t *point_list_parse_line(struct point_list *p, const char *line, size_t n)
{
	struct cut_line cut = line_cut(&p->shared, line, n);
	json_t *record = cut_line_parse(&cut);
	cut_line_free(&cut);
	return record;
}

void point_list_add_code(struct point_list *p, const char *line, size_t n)
{
	shared_values_add_code(&p->shared, line, n);
}

void point_list_set_line(struct point_list *p, size_t i, const char *line, size_t n)
{
	set_cut_line(p, i, line_cut(&p->shared, line, n));
}

void point_list_add_line(struct point_list *p, const char *line, size_t n)
{
	add_stored_point(p);
	point_list_set_line(p, p->count - 1, line, n);
}

/* A list that became long forgets what it held, so that its ring begins again. */
static void limit_ring(const struct point_list *p)
{
	struct point_ring *r = p->ring;
	size_t held = p->count > POINTS_HELD ? POINTS_HELD_OF_LONG : POINTS_HELD;
	if (r->held == held)
		return;
	for (size_t k = 0; k < r->count && k < r->held; k++)
		if (p->list[r->points[k]].line.text)
			forget_record(&p->list[r->points[k]]);
	r->held = held;
	r->count = 0;
}

/* Keeps the record of a line until r->held others were read. */
static const json_t *hold_record(const struct point_list *p, size_t i, json_t *record)
{
	struct point_ring *r = p->ring;
	limit_ring(p);
	size_t *place = &r->points[r->count % r->held];
	if (r->count++ >= r->held && p->list[*place].line.text)
		forget_record(&p->list[*place]);
	*place = i;
	return p->list[i].record = record;
}

void point_list_set_packed(struct point_list *p, size_t i, json_t *record)
{
	set_cut_line(p, i, line_pack(record));
	hold_record(p, i, json_incref(record));
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
	if (from->list[at].line.text)
		set_cut_line(p, i, cut_line_copy(&from->list[at].line));
	else
		point_list_set_record(p, i, from->list[at].record);
}

void point_list_select(struct point_list *p, const size_t *list, size_t count)
{
	struct stored_point *kept = xcalloc(count ? count : 1, sizeof *kept);
	for (size_t i = 0; i < count; i++) {
		kept[i] = p->list[list[i]];
		p->list[list[i]] = (struct stored_point){0};
		if (kept[i].line.text) /* the ring knows it by its old place */
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

static const json_t *parse_stored_point(const struct point_list *p, size_t i)
{
	p->ring->parsed++;
	return hold_record(p, i, cut_line_parse(&p->list[i].line));
}

const json_t *point_list_get(const struct point_list *p, size_t i)
{
	struct stored_point *s = &p->list[i];
	return s->record || !s->line.text ? s->record : parse_stored_point(p, i);
}

struct text_span point_list_get_line(const struct point_list *p, size_t i)
{
	const struct cut_line *line = &p->list[i].line;
	return line->text ? (struct text_span){line->text, line->text + line->length} : (struct text_span){NULL, NULL};
}

json_t *point_list_get_params(const struct point_list *p, size_t i)
{
	struct text_span line = point_list_get_line(p, i), params;
	if (p->list[i].record || !line.from)
		return json_incref(record_get_params(p->list[i].record));
	return record_find_member(line, "params", &params)
		? json_loadb(params.from, (size_t)(params.to - params.from), 0, NULL)
		: NULL;
}

void point_list_free(struct point_list *p)
{
	for (size_t i = 0; i < p->count; i++)
		clear_stored_point(p, i);
	json_decref(p->shared);
	free(p->ring);
	free(p->list);
	*p = (struct point_list){0};
}
