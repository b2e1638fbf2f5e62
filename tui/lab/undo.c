#include "tui/lab/undo.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum { UNDO_DEPTH = 64 };

/* The latest change is last. */
struct settings_stack {
	struct lab_settings *list[UNDO_DEPTH];
	int count;
};
struct undo_history {
	struct settings_stack back, forward;
};

static void clear_stack(struct settings_stack *s)
{
	while (s->count)
		free(s->list[--s->count]);
}

static void push_settings(struct settings_stack *s, const struct lab_settings *one)
{
	if (s->count == UNDO_DEPTH) { /* drops the oldest */
		free(s->list[0]);
		memmove(s->list, s->list + 1, (UNDO_DEPTH - 1) * sizeof *s->list);
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

static void restore_settings(struct lab *b, const struct lab_settings *from)
{
	memcpy(b->values, from->values, sizeof b->values);
	memcpy(b->ranges, from->ranges, sizeof b->ranges);
	b->axis = from->axis;
	b->preset = from->preset;
}

/* The preset alone is not a change. */
static bool settings_differ(const struct lab_settings *x, const struct lab *b)
{
	bool same = x->axis == b->axis;
	for (int i = 0; same && i < b->x->param_count; i++)
		same = x->values[i] == b->values[i] && !strcmp(x->ranges[i], b->ranges[i]);
	return !same;
}

void undo_push(struct lab *b, const struct lab_settings *before, bool joined)
{
	if (!settings_differ(before, b))
		return;
	if (!b->history)
		b->history = xcalloc(1, sizeof *b->history);
	if (!joined || !b->history->back.count)
		push_settings(&b->history->back, before);
	clear_stack(&b->history->forward);
}

bool undo_move(struct lab *b, int by)
{
	struct undo_history *h = b->history;
	struct settings_stack *from = !h ? NULL
		: by < 0                 ? &h->back
					 : &h->forward,
			      *to = !h ? NULL
		: by < 0               ? &h->forward
				       : &h->back;
	struct lab_settings now;
	if (!from || !from->count)
		return false;
	lab_settings_capture(b, &now);
	push_settings(to, &now);
	restore_settings(b, from->list[--from->count]);
	free(from->list[from->count]);
	return true;
}

void undo_free(struct lab *b)
{
	if (!b->history)
		return;
	clear_stack(&b->history->back);
	clear_stack(&b->history->forward);
	free(b->history);
	b->history = NULL;
}
