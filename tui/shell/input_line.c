#include "tui/shell/input_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/lab/lab.h"
#include "tui/shell/fuzzy_match.h"
#include "tui/shell/keymap.h"
#include "tui/lab/lab_measure.h"

void input_line_open(struct app *a, enum entry_kind kind, const char *text, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(a->entry.prompt, sizeof a->entry.prompt, fmt, ap);
	va_end(ap);
	snprintf(a->entry.text, sizeof a->entry.text, "%s", text);
	a->entry.kind = kind;
	a->entry.typed = NULL;
	app_request_redraw(a);
}

void input_line_open_with(
	struct app *a, bool (*take)(struct app *a, const char *text), const char *text, const char *fmt, ...)
{
	char prompt[sizeof a->entry.prompt];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(prompt, sizeof prompt, fmt, ap);
	va_end(ap);
	input_line_open(a, ENTRY_CALL, text, "%s", prompt);
	a->entry.take = take;
}

/* The filter works while it is typed: the selection goes to what is found best. */
static void filter_changed(struct app *a)
{
	int *order = xcalloc((size_t)(a->bench_count ? a->bench_count : 1), sizeof *order);
	snprintf(a->filter, sizeof a->filter, "%s", a->entry.text);
	if (a->filter[0] && finder_list_matches(a, order) && order[0] != a->current) {
		a->current = order[0];
		if (!app_current_lab(a)->curve.count)
			measure_start_after(a, 400);
	}
	free(order);
}

static bool value_typed(struct app *a)
{
	struct lab *b = app_current_lab(a);
	struct err e = {0};
	double v;
	bool ok;
	if (b->selected == b->axis)
		ok = lab_set_range(b, b->selected, a->entry.text, a->soft, &e);
	else if ((ok = param_parse(&b->x->params[b->selected], a->entry.text, &v, &e)))
		b->values[b->selected] = v;
	if (ok)
		measure_start_after(a, 0);
	else
		app_show_message(a, ROLE_BAD, "%s", e.text);
	return ok;
}

static void commit(struct app *a)
{
	char text[sizeof a->entry.text];
	snprintf(text, sizeof text, "%s", a->entry.text);
	bool ok =
		a->entry.kind == ENTRY_CALL ? a->entry.take(a, text) : a->entry.kind == ENTRY_FILTER || value_typed(a);
	if (ok) /* what does not fit leaves the line open, to be mended */
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

static void rub_out_word(char *text)
{
	while (*text && text[strlen(text) - 1] == ' ')
		rub_out(text);
	while (*text && text[strlen(text) - 1] != ' ')
		rub_out(text);
}

static void type(char *text, size_t size, int key)
{
	size_t n = strlen(text);
	if (n + 4 > size)
		return;
	if (key < 0x80)
		text[n++] = (char)key;
	else if (key < 0x800) {
		text[n++] = (char)(0xc0 | key >> 6);
		text[n++] = (char)(0x80 | (key & 0x3f));
	} else {
		text[n++] = (char)(0xe0 | key >> 12);
		text[n++] = (char)(0x80 | (key >> 6 & 0x3f));
		text[n++] = (char)(0x80 | (key & 0x3f));
	}
	text[n] = 0;
}

bool text_edit_key(char *text, size_t size, int key)
{
	bool letter = key >= 0x20 && key < 0x10000 && key != 0x7f && (key < 0xd800 || key > 0xdfff);
	switch (key) {
	case TK_BACKSPACE:
	case TK_DELETE: rub_out(text); return true;
	case TK_CTRL_U: text[0] = 0; return true;
	case TK_CTRL_W: rub_out_word(text); return true;
	default:
		if (letter)
			type(text, size, key);
		return letter;
	}
}

void input_line_handle_key(struct app *a, int key)
{
	struct input_line *e = &a->entry;
	switch (key) {
	case TK_ESC:
		if (e->kind == ENTRY_FILTER)
			a->filter[0] = 0;
		if (e->kind == ENTRY_CALL && e->typed) {
			e->text[0] = 0;
			e->typed(a);
		}
		e->kind = ENTRY_NONE;
		return;
	case TK_ENTER: commit(a); return;
	default: text_edit_key(e->text, sizeof e->text, key);
	}
	if (e->kind == ENTRY_FILTER)
		filter_changed(a);
	else if (e->kind == ENTRY_CALL && e->typed)
		e->typed(a);
}
