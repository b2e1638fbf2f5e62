/* The header line (views and device) and the key line (keys that work in the current place). */
#include <stdio.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "gpu/protocol/header_record.h"
#include "base/paths.h"
#include "base/units.h"
#include "tui/shell/bindings.h"
#include "tui/shell/keymap.h"
#include "tui/shell/shell.h"
#include "tui/shell/status_line.h"
#include "tui/toolkit/screen_layout.h"
#include "tui/shell/screen_draw.h"

/* --- header --- */
/* What the header line says of the views: their keys, and the names of those for which there is room. */
struct header_names {
	bool program;   /* the name of the program, too */
	unsigned views; /* a bit for each view that has its name */
	int gap;        /* blanks behind a name */
};
enum { LETTERS_FROM = 60, PROGRAM_WIDTH = 10 /* "wavedeck", two blanks */, DEVICE_TEXT = DEVICE_NAME_MAX + 80 };

/* A view is opened by the action of its name. The keys of the pages are in the key line and the status line. */
static const struct action *opening_action(const struct app *a, const struct view *v)
{
	return v->is_page || (v->is_empty && v->is_empty(a)) ? NULL : action_by_name(v->name);
}

/* Prefers the letter to the digit. */
static const char *format_view_key(const struct action *k, char out[40])
{
	char keys[40], *last;
	binding_format_keys(k, scope_everywhere(), 2, keys, sizeof keys);
	last = strrchr(keys, ' ');
	if (last && last[1] > '9')
		snprintf(out, 40, "%s", last + 1);
	else
		snprintf(out, 40, "%.*s", (int)strcspn(keys, " "), keys);
	return out;
}

static int view_key_width(const struct app *a, int view, const struct header_names *n)
{
	char key[40];
	const struct action *k = opening_action(a, views[view]);
	return !k ? 0
		  : text_width(format_view_key(k, key)) +
			(n->views >> view & 1 ? text_width(views[view]->name) + 1 + n->gap : 1);
}

static int view_keys_width(const struct app *a, const struct header_names *n)
{
	int w = 0;
	for (int i = 0; views[i]; i++)
		w += view_key_width(a, i, n);
	return w;
}

static bool try_header_names(const struct app *a, struct header_names *n, struct header_names next, int room)
{
	if ((next.program ? PROGRAM_WIDTH : 0) + view_keys_width(a, &next) > room)
		return false;
	*n = next;
	return true;
}

/* The name of the program gives way to those of the views; the view that is shown has its name first. */
static struct header_names choose_header_names(const struct app *a, int room)
{
	struct header_names n = {false, 0, 2};
	if (try_header_names(a, &n, (struct header_names){true, ~0u, 2}, room) ||
		try_header_names(a, &n, (struct header_names){false, ~0u, 2}, room) ||
		try_header_names(a, &n, (struct header_names){false, ~0u, 1}, room))
		return n;
	for (int k = 0; views[k]; k++)
		if (views[k] == a->view)
			try_header_names(a, &n, (struct header_names){false, 1u << k, 2}, room);
	for (int detail = 0; detail < 2; detail++)
		for (int k = 0; views[k]; k++)
			if (views[k]->is_detail == detail)
				try_header_names(a, &n, (struct header_names){false, n.views | 1u << k, 2}, room);
	return n;
}

static void draw_view_key(const struct app *a, struct area at, int x, int view, bool named)
{
	char key[40];
	const struct action *k = opening_action(a, views[view]);
	bool here = a->view == views[view];
	int from = x, name_role = here ? ROLE_SELECTED : ROLE_DIM;
	x += area_draw_text(at, x, 0, here ? ROLE_SELECTED : ROLE_KEY, format_view_key(k, key));
	if (named) {
		x += area_draw_text(at, x, 0, name_role, " ");
		x += area_draw_text(at, x, 0, name_role, views[view]->name);
	}
	if (here) /* visible without colors, too */
		area_add_attr(at, from, 0, x - from, ATTR_UNDERLINE);
	area_add_hit(at, from, 0, x - from, 1, (struct mouse_region){.click = k->name});
}

/* Returns the column after them. */
static int draw_view_keys(const struct app *a, struct area at, int x, const struct header_names *n)
{
	for (int i = 0; views[i]; i++) {
		if (opening_action(a, views[i]))
			draw_view_key(a, at, x, i, n->views >> i & 1);
		x += view_key_width(a, i, n);
	}
	return x;
}

static void format_recording(const struct app *a, int most, char *out, size_t size)
{
	out[0] = 0;
	if (a->recording.file)
		snprintf(out, size, "%s REC %zu point%s  %s ", glyph_text(a->ascii, GLYPH_RECORD), a->recording.written,
			plural_s(a->recording.written), path_basename(recorder_path(a->recording.file)));
	else if (a->recording.on)
		snprintf(out, size, "%s REC waiting for a point ", glyph_text(a->ascii, GLYPH_RECORD));
	if (text_width(out) > most)
		snprintf(out, size, "%s REC %zu point%s ", glyph_text(a->ascii, GLYPH_RECORD), a->recording.written,
			plural_s(a->recording.written));
}

static int draw_device_name(const struct app *a, struct area at, int x)
{
	area_draw_fitted(at, x, 0, at.r.w - x, ROLE_TEXT, a->device);
	return text_width(a->device) + 2;
}

/* "recording; B: back to soft:mi25" */
static void format_recording_device(const struct app *a, char *out, size_t size)
{
	char key[40];
	binding_format_keys(action_by_name("live"), app_key_scope(a), 1, key, sizeof key);
	snprintf(out, size, "recording%s%s%s%s", *key ? "; " : "", key, *key ? ": back to " : "",
		*key ? a->live_device[0] ? a->live_device : device_default_name() : "");
}

/* The recording's name follows if there is room; returns the columns used. */
static int draw_recording_device(const struct app *a, struct area at, int x)
{
	char text[DEVICE_TEXT];
	const char *name = path_basename(device_rest(a->device));
	format_recording_device(a, text, sizeof text);
	int n = text_width(text);
	area_draw_fitted(at, x, 0, at.r.w - x, ROLE_WARN, text);
	area_add_hit(at, x, 0, n, 1, (struct mouse_region){.click = "live"});
	if (x + n + 2 + text_width(name) < at.r.w)
		n += 2 + area_draw_text(at, x + n + 2, 0, ROLE_TEXT, name);
	return n + 2;
}

static const char *missing_device_text(const struct app *a)
{
	return a->fatal[0] ? "not available" : a->program && !a->workers ? "" : "opening...";
}

static int device_width(const struct app *a)
{
	char text[DEVICE_TEXT];
	if (device_can(a->device, DEVICE_RECORDING))
		format_recording_device(a, text, sizeof text);
	else
		snprintf(text, sizeof text, "%s", a->device);
	const json_t *d = a->workers ? worker_pool_device_record(a->workers) : NULL;
	return text_width(text) + (d ? 0 : 2 + text_width(missing_device_text(a)));
}

static void draw_device(const struct app *a, struct area at, int x)
{
	const json_t *d = a->workers ? worker_pool_device_record(a->workers) : NULL;
	bool recording = device_can(a->device, DEVICE_RECORDING);
	x += recording ? draw_recording_device(a, at, x) : draw_device_name(a, at, x);
	if (!d) {
		area_draw_text(at, x, 0, ROLE_DIM, missing_device_text(a));
		return;
	}
	const char *parts[] = {device_get_name(d), device_get_arch(d), device_record_remark(d)};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (x + text_width(parts[i]) < at.r.w) /* each part as a whole or not at all */
			x += area_draw_text(at, x, 0, ROLE_DIM, parts[i]) + 1;
}

void view_draw_header(const struct app *a, struct area at)
{
	char record[200];
	format_recording(a, at.r.w / 4, record, sizeof record);
	int right = at.r.w - text_width(record), x = 1, room = right - 1 - device_width(a) - 3;
	struct header_names n =
		at.r.w >= LETTERS_FROM ? choose_header_names(a, room) : (struct header_names){true, 0, 0};
	if (n.program)
		x += area_draw_text(at, x, 0, ROLE_TITLE, "wavedeck") + 2;
	if (at.r.w >= LETTERS_FROM)
		x = draw_view_keys(a, at, x, &n) + 1;
	draw_device(a, area_sub(at, 0, 0, right - 1, 1), x);
	area_draw_right(at, at.r.w, 0, ROLE_RECORD, record);
}

/* --- keys --- */
static const char *typing_hint(const struct app *a)
{
	if (a->palette)
		return "Enter run   Tab complete   Down select   Up history   Esc close";
	if (a->input.hint)
		return a->input.hint;
	return "Enter accept   Esc cancel   Ctrl-U clear the line";
}

enum { LAST = 3, GAP = 2 };

/* Returns the columns used; 0 when the action has no key here or does not fit before `right`. */
static int draw_hint(struct area at, int x, int right, const struct action *k, uint64_t where)
{
	char key[40];
	binding_format_keys(k, where, 1, key, sizeof key);
	int w = text_width(key), all = w + 1 + text_width(k->hint);
	if (!w || x + all + GAP > right)
		return 0;
	area_draw_text(at, x, 0, ROLE_KEY, key);
	area_draw_text(at, x + w + 1, 0, ROLE_DIM, k->hint);
	area_add_hit(at, x, 0, all, 1, (struct mouse_region){.click = k->name});
	return all + GAP;
}

static bool is_arrow_action(const struct action *k)
{
	return k->key >= TK_UP && k->key <= TK_RIGHT;
}

enum hint_kind { HINT_OF_PLACE = 1, HINT_ARROW = 2 };

/* Keys of the present page of a view, rather than of all its pages. The panes of the home view have few of their own.
 */
static bool is_place_action(const struct app *a, const struct action *k)
{
	return a->view != views[0] && a->view->place_count > 1 &&
		(k->where & view_scope(a->view)) != view_scope(a->view);
}

static int hint_kind(const struct app *a, const struct action *k)
{
	return (is_place_action(a, k) ? HINT_OF_PLACE : 0) | (is_arrow_action(k) ? HINT_ARROW : 0);
}

/* Returns the column after them. */
static int draw_hints(const struct app *a, struct area at, int x, int right, const struct action *const *last, int kind)
{
	uint64_t where = app_key_scope(a);
	const struct action *quit = action_by_name("quit");
	for (size_t i = 0; i < action_count(); i++) {
		const struct action *k = action_at(i);
		bool told = k == last[0] || k == last[1] || k == last[2] || k == quit;
		if (k->where & where && *k->hint && hint_kind(a, k) == kind && !told)
			x += draw_hint(at, x, right, k, where);
	}
	return x;
}

/* As many hints as fit: what the page's own keys do, then those of the view, arrow keys last because users try them
 * anyway. Palette, help and quit or back are always shown, at the right. */
void view_draw_keys(const struct app *a, struct area at)
{
	if (!a->palette && a->input.is_open && !input_line_has_message_room(a, at.r.w)) {
		area_draw_fitted(at, 1, 0, at.r.w - 1, a->message_role, a->message);
		return;
	}
	if (a->palette || a->input.is_open) {
		area_draw_text(at, 1, 0, ROLE_DIM, typing_hint(a));
		return;
	}
	uint64_t where = app_key_scope(a);
	const struct action *last[LAST] = {action_by_name("palette"), action_by_name("help"),
		action_by_name(a->view == views[0] ? "quit" : "back")};
	char key[40];
	int tail = -GAP;
	for (int i = 0; i < LAST; i++)
		tail += text_width(binding_format_keys(last[i], where, 1, key, sizeof key)) + 1 +
			text_width(last[i]->hint) + GAP;
	static const int order[] = {HINT_OF_PLACE | HINT_ARROW, HINT_OF_PLACE, 0, HINT_ARROW};
	int right = at.r.w - 1 - tail, x = 1;
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		x = draw_hints(a, at, x, right, last, order[i]);
	x = right > 1 ? right : 1;
	for (int i = 0; i < LAST; i++)
		x += draw_hint(at, x, at.r.w + GAP, last[i], where);
}
