#include "tui/lab/undo.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum { DEPTH = 64 };

/* What can be taken back, the latest last, and what can be done again. */
struct stack {
	struct lab_settings *list[DEPTH];
	int count;
};
struct undo_history {
	struct stack back, forward;
};

static void clear(struct stack *s)
{
	while (s->count)
		free(s->list[--s->count]);
}

static void push(struct stack *s, const struct lab_settings *one)
{
	if (s->count == DEPTH) { /* the oldest goes */
		free(s->list[0]);
		memmove(s->list, s->list + 1, (DEPTH - 1) * sizeof *s->list);
		s->count--;
	}
	s->list[s->count] = xmalloc(sizeof *one);
	*s->list[s->count++] = *one;
}

void lab_settings_capture(const struct lab *b, struct lab_settings *out)
{
	memset(out, 0, sizeof *out);
	memcpy(out->values, b->values, sizeof out->values);
	memcpy(out->ranges, b->ranges, sizeof out->ranges);
	out->axis = b->axis;
	out->preset = b->preset;
}

static void put(struct lab *b, const struct lab_settings *from)
{
	memcpy(b->values, from->values, sizeof b->values);
	memcpy(b->ranges, from->ranges, sizeof b->ranges);
	b->axis = from->axis;
	b->preset = from->preset;
}

/* A preset's number alone is no setting. */
static bool differs(const struct lab_settings *x, const struct lab *b)
{
	bool same = x->axis == b->axis;
	for (int i = 0; same && i < b->x->param_count; i++)
		same = x->values[i] == b->values[i] && !strcmp(x->ranges[i], b->ranges[i]);
	return !same;
}

void undo_push(struct lab *b, const struct lab_settings *before, bool joined)
{
	if (!differs(before, b))
		return;
	if (!b->history)
		b->history = xcalloc(1, sizeof *b->history);
	if (!joined || !b->history->back.count)
		push(&b->history->back, before);
	clear(&b->history->forward);
}

bool undo_move(struct lab *b, int by)
{
	struct undo_history *h = b->history;
	struct stack *from = !h ? NULL
		: by < 0        ? &h->back
				: &h->forward,
		     *to = !h ? NULL
		: by < 0      ? &h->forward
			      : &h->back;
	struct lab_settings now;
	if (!from || !from->count)
		return false;
	lab_settings_capture(b, &now);
	push(to, &now);
	put(b, from->list[--from->count]);
	free(from->list[from->count]);
	return true;
}

void undo_free(struct lab *b)
{
	if (!b->history)
		return;
	clear(&b->history->back);
	clear(&b->history->forward);
	free(b->history);
	b->history = NULL;
}
