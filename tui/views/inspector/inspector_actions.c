/* Actions that work on all pages of the inspector. An argument comes from scripts: a page, a number. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "tui/lab/lab.h"
#include "tui/shell/input_line.h"
#include "tui/shell/keymap.h"
#include "tui/shell/shell.h"
#include "tui/views/inspector/inspector_pages.h"

int inspector_index_of(const char *argument)
{
	return argument ? action_step_count(argument) : -1;
}

int inspector_clamp(int v, int low, int high)
{
	return v > high ? high : v < low ? low : v;
}

int inspector_next_lane(int lane, int by, const char *argument)
{
	int exact = inspector_index_of(argument);
	return (exact >= 0 ? exact : lane + WAVE_LANES + by) % WAVE_LANES;
}

void inspector_type(struct app *a, bool (*take)(struct app *a, const char *text), const char *argument,
	const char *text, const char *prompt)
{
	if (argument)
		take(a, argument);
	else
		input_line_open(a, take, text, "%s", prompt);
}

/* --- pages --- */
void act_inspector(struct app *a, const char *argument)
{
	for (int i = 0; argument && i < INSPECTOR_PAGE_COUNT; i++)
		if (!strcasecmp(argument, view_inspector.places[i].name))
			inspector_get(a)->page = (enum inspector_page)i;
	if (a->view == &view_inspector && argument)
		inspector_enter(a);
	else
		app_show_view(a, &view_inspector);
}

void act_inspector_open_page(struct app *a, int page)
{
	inspector_show_page(a, (enum inspector_page)page);
}

void act_inspector_turn_page(struct app *a, int by)
{
	int page = (int)inspector_get(a)->page + INSPECTOR_PAGE_COUNT + by;
	inspector_show_page(a, (enum inspector_page)(page % INSPECTOR_PAGE_COUNT));
}

void act_inspector_cancel(struct app *a)
{
	inspector_cancel_request(a);
}
void act_inspector_reload(struct app *a)
{
	inspector_reload(a);
}

/* --- the curve's point, the wave --- */
void act_inspector_select_point(struct app *a, int by)
{
	struct lab *b = app_current_lab(a);
	if (!b)
		return;
	lab_move_cursor(b, by);
	inspector_enter(a);
}

static bool take_wave(struct app *a, const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);
	if (end == text || *end || n > INT_MAX) {
		app_show_message(
			a, ROLE_BAD, "not a wave number: '%s'; waves are numbered from 0 in launch order", text);
		return false;
	}
	inspector_follow_wave(a, (int)n, 0);
	inspector_show_page(a, inspector_get(a)->page);
	return true;
}

void act_inspector_wave(struct app *a, const char *argument)
{
	inspector_type(a, take_wave, argument, "", "wave to follow: ");
}

/* --- what checks reported --- */
static bool read_access(const char **text, struct traced_access *out)
{
	long long wave, lane, offset, cycle;
	int read = 0;
	if (sscanf(*text, "%lld %lld %lld %lld %n", &wave, &lane, &offset, &cycle, &read) < 4 || wave < 0 ||
		wave > INT_MAX || lane < 0 || lane >= WAVE_LANES || offset < 0 || cycle < 0)
		return false;
	*out = (struct traced_access){(int)wave, (int)lane, offset, (uint64_t)cycle};
	*text += read;
	return true;
}

void act_inspector_access(struct app *a, const char *argument)
{
	struct traced_access list[2];
	const char *rest = argument ? argument : "";
	int count = 0;
	while (count < 2 && read_access(&rest, &list[count]))
		count++;
	if (!count || *rest) {
		app_show_message(a, ROLE_BAD, "write WAVE LANE OFFSET CYCLE, once or twice");
		return;
	}
	inspector_show_access(a, list, count);
	app_open_view(a, &view_inspector);
	inspector_show_page(a, INSPECTOR_STEPS);
}

void act_inspector_turn_access(struct app *a)
{
	inspector_turn_access(a);
}
