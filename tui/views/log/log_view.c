/* The log page: messages of the program, its libraries and its workers, the newest at the bottom. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "tui/lab/app.h"
#include "tui/shell/keymap.h"
#include "tui/shell/shell.h"
#include "tui/shell/legend.h"
#include "tui/shell/text_page.h"

extern const struct view view_log;

#define ACTION ACTION_FUNCTION
#include "tui/views/log/log_keys.def"
#undef ACTION

enum { LOG_TEXT_COLUMN = 18 };

static const struct {
	const char *name;
	int role;
	const char *meaning;
} levels[] = {
	[LOG_DEBUG] = {"debug", ROLE_DIM, "details for developers"},
	[LOG_INFO] = {"info", ROLE_TEXT, "something was done"},
	[LOG_WARNING] = {"warning", ROLE_WARN, "numbers in doubt, or something that was left out"},
	[LOG_ERROR] = {"error", ROLE_BAD, "something failed; the text says what to do"},
};

/* --- drawing --- */
static size_t first_kept_line(void)
{
	size_t first = log_line_count();
	while (first > 0 && log_get_line(first - 1, NULL))
		first--;
	return first;
}

/* "12:30:05 warning" */
static void format_log_label(size_t i, enum log_level level, char *out, size_t size)
{
	time_t at = (time_t)log_line_time(i);
	struct tm local = {0};
	char time_of_day[16] = "--:--:--";
	if (at && localtime_r(&at, &local))
		strftime(time_of_day, sizeof time_of_day, "%H:%M:%S", &local);
	snprintf(out, size, "%s %s", time_of_day, levels[level].name);
}

static void add_log_lines(const struct app *a, struct text_page *page)
{
	for (size_t i = first_kept_line(), end = log_line_count(); i < end; i++) {
		enum log_level level = LOG_INFO;
		const char *text = log_get_line(i, &level);
		char label[40];
		if (!text || (int)level < a->log_level_min)
			continue;
		format_log_label(i, level, label, sizeof label);
		text_page_add(page, levels[level].role, label, LOG_TEXT_COLUMN, levels[level].role, text);
	}
}

static void draw_log(const struct app *a, struct area at)
{
	struct area in = area_inner(at);
	struct text_page counter = text_page_counter(in, a->page_filter);
	char title[40];
	add_log_lines(a, &counter);
	int top = counter.count > in.r.h ? counter.count - in.r.h : 0;
	struct text_page page = {.in = in, .skip = a->scroll < top ? top - a->scroll : 0, .filter = a->page_filter};
	snprintf(title, sizeof title, a->log_level_min > LOG_DEBUG ? "Messages: %s and above" : "Messages",
		levels[a->log_level_min].name);
	text_page_draw_frame(at, title, &page, counter.count);
	add_log_lines(a, &page);
	if (!counter.count)
		area_draw_text(in, 1, 0, ROLE_DIM,
			!log_line_count()           ? "no messages yet"
				: a->page_filter[0] ? "no message contains this text"
						    : "no messages of this level; press f to change it");
}

/* --- the view --- */
static void add_log_legend(const struct app *a, struct text_page *page)
{
	char mark[16];
	legend_add(page, ROLE_TEXT, "hh:mm:ss", "the time of the message");
	for (int i = LOG_DEBUG; i <= LOG_ERROR; i++)
		if (i >= a->log_level_min)
			legend_add(page, levels[i].role, levels[i].name, "%s", levels[i].meaning);
	snprintf(mark, sizeof mark, "%s 2 unread", glyph_text(a->ascii, GLYPH_MOVED));
	legend_add(page, ROLE_WARN, mark,
		"in the status line: warnings and errors that arrived while another view was shown");
}

static void mark_log_read(struct app *a)
{
	a->log_read = log_line_count();
}

void act_log(struct app *a)
{
	app_show_view(a, &view_log);
}

void act_log_level(struct app *a, const char *argument)
{
	int level = (a->log_level_min + 1) % (LOG_ERROR + 1);
	for (int i = LOG_DEBUG; argument && i <= LOG_ERROR; i++)
		if (!strcmp(argument, levels[i].name))
			level = i;
	a->log_level_min = level;
	a->scroll = 0;
}

static const struct action actions[] = {
#define ACTION ACTION_ROW
#include "tui/views/log/log_keys.def"
#undef ACTION
};

const struct view view_log = {
	.name = "log",
	.title = "Messages",
	.actions = actions,
	.action_count = sizeof actions / sizeof *actions,
	.is_page = true,
	.draw = draw_log,
	.open = mark_log_read,
	.leave = mark_log_read,
	.legend = add_log_legend,
};
