/* Actions of the lanes page. */
#include <stdlib.h>

#include "tui/shell/keymap.h"
#include "tui/views/inspector/inspector_pages.h"

void act_lanes_select(struct app *a, int by)
{
	struct inspector *v = inspector_get(a);
	if (by > 0 || (by < 0 && v->nth))
		inspector_select_instruction(a, v->line, by < 0 && v->nth < (uint64_t)-by ? 0 : v->nth + (uint64_t)by);
}

void act_lanes_first(struct app *a)
{
	inspector_select_instruction(a, inspector_get(a)->line, 0);
}

/* The next instruction in that direction that accesses memory or LDS; `line` where there is no other. */
static int next_access_line(const struct issued_code *c, int line, int by)
{
	int k = line + by;
	while (k >= 0 && k < c->lines && instruction_memory_path(c->line[k].text) == MEMORY_PATH_NONE)
		k += by;
	return k < 0 || k >= c->lines ? line : k;
}

void act_lanes_select_access(struct app *a, int by)
{
	struct inspector *v = inspector_get(a);
	int line = v->line;
	for (int n = abs(by); n; n--)
		line = next_access_line(&v->code, line, by < 0 ? -1 : 1);
	if (line != v->line)
		inspector_select_instruction(a, line, 0);
}

void act_lanes_more(struct app *a, const char *argument)
{
	struct inspector *v = inspector_get(a);
	v->lane_cursor = inspector_next_lane(v->lane_cursor, 1, argument);
}

void act_lanes_less(struct app *a, const char *argument)
{
	struct inspector *v = inspector_get(a);
	v->lane_cursor = inspector_next_lane(v->lane_cursor, -1, argument);
}

void act_lanes_other(struct app *a)
{
	struct inspector *v = inspector_get(a);
	v->part = !v->part && wave_steps_access(&v->lanes, 0, 1);
}

static bool take_execution(struct app *a, const char *text)
{
	char *end;
	unsigned long long n = strtoull(text, &end, 10);
	if (end == text || *end || !n) {
		app_show_message(a, ROLE_BAD, "not an execution: '%s'; executions are numbered from 1", text);
		return false;
	}
	inspector_select_instruction(a, inspector_get(a)->line, n - 1);
	return true;
}

void act_lanes_goto(struct app *a, const char *argument)
{
	inspector_type(a, take_execution, argument, "", "execution, from 1: ");
}
