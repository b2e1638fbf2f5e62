/* Views with one body: the keys and the log. */
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "tui/keys.h"
#include "tui/view.h"

/* --- help: made of the keys table --------------------------------------------------------------------------------------- */
static const struct { unsigned where; const char *title; } groups[] = {
	{ IN_MAIN, "Anywhere in the workbench" }, { IN_LIST, "Experiments" }, { IN_PARAMS, "Parameters" }, { IN_PLOT, "Plot" },
	{ IN_PAGE, "Help and messages" }, { IN_CODE, "Code" },
};

/* The group in which an action is told: the first one that it works in the whole of. */
static bool belongs(const struct action *k, size_t group)
{
	size_t g = 0;
	while (g < sizeof groups / sizeof *groups && (k->where & groups[g].where) != groups[g].where)
		g++;
	return g == group;
}

struct lines { struct area in; int skip, count; };

static void line(struct lines *l, int role, const char *keys, const char *text)
{
	int y = l->count++ - l->skip;
	if (y < 0 || y >= l->in.r.h)
		return;
	area_text(l->in, 1, y, ROLE_KEY, keys);
	area_fit(l->in, *keys ? 16 : 1, y, l->in.r.w, role, text);
}

static void help_lines(struct lines *l)
{
	char keys[64], a[16], b[16];
	for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
		if (g)
			line(l, ROLE_TEXT, "", "");
		line(l, ROLE_TITLE, "", groups[g].title);
		for (size_t i = 0; i < action_count(); i++) {
			const struct action *k = action_at(i);
			if (!belongs(k, g))
				continue;
			snprintf(keys, sizeof keys, "%s%s%s", key_text(k->key, a), k->other ? " or " : "", k->other ? key_text(k->other, b) : "");
			line(l, ROLE_TEXT, keys, k->help);
		}
	}
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
	area_frame(at, true, title, text);
}

void view_help(const struct app *a, struct area at)
{
	struct area in = area_inside(at);
	struct lines count = { area_part(in, 0, 0, 0, 0), 0, 0 };
	help_lines(&count);
	struct lines l = { in, clamped(a->scroll, count.count, in.r.h), 0 };
	place(at, "Keys", l.skip, in.r.h, count.count);
	help_lines(&l);
}

/* --- log: the newest line at the bottom, scrolled back from there --------------------------------------------------------- */
enum { LOG_TEXT_AT = 10, LOG_TEXT_LEAST = 8 };

static const struct { const char *name; int role; } levels[] = {
	[LOG_DEBUG] = { "debug", ROLE_DIM }, [LOG_INFO] = { "info", ROLE_TEXT },
	[LOG_WARNING] = { "warning", ROLE_WARN }, [LOG_ERROR] = { "error", ROLE_BAD },
};

/* A message over as many rows as it needs. */
static void log_rows(struct lines *l, size_t index)
{
	enum log_level level = LOG_INFO;
	const char *text = log_get(index, &level), *name = levels[level].name;
	int width = l->in.r.w - LOG_TEXT_AT - 1;
	do {
		size_t n = text_fitting(text ? text : "", width > LOG_TEXT_LEAST ? width : LOG_TEXT_LEAST);
		int y = l->count++ - l->skip;
		if (y >= 0 && y < l->in.r.h) {
			area_text(l->in, 1, y, levels[level].role, name);
			area_printf(l->in, LOG_TEXT_AT, y, levels[level].role, "%.*s", (int)n, text ? text : "");
		}
		name = "";
		text = text ? text + n + strspn(text + n, " ") : "";
	} while (*text);
}

void view_log(const struct app *a, struct area at)
{
	struct area in = area_inside(at);
	struct lines count = { area_part(in, 0, 0, in.r.w, 0), 0, 0 };
	size_t end = log_count(), first = end;
	while (first > 0 && log_get(first - 1, NULL))
		first--;
	for (size_t i = first; i < end; i++)
		log_rows(&count, i);
	int back = a->scroll > count.count - in.r.h ? count.count - in.r.h : a->scroll;
	struct lines l = { in, count.count <= in.r.h ? 0 : count.count - in.r.h - (back < 0 ? 0 : back), 0 };
	place(at, "Messages", l.skip, in.r.h, count.count);
	for (size_t i = first; i < end; i++)
		log_rows(&l, i);
	if (first == end)
		area_text(in, 1, 0, ROLE_DIM, "nothing was said yet");
}
