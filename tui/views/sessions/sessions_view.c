#include "tui/views/sessions/sessions_view.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "tui/shell/keymap.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

enum { SLICE_MS = 8, LOOK_AGAIN_MS = 1000 /* while a session is being recorded */ };

/* --- order --- */
const char *session_sort_name(enum session_sort s)
{
	static const char *const names[SORT_COUNT] = {"time", "device", "experiment", "points", "quality"};
	return names[s];
}

static const char *entry_device(const struct library_entry *e)
{
	return device_get_id(header_get_device(e->summary.header));
}

static bool text_contains(const char *text, const char *letters)
{
	return strcasestr(text, letters) != NULL;
}

static bool entry_matches_filter(const struct sessions_view *v, const struct library_entry *e)
{
	char quality[160];
	const json_t *h = e->summary.header;
	return !v->filter[0] || text_contains(e->name, v->filter) || text_contains(entry_device(e), v->filter) ||
		text_contains(record_get_experiment(h), v->filter) || text_contains(header_get_title(h), v->filter) ||
		text_contains(device_get_name(header_get_device(h)), v->filter) ||
		text_contains(e->summary.note, v->filter) ||
		(e->known && text_contains(session_summary_format(&e->summary, quality, sizeof quality), v->filter));
}

static time_t entry_time(const struct library_entry *e)
{
	return e->when ? e->when : e->changed.tv_sec;
}

static size_t count_faults(const struct session_summary *s)
{
	return s->failed + s->wrong + s->broken + s->moved + s->torn + s->bad_lines + (s->points < s->expected);
}

static int newest_first(const struct library_entry *x, const struct library_entry *y)
{
	time_t a = entry_time(x), b = entry_time(y);
	return a != b ? (a < b ? 1 : -1) : strcmp(x->path, y->path);
}

static int compare_entries(const void *a, const void *b, void *ctx)
{
	const struct sessions_view *v = ctx;
	const struct library_entry *x = library_entry_at(v->library, (size_t) * (const int *)a),
				   *y = library_entry_at(v->library, (size_t) * (const int *)b);
	size_t m = x->summary.points, n = y->summary.points, p = count_faults(&x->summary),
	       q = count_faults(&y->summary);
	int order = v->sort == SORT_DEVICE ? strcmp(entry_device(x), entry_device(y))
		: v->sort == SORT_EXPERIMENT
		? strcmp(record_get_experiment(x->summary.header), record_get_experiment(y->summary.header))
		: v->sort == SORT_POINTS  ? (m < n) - (m > n)
		: v->sort == SORT_QUALITY ? (p > q) - (p < q)
					  : 0;
	return order ? order : newest_first(x, y);
}

void sessions_view_update_order(struct sessions_view *v)
{
	size_t n = library_count(v->library);
	v->order = xrealloc(v->order, (n + 1) * sizeof *v->order);
	v->count = 0;
	for (size_t i = 0; i < n; i++)
		if (entry_matches_filter(v, library_entry_at(v->library, i)))
			v->order[v->count++] = (int)i;
	qsort_r(v->order, (size_t)v->count, sizeof *v->order, compare_entries, v);
	if (v->at >= v->count)
		v->at = v->count ? v->count - 1 : 0;
	for (int i = 0; v->selected && i < v->count; i++)
		if (!strcmp(sessions_view_entry(v, i)->path, v->selected))
			v->at = i;
}

/* --- selection --- */
const struct library_entry *sessions_view_entry(const struct sessions_view *v, int i)
{
	return i >= 0 && i < v->count ? library_entry_at(v->library, (size_t)v->order[i]) : NULL;
}

const struct library_entry *sessions_view_selected(const struct sessions_view *v)
{
	return sessions_view_entry(v, v->at);
}

static void select_entry(struct sessions_view *v, int at)
{
	v->at = at < 0 ? 0 : at >= v->count ? (v->count ? v->count - 1 : 0) : at;
	free(v->selected);
	v->selected = sessions_view_selected(v) ? xstrdup(sessions_view_selected(v)->path) : NULL;
}

void sessions_view_move(struct app *a, int by)
{
	struct sessions_view *v = sessions_view_of(a);
	int rows = sessions_view_row_count(v);
	if (v->pane == SHOW_DETAILS) {
		select_entry(v, v->at + by);
	} else if (v->pane == SHOW_POINTS) {
		v->point += by;
		v->point = v->point >= rows ? rows - 1 : v->point;
		v->point = v->point < 0 ? 0 : v->point;
	} else {
		v->scroll += by;
		v->scroll = v->scroll >= rows ? rows - 1 : v->scroll;
		v->scroll = v->scroll < 0 ? 0 : v->scroll;
	}
}

bool sessions_view_select(struct app *a, const char *name)
{
	struct sessions_view *v = sessions_view_of(a);
	for (int i = 0; i < v->count; i++)
		if (!strcmp(sessions_view_entry(v, i)->name, name)) {
			select_entry(v, i);
			return true;
		}
	return false;
}

/* --- marks --- */
int sessions_view_find_mark(const struct sessions_view *v, const char *path)
{
	for (int i = 0; i < v->mark_count; i++)
		if (!strcmp(v->marks[i], path))
			return i;
	return -1;
}

void sessions_view_toggle_mark(struct app *a, const char *path)
{
	struct sessions_view *v = sessions_view_of(a);
	int i = sessions_view_find_mark(v, path);
	if (i >= 0) {
		free(v->marks[i]);
		memmove(&v->marks[i], &v->marks[i + 1], (size_t)(--v->mark_count - i) * sizeof *v->marks);
	} else if (v->mark_count == COMPARE_MAX) {
		app_show_message(a, ROLE_BAD, "%d sessions are already marked; u removes all marks", COMPARE_MAX);
	} else {
		v->marks[v->mark_count++] = xstrdup(path);
	}
}

void sessions_view_clear_marks(struct sessions_view *v)
{
	while (v->mark_count)
		free(v->marks[--v->mark_count]);
}

/* --- open, close, background work --- */
void sessions_view_enter(struct app *a)
{
	if (!sessions_view_of(a)) {
		app_set_view_state(a, &view_sessions, xcalloc(1, sizeof(struct sessions_view)));
		sessions_view_of(a)->library = library_open();
		sessions_view_of(a)->loading = COMPARE_MAX;
	} else {
		library_refresh(sessions_view_of(a)->library);
	}
	sessions_view_update_order(sessions_view_of(a));
}

void sessions_view_close(struct app *a)
{
	struct sessions_view *v = sessions_view_of(a);
	if (!v)
		return;
	sessions_view_clear_details(v);
	sessions_view_clear_marks(v);
	if (v->taking)
		session_free(session_load_finish(v->taking, NULL));
	sessions_view_load_end(v);
	if (v->exporting)
		close(v->export_errors); /* the process continues and finishes its file */
	library_close(v->library);
	free(v->order);
	free(v->selected);
	free(v);
	app_set_view_state(a, &view_sessions, NULL);
}

static bool has_unread_entries(const struct sessions_view *v)
{
	return library_known_count(v->library) < library_count(v->library);
}

bool sessions_view_is_busy(const struct app *a)
{
	const struct sessions_view *v = sessions_view_of(a);
	return v &&
		(v->taking || v->taken || v->exporting ||
			(a->view == &view_sessions &&
				(has_unread_entries(v) || v->scanning || v->loading < COMPARE_MAX)));
}

/* Sessions being recorded grow in the list. */
static void refresh_recordings(struct app *a)
{
	struct sessions_view *v = sessions_view_of(a);
	if (a->view != &view_sessions || has_unread_entries(v) || !library_has_recordings(v->library) ||
		now_ms() < v->looked_at + LOOK_AGAIN_MS)
		return;
	library_refresh(v->library);
	sessions_view_update_order(v);
}

void sessions_view_pump(struct app *a)
{
	struct sessions_view *v = sessions_view_of(a);
	if (v)
		refresh_recordings(a);
	if (!v || !sessions_view_is_busy(a))
		return;
	a->dirty = true;
	if (v->exporting)
		sessions_view_poll_export(a);
	if ((v->taking || v->taken) && !sessions_view_load_slice(a))
		return;
	if (a->view != &view_sessions || sessions_view_read_slice(a) || !has_unread_entries(v))
		return;
	library_read_slice(v->library, SLICE_MS);
	v->looked_at = now_ms();
	sessions_view_update_order(v);
}

bool sessions_view_go_back(struct app *a)
{
	struct sessions_view *v = sessions_view_of(a);
	if (!v || v->pane == SHOW_DETAILS)
		return false;
	sessions_view_clear_details(v);
	v->pane = SHOW_DETAILS;
	return true;
}

static const struct action actions[] = {
#define ACTION ACTION_ROW
#include "tui/views/sessions/sessions_keys.def"
#undef ACTION
};

static enum view_work sessions_work(const struct app *a)
{
	return sessions_view_is_busy(a) ? VIEW_SLICING : VIEW_IDLE;
}

const struct view view_sessions = {
	.name = "sessions",
	.title = "Sessions",
	.actions = actions,
	.action_count = sizeof actions / sizeof *actions,
	.draw = sessions_view_draw,
	.open = sessions_view_enter,
	.close = sessions_view_close,
	.back = sessions_view_go_back,
	.pump = sessions_view_pump,
	.busy = sessions_work,
	.export = sessions_view_export,
	.export_name = sessions_view_export_name,
	.legend = sessions_view_add_legend,
};
