#include "tui/entry.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tui/bench.h"
#include "tui/code.h"
#include "tui/keys.h"
#include "tui/measure.h"

void entry_begin(struct app *a, enum entry_kind kind, const char *text, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(a->entry.prompt, sizeof a->entry.prompt, fmt, ap);
	va_end(ap);
	snprintf(a->entry.text, sizeof a->entry.text, "%s", text);
	a->entry.kind = kind;
	a->entry.edited = false;
	app_changed(a);
}

/* The filter works while it is typed: the selection goes to the first experiment that is left. */
static void filter_changed(struct app *a)
{
	snprintf(a->filter, sizeof a->filter, "%s", a->entry.text);
	struct bench *b = app_bench(a);
	if (b && app_matches(a, b->x))
		return;
	for (int i = 0; i < a->bench_count; i++)
		if (app_matches(a, a->benches[i].x)) {
			a->current = i;
			if (!a->benches[i].curve.count)
				measure_soon(a, 400);
			return;
		}
}

static bool value_typed(struct app *a)
{
	struct bench *b = app_bench(a);
	struct err e = {0};
	double v;
	bool ok;
	if (b->selected == b->axis)
		ok = bench_set_range(b, b->selected, a->entry.text, a->soft, &e);
	else if ((ok = param_parse(&b->x->params[b->selected], a->entry.text, &v, &e)))
		b->values[b->selected] = v;
	if (ok)
		measure_soon(a, 0);
	else
		app_say(a, ROLE_BAD, "%s", e.text);
	return ok;
}

static void commit(struct app *a)
{
	/* A value that does not fit leaves the line open, to be mended. */
	if (a->entry.kind == ENTRY_CODE)
		code_found(a, a->entry.text, !a->entry.edited);
	if (a->entry.kind != ENTRY_VALUE || value_typed(a))
		a->entry.kind = ENTRY_NONE;
}

static void rub_out(char *text)
{
	size_t n = strlen(text);
	while (n && ((unsigned char)text[n - 1] & 0xc0) == 0x80)
		n--;
	if (n)
		text[n - 1] = 0;
}

static void type(struct entry *e, int key)
{
	size_t n = strlen(e->text);
	if (key < 0x20 || key >= 0x800 || n + 3 > sizeof e->text)
		return;
	if (key < 0x80)
		e->text[n++] = (char)key;
	else {
		e->text[n++] = (char)(0xc0 | key >> 6);
		e->text[n++] = (char)(0x80 | (key & 0x3f));
	}
	e->text[n] = 0;
}

void entry_key(struct app *a, int key)
{
	struct entry *e = &a->entry;
	switch (key) {
	case TK_ESC:
		if (e->kind == ENTRY_FILTER)
			a->filter[0] = 0;
		e->kind = ENTRY_NONE;
		return;
	case TK_ENTER: commit(a); return;
	case TK_BACKSPACE: case TK_DELETE: rub_out(e->text); break;
	case TK_CTRL_U: e->text[0] = 0; break;
	default: type(e, key);
	}
	e->edited = true;
	if (e->kind == ENTRY_FILTER)
		filter_changed(a);
	else if (e->kind == ENTRY_CODE)
		code_found(a, e->text, false);
}
