/* Which measured curves are in no session file. */
#include <stdlib.h>

#include "base/buf.h"
#include "tui/lab/files/curve_files.h"

struct curve_set {
	struct measured_curve **list; /* owned; the curves belong to their labs */
	int count;
};

static void add_to_set(struct curve_set *s, struct measured_curve *c)
{
	if (!c->header)
		return;
	s->list = xrealloc(s->list, (size_t)(s->count + 1) * sizeof *s->list);
	s->list[s->count++] = c;
}

static void collect_lab_curves(struct lab *b, struct curve_set *s)
{
	add_to_set(s, &b->curve);
	add_to_set(s, &b->previous);
	for (int i = 0; i < EARLIER_CURVES_MAX; i++)
		add_to_set(s, &b->earlier[i]);
	for (int i = 0; i < b->pin_count; i++)
		add_to_set(s, &b->pins[i].curve);
}

static struct curve_set collect_all_curves(const struct app *a)
{
	struct curve_set s = {0};
	for (int i = 0; i < a->lab_count; i++)
		collect_lab_curves(&a->labs[i], &s);
	for (int i = 0; views[i]; i++)
		if (views[i]->measured && views[i]->measured(a))
			add_to_set(&s, views[i]->measured(a));
	return s;
}

static bool curve_has_result(const struct measured_curve *c)
{
	for (int i = 0; i < c->count; i++)
		if (c->points[i].status == POINT_OK && c->points[i].record)
			return true;
	return false;
}

/* Of the copies of a curve, the first with the most points; a copy that is saved stands for all of them. */
static bool copy_replaces(const struct curve_set *s, int i)
{
	const struct measured_curve *c = s->list[i];
	for (int k = 0; k < s->count; k++) {
		const struct measured_curve *other = s->list[k];
		if (k != i && other->header == c->header &&
			(other->saved || other->ended > c->ended || (other->ended == c->ended && k < i)))
			return true;
	}
	return false;
}

/* Keeps what is to be saved. */
static struct curve_set collect_unsaved_curves(const struct app *a)
{
	struct curve_set all = collect_all_curves(a), unsaved = {0};
	for (int i = 0; i < all.count; i++)
		if (!all.list[i]->saved && curve_has_result(all.list[i]) && !copy_replaces(&all, i))
			add_to_set(&unsaved, all.list[i]);
	free(all.list);
	return unsaved;
}

int unsaved_curves_count(const struct app *a)
{
	struct curve_set s = collect_unsaved_curves(a);
	free(s.list);
	return s.count;
}

void curves_mark_saved(struct app *a, const json_t *header)
{
	struct curve_set s = collect_all_curves(a);
	for (int i = 0; i < s.count; i++)
		if (s.list[i]->header == header)
			s.list[i]->saved = true;
	free(s.list);
}

int unsaved_curves_save(struct app *a, struct err *e)
{
	struct curve_set s = collect_unsaved_curves(a);
	int saved = 0;
	while (saved < s.count && curve_save(s.list[saved], NULL, e))
		curves_mark_saved(a, s.list[saved++]->header);
	free(s.list);
	return saved;
}
