/* Actions that write what is on the screen: to a file, to the clipboard. */
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/buf.h"
#include "tui/lab/files/curve_files.h"
#include "tui/shell/general_actions.h"
#include "tui/shell/input_line.h"
#include "tui/shell/screen_draw.h"

static char *dump_screen_text(const struct app *a)
{
	struct grid g = {0};
	grid_resize(&g, a->width, a->height);
	screen_draw(a, &g);
	char *text = grid_dump_text(&g);
	grid_free(&g);
	return text;
}

/* --- to a file --- */
static void print_plain_text(FILE *out, const void *text)
{
	fputs(text, out);
}

static bool export_screen_text(const struct app *a, const char *path, struct err *e)
{
	char *text = dump_screen_text(a);
	bool ok = file_write_atomic(path, print_plain_text, text, "; choose another file", e);
	free(text);
	return ok;
}

static bool path_ends_with(const char *path, const char *end)
{
	size_t n = strlen(path), m = strlen(end);
	return n > m && !strcmp(path + n - m, end);
}

/* A table of the curve lacks what the plot shows of the pinned ones. */
static void note_missing_comparison(struct app *a, const char *path)
{
	const char *dot = strrchr(path, '.');
	bool screen = path_ends_with(path, ".txt") || path_ends_with(path, ".png");
	if (a->view == views[0] && a->pin_view != PINS_AS_CURVES && !screen && !curve_export_is_picture(path))
		app_show_message(a, ROLE_WARN,
			"written, but %s has no %s of pinned curves; export .svg or .html for it", dot ? dot : "it",
			a->pin_view == PINS_AS_RATIO ? "ratio" : "difference");
}

/* `path` is absolute. */
static void export_to_path(struct app *a, const char *path)
{
	struct lab *b = app_current_lab(a);
	struct err e = {0};
	bool ok;
	if (path_ends_with(path, ".txt"))
		ok = export_screen_text(a, path, &e);
	else if (path_ends_with(path, ".png"))
		ok = screen_write_picture(a, path, &e);
	else if (a->view->export) {
		a->view->export(a, path);
		return;
	} else
		ok = b && curve_export(b, &b->curve, a->pin_view, path, &e);
	if (ok && b && path_ends_with(path, session_suffix))
		curves_mark_saved(a, b->curve.header);
	export_report(a, path, ok, &e);
	if (ok)
		note_missing_comparison(a, path);
}

static bool take_export_path(struct app *a, const char *text)
{
	if (*text) {
		char *path = path_from_user(text);
		export_to_path(a, path);
		free(path);
	}
	return true;
}

static char *suggest_export_name(const struct app *a)
{
	const struct lab *b = app_current_lab(a);
	if (a->view->export_name)
		return a->view->export_name(a);
	char *base = b && b->curve.header ? session_base_name(b->curve.header) : xstrdup("wavedeck"),
	     *name = xasprintf("%s.html", base);
	free(base);
	return name;
}

void act_export(struct app *a, const char *argument)
{
	if (argument) {
		take_export_path(a, argument);
		return;
	}
	char *name = suggest_export_name(a), *path = export_suggest_path(a, name);
	input_line_open(a, take_export_path, path, "export to: ");
	a->input.hint = "Enter write   .csv .json .gp .svg .html .wbs .txt .png   Esc cancel";
	free(name);
	free(path);
}

/* --- to the clipboard --- */
enum { CLIPBOARD_MAX = 70000 /* xterm and others take about 100 kB of base64 */ };

void act_copy(struct app *a)
{
	char *text = a->view->copy ? a->view->copy(a) : dump_screen_text(a);
	if (!text)
		return;
	int lines = 0;
	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	if (strlen(text) > CLIPBOARD_MAX) {
		app_show_message(a, ROLE_BAD,
			"too long for the clipboard (%zu of at most %d bytes); :export writes a file", strlen(text),
			CLIPBOARD_MAX);
		free(text);
		return;
	}
	free(a->clipboard);
	a->clipboard = text;
	app_show_message(a, ROLE_OK, "copied %d lines to the clipboard, if the terminal allows OSC 52", lines);
}
