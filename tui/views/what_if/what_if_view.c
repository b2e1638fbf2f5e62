#include "tui/views/what_if/what_if_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/lab/lab.h"
#include "tui/shell/shell.h"

/* --- state --- */
static struct what_if_view *get_view(const struct app *a)
{
	return app_view_state(a, &view_what_if);
}

const struct what_if_view *what_if_view_of(const struct app *a)
{
	return get_view(a);
}

int what_if_rows(const struct what_if_study *s, int out[IDEAL_PARTS])
{
	int count = what_if_order(&s->costs, -INFINITY, out);
	for (int number = WHAT_IF_FIRST; number < WHAT_IF_ALL; number++)
		if (isnan(what_if_saved(&s->costs, number)))
			out[count++] = number;
	return count;
}

/* A study starts by itself where there is none of this point. */
static void open_what_if_view(struct app *a)
{
	if (!get_view(a))
		app_set_view_state(a, &view_what_if, xcalloc(1, sizeof(struct what_if_view)));
	if (!what_if_study_is_current(a))
		act_what_if_run(a);
}

static void close_what_if_view(struct app *a)
{
	what_if_study_close(a);
	free(get_view(a));
	app_set_view_state(a, &view_what_if, NULL);
}

static enum view_work find_what_if_work(const struct app *a)
{
	const struct what_if_study *s = what_if_study_of(a);
	return s && what_if_study_is_running(s) ? VIEW_BACKGROUND : VIEW_IDLE;
}

static bool has_no_study(const struct app *a)
{
	return !what_if_study_of(a) || !what_if_study_of(a)->x;
}

/* --- actions --- */
void act_what_if(struct app *a)
{
	app_show_view(a, &view_what_if);
}

void act_what_if_select(struct app *a, int by)
{
	const int row = get_view(a)->selected + by;
	get_view(a)->selected = row < 0 ? 0 : row >= IDEAL_PARTS ? IDEAL_PARTS - 1 : row;
}

void act_what_if_run(struct app *a)
{
	get_view(a)->selected = 0;
	what_if_study_start(a);
}

void act_what_if_cancel(struct app *a)
{
	what_if_study_stop(a);
}

void act_what_if_pin(struct app *a)
{
	const struct what_if_study *s = what_if_study_of(a);
	int rows[IDEAL_PARTS];
	struct err e;
	char name[DEVICE_NAME_MAX];
	if (!s || !s->x)
		return;
	what_if_rows(s, rows);
	if (what_if_device(s->device, rows[get_view(a)->selected], name, sizeof name, &e))
		app_run_action(a, "pin-device", name, NULL);
}

static const struct action actions[] = {
#define ACTION ACTION_ROW
#include "tui/views/what_if/what_if_keys.def"
#undef ACTION
};

const struct view view_what_if = {
	.name = "what-if",
	.title = "What if",
	.actions = actions,
	.action_count = sizeof actions / sizeof *actions,
	.is_detail = true,
	.is_empty = has_no_study,
	.draw = what_if_view_draw,
	.open = open_what_if_view,
	.close = close_what_if_view,
	.busy = find_what_if_work,
	.legend = what_if_view_add_legend,
};
