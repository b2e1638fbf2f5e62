#include "tui/shell/status_line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/lab/edit/file_watch.h"
#include "tui/lab/background_job.h"
#include "tui/lab/lab.h"
#include "experiments/analysis/sweep_estimate.h"
#include "tui/lab/lab_measure.h"
#include "tui/shell/bindings.h"
#include "tui/shell/keymap.h"
#include "tui/shell/shell.h"

static bool is_measuring(const struct app *a)
{
	return measure_is_running(a) && a->workers;
}

/* --- the message --- */
static const char *view_notice(const struct app *a)
{
	return a->view->notice ? a->view->notice(a) : NULL;
}

static const char *status_message(const struct app *a)
{
	const char *notice = view_notice(a);
	bool measuring = is_measuring(a);
	if (a->message[0] || measuring || a->fatal[0])
		return a->message[0] ? a->message : measuring ? "" : a->fatal;
	return notice && text_width(notice) > a->width - NOTICE_COLUMN ? notice : "";
}

bool status_line_continues_notice(const struct app *a)
{
	const char *notice = view_notice(a);
	return notice && !a->input.is_open && !strncmp(status_message(a), notice, strlen(notice));
}

/* --- what runs --- */
enum { JOB_TEXT = DEVICE_NAME_MAX + 700 };
enum { LONG_POINT_S = 10 /* after that the key is shown that cancels: a kernel may never end */ };

/* The key that cancels in a view; "" for none. */
static const char *format_cancel_key(const struct app *a, const struct view *v, char *out, size_t size)
{
	uint64_t scope = view_place_scope(v, v->current_place ? v->current_place(a) : 0);
	return binding_format_keys(action_by_name_at("cancel", scope), scope, 1, out, size);
}

char *cancel_keys_format(const struct app *a, char *out, size_t size)
{
	char home[40], key[40];
	const struct action *go_home = action_by_name(views[0]->name);
	out[0] = 0;
	if (*format_cancel_key(a, a->view, key, sizeof key))
		snprintf(out, size, "%s cancels", key);
	else if (*format_cancel_key(a, views[0], key, sizeof key) &&
		*binding_format_keys(go_home, app_key_scope(a), 1, home, sizeof home))
		snprintf(out, size, "%s, then %s cancels", home, key);
	return out;
}

static int draw_progress(const struct app *a, struct area at)
{
	char bar[64] = "";
	int cells = at.r.w >= 100 ? 20 : 10, done = (int)lround(sweep_fraction(a->sweep) * cells);
	for (int i = 0; i < cells; i++)
		strcat(bar, glyph_text(a->ascii, i < done ? GLYPH_DONE : GLYPH_TODO));
	int x = 1 + area_draw_text(at, 1, 0, ROLE_OK, bar) + 1;
	char text[700], left[48], cancel[100], job[JOB_TEXT];
	size_t n = (size_t)snprintf(
		text, sizeof text, "sweep %d/%d  ", sweep_done_count(a->sweep), a->sweeping->curve.count);
	estimate_format_sweep_left(&a->sweeping->costs, a->sweep, left, sizeof left);
	n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", left, *left ? "  " : "");
	if (sweep_point_elapsed(a->sweep) > LONG_POINT_S && *cancel_keys_format(a, cancel, sizeof cancel))
		n += (size_t)snprintf(text + n, sizeof text - n, "%s  ", cancel);
	snprintf(text + n, sizeof text - n, "%s", sweep_status_text(a->sweep));
	area_draw_fitted(at, x, 0, at.r.w - x, ROLE_TEXT, text);
	x += text_width(text) + 2;
	background_jobs_format_status(a, job, sizeof job);
	if (*job && x + text_width(job) <= at.r.w)
		x += area_draw_text(at, x, 0, ROLE_TEXT, job) + 2;
	return x;
}

/* These views measure on their own: what they show is not the sweep of the workbench. */
static bool view_measures_itself(const struct view *v)
{
	static const char *const names[] = {"heatmap", "lessons", "roofline", NULL};
	return name_list_index(v->name, names) >= 0;
}

static const char *state_text(const struct app *a)
{
	if (a->fatal[0])
		return "no device";
	if (a->program && !a->workers) /* it opens with the first kernel that is measured */
		return "no sweep";
	if (!a->workers || worker_pool_state(a->workers) == WORKER_STARTING)
		return "opening the device";
	if (a->measure_at)
		return "measuring soon";
	return a->sweep && a->sweeping == app_current_lab(a) ? sweep_status_text(a->sweep) : "ready";
}

static int draw_state(const struct app *a, struct area at)
{
	char job[JOB_TEXT];
	background_jobs_format_status(a, job, sizeof job);
	const char *text = state_text(a);
	bool other = a->sweep && text == sweep_status_text(a->sweep) && view_measures_itself(a->view);
	int x = *job ? area_draw_text(at, 1, 0, ROLE_TEXT, job)
		     : area_printf(at, 1, 0, ROLE_OK, "%s%s", other ? "workbench: " : "", text);
	return x + (file_watch_is_on(a) ? area_draw_text(at, 1 + x, 0, ROLE_DIM, ", watching its files") : 0);
}

/* What Space will measure, if it differs from what is shown. */
static void draw_next_sweep(const struct app *a, struct area at, int x)
{
	const struct lab *b = app_current_lab(a);
	char text[120];
	double seconds;
	if (!b || a->fatal[0] || lab_curve_is_complete(b, &b->curve, a->soft))
		return;
	lab_format_estimate(b, a->soft, &seconds, text, sizeof text);
	if (*text && x + 12 + text_width(text) < at.r.w)
		area_printf(at, x, 0, ROLE_DIM, "next sweep %s", text);
}

/* Warnings that arrived while something else was shown here; returns the columns used at the right. */
static int draw_unread_count(const struct app *a, struct area at)
{
	int count = app_unread_log_count(a);
	char text[60], key[40];
	if (!count)
		return 0;
	binding_format_keys(action_by_name("log"), app_key_scope(a), 1, key, sizeof key);
	snprintf(text, sizeof text, "%s %d unread%s%s ", glyph_text(a->ascii, GLYPH_MOVED), count, *key ? ": " : "",
		key);
	area_draw_right(at, at.r.w, 0, ROLE_WARN, text);
	area_add_hit(at, at.r.w - text_width(text), 0, text_width(text), 1, (struct mouse_region){.click = "log"});
	return text_width(text) + 1;
}

bool input_line_has_message_room(const struct app *a, int width)
{
	int x = 1 + text_width(a->input.prompt) + text_width(a->input.text) + 3;
	return x + text_width(a->message) <= width;
}

static void draw_input_line(const struct app *a, struct area at)
{
	int x = 1 + area_draw_text(at, 1, 0, ROLE_KEY, a->input.prompt), room = at.r.w - x - 1;
	const char *text = a->input.text;
	for (; text_width(text) > room && *text; text++) /* keeps the end visible, where the user types */
		while (((unsigned char)text[1] & 0xc0) == 0x80)
			text++;
	area_draw_text(at, x, 0, ROLE_ENTRY, text);
	if (text != a->input.text)
		area_draw_glyph(at, x, 0, ROLE_ENTRY, glyph_text(a->ascii, GLYPH_ELLIPSIS));
	area_draw_text(at, x + text_width(text), 0, ROLE_ENTRY, "_");
	if (input_line_has_message_room(a, at.r.w))
		area_draw_text(at, x + text_width(text) + 3, 0, a->message_role, a->message);
}

static void fill_blank(struct area at)
{
	for (int y = 0; y < at.r.h; y++)
		for (int x = 0; x < at.r.w; x++)
			area_draw_text(at, x, y, ROLE_TEXT, " ");
}

/* A message that does not fit the status line from column x on. It moves to the row above if it fits there, so
 * that the progress stays; otherwise it begins there and continues below. False when the row above is not
 * available. */
static bool draw_message_above(const struct app *a, struct area at, int x, int role, const char *message)
{
	int room = at.r.w - 1;
	bool lasts = !a->message[0] &&
		a->view != views[0]; /* such a message stays until fixed, so it must not cover a row of a page */
	if (at.r.h < 2 || lasts || x + text_width(message) <= at.r.w)
		return false;
	size_t n = x > 1 && text_width(message) <= room ? strlen(message) : text_fit_bytes(message, room);
	fill_blank(area_sub(at, 0, 0, at.r.w, message[n] ? 2 : 1));
	area_printf(at, 1, 0, role, "%.*s", (int)n, message);
	message += n;
	area_draw_fitted(at, 1, 1, room, role, message + strspn(message, " "));
	return true;
}

void status_line_draw(const struct app *a, struct area both)
{
	struct area at = area_sub(both, 0, both.r.h - 1, both.r.w, 1);
	if (a->input.is_open) {
		draw_input_line(a, at);
		return;
	}
	int x = 1;
	bool running = is_measuring(a);
	const char *message = status_message(a);
	int role = a->message[0] ? (int)a->message_role : ROLE_BAD;
	if (status_line_continues_notice(a)) {
		message += text_fit_bytes(view_notice(a), at.r.w - NOTICE_COLUMN);
		message += strspn(message, "; ");
	}
	int free = at.r.w - (*message ? 0 : draw_unread_count(a, at));
	if (running)
		x = draw_progress(a, area_sub(at, 0, 0, free, 1));
	else if (!*message)
		x += draw_state(a, at) + 2;
	if (!running && !*message)
		draw_next_sweep(a, area_sub(at, 0, 0, free, 1), x);
	if (!status_line_continues_notice(a) && draw_message_above(a, both, x, role, message))
		return;
	/* An error is more important than the progress when both do not fit. */
	if (*message && running && role == ROLE_BAD && x + text_width(message) > at.r.w) {
		fill_blank(at);
		x = 1;
	}
	area_draw_fitted(at, x, 0, at.r.w - x, role, message);
}
