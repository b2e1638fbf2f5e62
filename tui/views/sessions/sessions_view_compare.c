/* The lower pane of the session view: a comparison of marked sessions, or the points of one. Both are read in
 * slices. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"
#include "tui/shell/keymap.h"
#include "tui/views/sessions/sessions_view.h"

enum { SLICE_MS = 8, SLICE_BYTES = 4 << 20 };

void sessions_view_clear_details(struct sessions_view *v)
{
	if (v->loader)
		session_free(session_load_finish(v->loader, NULL));
	v->loader = NULL;
	v->loading = COMPARE_MAX;
	if (v->compared) {
		comparison_free(&v->comparison);
		differences_free(&v->differences);
	}
	v->compared = false;
	for (int i = 0; i < COMPARE_MAX; i++) {
		session_free(v->loaded[i]);
		v->loaded[i] = NULL;
	}
	session_scan_close(v->scan);
	v->scan = NULL;
	v->scanning = false;
	json_decref(v->scan_header);
	v->scan_header = NULL;
	v->scroll = v->point = 0;
}

int sessions_view_row_count(const struct sessions_view *v)
{
	if (v->pane == SHOW_POINTS)
		return v->scan ? (int)session_scan_summary(v->scan)->points : 0;
	return v->pane == SHOW_COMPARISON && v->compared ? (int)v->comparison.row_count : v->count;
}

/* --- comparison --- */
void sessions_view_compare(struct app *a)
{
	struct sessions_view *v = sessions_view_of(a);
	const struct library_entry *e = sessions_view_selected(v);
	if (v->mark_count == 1 && e && sessions_view_find_mark(v, e->path) < 0)
		sessions_view_toggle_mark(a, e->path); /* together with the session at the cursor */
	if (v->mark_count < 2) {
		app_show_message(a, ROLE_DIM, "mark two or more sessions with Space, then compare them");
		return;
	}
	sessions_view_clear_details(v);
	v->pane = SHOW_COMPARISON;
	v->loading = 0;
	v->metric = 0;
}

static void summarize_comparison(struct sessions_view *v)
{
	for (int i = 1; i < v->comparison.count; i++)
		v->summary[i] = comparison_summarize(&v->comparison, v->metric, i);
}

static void stop_comparing(struct app *a, const char *why)
{
	app_show_message(a, ROLE_BAD, "%s", why);
	sessions_view_clear_details(sessions_view_of(a));
	sessions_view_of(a)->pane = SHOW_DETAILS;
}

static void all_loaded(struct app *a)
{
	struct sessions_view *v = sessions_view_of(a);
	const char *names[COMPARE_MAX];
	struct err e = {0};
	for (int i = 0; i < v->mark_count; i++)
		names[i] = path_basename(v->marks[i]);
	v->loading = COMPARE_MAX;
	if (!comparison_make(&v->comparison, names, (const struct session *const *)v->loaded, v->mark_count, &e)) {
		stop_comparing(a, e.text);
		return;
	}
	v->compared = true;
	differences_make(&v->comparison, &v->differences);
	summarize_comparison(v);
	if (!v->comparison.row_count)
		app_show_message(a, ROLE_WARN, "these sessions have no points in common");
}

static void load_more(struct app *a)
{
	struct sessions_view *v = sessions_view_of(a);
	struct err e = {0};
	if (!v->loader)
		v->loader = session_load_start(v->marks[v->loading], &e);
	if (v->loader && session_load_continue(v->loader, SLICE_MS))
		return;
	v->loaded[v->loading] = v->loader ? session_load_finish(v->loader, &e) : NULL;
	v->loader = NULL;
	if (!v->loaded[v->loading])
		stop_comparing(a, e.text);
	else if (++v->loading == v->mark_count)
		all_loaded(a);
}

void act_session_metric(struct app *a, const char *argument)
{
	struct sessions_view *v = sessions_view_of(a);
	if (v->pane != SHOW_COMPARISON || !v->compared) {
		app_show_message(a, ROLE_DIM, "compare sessions first (c); y then selects the metric");
		return;
	}
	const struct session_columns *c = &v->comparison.sides[0].columns;
	int to = (v->metric + 1) % (c->metric_count ? c->metric_count : 1);
	for (int i = 0; argument && i < c->metric_count; i++)
		if (!strcmp(c->metrics[i].id, argument))
			to = i;
	v->metric = to;
	summarize_comparison(v);
}

/* --- points --- */
void sessions_view_show_points(struct app *a)
{
	struct sessions_view *v = sessions_view_of(a);
	const struct library_entry *e = sessions_view_selected(v);
	struct err why = {0};
	if (!e)
		return;
	sessions_view_clear_details(v);
	v->scan = session_scan_open(e->path, true, &why);
	v->scanning = v->scan != NULL;
	v->pane = v->scan ? SHOW_POINTS : SHOW_DETAILS;
	if (!v->scan)
		app_show_message(a, ROLE_BAD, "%s", why.text);
}

static void scan_more(struct sessions_view *v)
{
	v->scanning = session_scan_read(v->scan, SLICE_BYTES);
	json_t *header = session_scan_summary(v->scan)->header;
	if (!v->scan_header && header) {
		v->scan_header = json_incref(header);
		columns_read(header, &v->scan_columns);
	}
}

bool sessions_view_read_slice(struct app *a)
{
	struct sessions_view *v = sessions_view_of(a);
	if (v->scanning)
		scan_more(v);
	else if (v->loading < COMPARE_MAX)
		load_more(a);
	return v->scanning || v->loading < COMPARE_MAX;
}
