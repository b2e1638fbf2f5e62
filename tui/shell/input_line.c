#include "tui/shell/input_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tui/toolkit/key_codes.h"

void input_line_open(
	struct app *a, bool (*take)(struct app *a, const char *text), const char *text, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(a->input.prompt, sizeof a->input.prompt, fmt, ap);
	va_end(ap);
	snprintf(a->input.text, sizeof a->input.text, "%s", text);
	a->input.is_open = true;
	a->input.changed = false;
	a->input.take = take;
	a->input.typed = NULL;
	a->input.hint = NULL;
	app_request_redraw(a);
}

/* A text that is not accepted leaves the line open, so that the user can correct it. */
static void submit_line(struct app *a)
{
	char text[sizeof a->input.text];
	snprintf(text, sizeof text, "%s", a->input.text);
	if (a->input.take(a, text))
		a->input.is_open = false;
}

static void delete_character(char *text)
{
	size_t n = strlen(text);
	while (n && ((unsigned char)text[n - 1] & 0xc0) == 0x80)
		n--;
	if (n)
		text[n - 1] = 0;
}

static void delete_word(char *text)
{
	while (*text && text[strlen(text) - 1] == ' ')
		delete_character(text);
	while (*text && text[strlen(text) - 1] != ' ')
		delete_character(text);
}

static void append_character(char *text, size_t size, int key)
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
	case TK_DELETE: delete_character(text); return true;
	case TK_CTRL_U: text[0] = 0; return true;
	case TK_CTRL_W: delete_word(text); return true;
	default:
		if (letter)
			append_character(text, size, key);
		return letter;
	}
}

void input_line_handle_key(struct app *a, int key)
{
	struct input_line *e = &a->input;
	switch (key) {
	case TK_ENTER: submit_line(a); return;
	case TK_ESC:
		e->is_open = false;
		e->text[0] = 0;
		break;
	default: e->changed |= text_edit_key(e->text, sizeof e->text, key);
	}
	if (e->typed)
		e->typed(a);
}
