#include "tui/views/checks/checks_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/lab/lab.h"
#include "tui/shell/shell.h"

/* --- state --- */
struct checks_view *checks_view_of(const struct app *a)
{
	return app_view_state(a, &view_checks);
}

struct checks_view *checks_view_get(struct app *a)
{
	if (!checks_view_of(a))
		app_set_view_state(a, &view_checks, xcalloc(1, sizeof(struct checks_view)));
	return checks_view_of(a);
}

static void open_checks_view(struct app *a)
{
	checks_view_get(a);
}

static void close_checks_view(struct app *a)
{
	struct checks_view *v = checks_view_of(a);
	if (!v)
		return;
	checks_forget(v);
	json_decref(v->seen);
	free(v->checks);
	free(v);
	app_set_view_state(a, &view_checks, NULL);
}

struct check_findings checks_view_findings(const struct checks_view *v)
{
	static char *none[] = {NULL};
	return (struct check_findings){.journals = &v->journals,
		.places = &v->places,
		.sources = v->sources,
		.modules = v->modules,
		.program = none,
		.checks = v->checks ? v->checks : ""};
}

bool checks_view_is_running(const struct checks_view *v)
{
	return background_job_is_busy(v->job);
}

const struct check_place *checks_view_selected(const struct checks_view *v)
{
	int count = (int)v->places.count, row = v->selected < count ? v->selected : count - 1;
	return row >= 0 ? &v->places.list[row] : NULL;
}

static enum view_work find_checks_work(const struct app *a)
{
	return checks_view_of(a) && checks_view_is_running(checks_view_of(a)) ? VIEW_BACKGROUND : VIEW_IDLE;
}

/* --- actions --- */
void act_checks(struct app *a)
{
	app_show_view(a, &view_checks);
}

void act_checks_select(struct app *a, int by)
{
	struct checks_view *v = checks_view_get(a);
	int last = (int)v->places.count - 1, row = v->selected + by;
	row = row > last ? last : row;
	v->selected = row < 0 ? 0 : row;
}

void act_checks_run(struct app *a)
{
	struct lab *b = app_current_lab(a);
	if (b)
		checks_start(a, b, true);
}

void act_checks_cancel(struct app *a)
{
	background_job_cancel(checks_view_get(a)->job);
}

/* --- the step of an access --- */
static bool append_access(struct buf *b, const struct check_access *s)
{
	if (s->launch_wave >= 0)
		buf_printf(b, "%s%" PRId64 " %" PRIu32 " %" PRId64 " %" PRIu64, b->len ? " " : "", s->launch_wave,
			s->lane, s->offset, s->cycle);
	return s->launch_wave >= 0;
}

/* Moves the cursor of the plot to the point in which it was found. */
static bool go_to_point(struct app *a, const struct checks_view *v, const struct check_place *p)
{
	double values[PARAMS_MAX];
	struct lab *b = app_current_lab(a);
	plan_point_values(&v->plan, p->record->point_number, values);
	for (int i = 0; b && b->x == v->x && i < b->curve.count; i++)
		if (!memcmp(values, b->curve.points[i].values, sizeof *values * (size_t)b->x->param_count)) {
			lab_move_cursor(b, i - b->cursor);
			return true;
		}
	return false;
}

void act_checks_open(struct app *a)
{
	struct checks_view *v = checks_view_get(a);
	const struct check_place *p = checks_view_selected(v);
	struct buf where = {0};
	if (!p)
		return;
	if (!go_to_point(a, v, p) || strcmp(v->device, a->device))
		app_show_message(
			a, ROLE_WARN, "this sweep was checked with other settings; r checks the one in the plot");
	else if (!append_access(&where, &p->record->at))
		app_show_message(a, ROLE_WARN, "the step of this access is not known");
	else {
		if (p->record->has_other && p->record->kind != KIND_LANE_RACE)
			append_access(&where, &p->record->other);
		app_run_action(a, "inspector-access", where.data, NULL);
	}
	buf_free(&where);
}

static const struct action actions[] = {
#define ACTION ACTION_ROW
#include "tui/views/checks/checks_keys.def"
#undef ACTION
};

static char *copy_report(const struct app *a)
{
	struct checks_view *v = checks_view_of(a);
	struct buf text = {0};
	struct check_findings f = checks_view_findings(v);
	check_report_append_text(&text, &f, v->places.count);
	return text.data;
}

static bool has_nothing(const struct app *a)
{
	return !checks_view_of(a) || (!checks_view_of(a)->x && !*checks_view_of(a)->why);
}

const struct view view_checks = {
	.name = "checks",
	.title = "Checks",
	.actions = actions,
	.action_count = sizeof actions / sizeof *actions,
	.is_detail = true,
	.is_empty = has_nothing,
	.draw = checks_view_draw,
	.open = open_checks_view,
	.close = close_checks_view,
	.pump = checks_pump,
	.busy = find_checks_work,
	.copy = copy_report,
	.legend = checks_view_add_legend,
};
