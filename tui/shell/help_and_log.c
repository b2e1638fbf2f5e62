/* Views with one body: the keys and the log. */
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "tui/shell/bindings.h"
#include "tui/shell/screen_draw.h"

/* --- help: made of the keys table --- */
static const struct {
	unsigned where;
	const char *title;
} groups[] = {
	{IN_MAIN, "Anywhere in the workbench"},
	{IN_LIST, "Experiments"},
	{IN_PARAMS, "Parameters"},
	{IN_PLOT, "Plot"},
	{IN_PAGE, "Help and messages"},
	{IN_LOG, "Messages"},
	{IN_CODE, "Code"},
	{IN_INSPECTOR, "Inside"},
	{IN_LESSONS, "Lessons"},
	{IN_SESSIONS, "Sessions"},
	{IN_DEVICES, "Devices"},
	{IN_ALL, "Everywhere"},
};

/* The group in which an action is told: the largest one that it works in the whole of. */
static bool belongs(const struct action *k, size_t group)
{
	size_t best = 0;
	int most = -1;
	for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
		int places = __builtin_popcount(groups[g].where);
		if ((k->where & groups[g].where) == groups[g].where && places > most) {
			most = places;
			best = g;
		}
	}
	return most > 0 && best == group;
}

struct lines {
	struct area in;
	int skip, count;
};

enum { TEXT_LEAST = 8 };

/* A text over as many rows as it needs; what stands before it is on the first. */
static void rows(struct lines *l, int before_role, const char *before, int at, int role, const char *text)
{
	int width = l->in.r.w - at;
	do {
		size_t n = text_fit_bytes(text, width > TEXT_LEAST ? width : TEXT_LEAST);
		int y = l->count++ - l->skip;
		if (y >= 0 && y < l->in.r.h) {
			area_draw_text(l->in, 1, y, before_role, before);
			area_printf(l->in, at, y, role, "%.*s", (int)n, text);
		}
		before = "";
		text += n + strspn(text + n, " ");
	} while (*text);
}

static void line(struct lines *l, int role, const char *keys, const char *text)
{
	rows(l, ROLE_KEY, keys, *keys ? 16 : 1, role, text);
}

static void group_lines(struct lines *l, size_t group)
{
	char keys[64];
	if (l->count)
		line(l, ROLE_TEXT, "", "");
	line(l, ROLE_TITLE, "", groups[group].title);
	for (size_t i = 0; i < action_count(); i++) {
		const struct action *k = action_at(i);
		if (!belongs(k, group))
			continue;
		/* As the person has bound them; what has no key is said in the palette. */
		if (!*binding_format_keys(k, k->where, 2, keys, sizeof keys))
			snprintf(keys, sizeof keys, ":%s", k->name);
		line(l, ROLE_TEXT, keys, k->help);
	}
}

/* The keys of the view that asked first. */
static void help_lines(const struct app *a, struct lines *l)
{
	unsigned here = view_get_info(a->below)->place;
	for (int others = 0; others < 2; others++)
		for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
			if (!(groups[g].where & ~here) == !others)
				group_lines(l, g);
}

/* Scrolled no further than to the last line. */
static int clamped(int scroll, int count, int rows)
{
	return count <= rows ? 0 : scroll > count - rows ? count - rows : scroll;
}

static void place(struct area at, const char *title, int first, int rows, int count)
{
	char text[80];
	int last = first + rows < count ? first + rows : count;
	snprintf(text, sizeof text, "%d..%d of %d", count ? first + 1 : 0, last, count);
	area_draw_frame(at, true, title, text);
}

void view_draw_help(const struct app *a, struct area at)
{
	struct area in = area_inner(at);
	struct lines count = {area_sub(in, 0, 0, in.r.w, 0), 0, 0};
	help_lines(a, &count);
	struct lines l = {in, clamped(a->scroll, count.count, in.r.h), 0};
	place(at, "Keys", l.skip, in.r.h, count.count);
	help_lines(a, &l);
}

/* --- log: the newest line at the bottom, scrolled back from there --- */
enum { LOG_TEXT_AT = 10 };

static const struct {
	const char *name;
	int role;
} levels[] = {
	[LOG_DEBUG] = {"debug", ROLE_DIM},
	[LOG_INFO] = {"info", ROLE_TEXT},
	[LOG_WARNING] = {"warning", ROLE_WARN},
	[LOG_ERROR] = {"error", ROLE_BAD},
};

static void log_rows(struct lines *l, size_t index)
{
	enum log_level level = LOG_INFO;
	const char *text = log_get_line(index, &level);
	rows(l, levels[level].role, levels[level].name, LOG_TEXT_AT, levels[level].role, text ? text : "");
}

static bool shown(const struct app *a, size_t index)
{
	enum log_level level = LOG_INFO;
	return log_get_line(index, &level) && (int)level >= a->log_least;
}

void view_draw_log(const struct app *a, struct area at)
{
	struct area in = area_inner(at);
	struct lines count = {area_sub(in, 0, 0, in.r.w, 0), 0, 0};
	size_t end = log_line_count(), first = end;
	while (first > 0 && log_get_line(first - 1, NULL))
		first--;
	for (size_t i = first; i < end; i++)
		if (shown(a, i))
			log_rows(&count, i);
	int back = a->scroll > count.count - in.r.h ? count.count - in.r.h : a->scroll;
	struct lines l = {in, count.count <= in.r.h ? 0 : count.count - in.r.h - (back < 0 ? 0 : back), 0};
	char title[40];
	snprintf(title, sizeof title, a->log_least > LOG_DEBUG ? "Messages from %s on" : "Messages",
		levels[a->log_least].name);
	place(at, title, l.skip, in.r.h, count.count);
	for (size_t i = first; i < end; i++)
		if (shown(a, i))
			log_rows(&l, i);
	if (!count.count)
		area_draw_text(
			in, 1, 0, ROLE_DIM, first == end ? "nothing was said yet" : "nothing as bad as that was said");
}
