/* The session view: recorded sessions to select, mark, compare, open and export. Files are read in slices, from
 * the view's pump. */
#ifndef TUI_VIEWS_SESSIONS_SESSIONS_VIEW_H
#define TUI_VIEWS_SESSIONS_SESSIONS_VIEW_H

#include <sys/types.h>

#include "sessions/compare/session_compare.h"
#include "sessions/load/session_library.h"
#include "tui/lab/app.h"
#include "tui/shell/keymap.h"
#include "tui/toolkit/grid.h"

enum session_sort { SORT_TIME, SORT_DEVICE, SORT_EXPERIMENT, SORT_POINTS, SORT_QUALITY, SORT_COUNT };
enum session_pane { SHOW_DETAILS, SHOW_COMPARISON, SHOW_POINTS };

struct sessions_view {
	struct library *library;
	long long looked_at; /* ms; when the folder was last read completely */
	int *order, count;   /* shown entries: filtered and sorted */
	int at;              /* selected one of them */
	char *selected;      /* its path, because the order changes while the folder is read */
	enum session_sort sort;
	char filter[96];
	char *marks[COMPARE_MAX]; /* paths: A, B, ... */
	int mark_count;
	enum session_pane pane;
	int scroll; /* first row of the comparison or the points */

	/* the comparison (sessions_view_compare.c) */
	struct session *loaded[COMPARE_MAX];
	struct session_loader *loader; /* of loaded[loading] */
	int loading;                   /* COMPARE_MAX: nothing is being loaded */
	bool compared;
	struct session_comparison comparison;
	struct comparison_summary summary[COMPARE_MAX];
	struct differences differences;
	int metric;

	/* the points of one session */
	struct session_scan *scan;
	bool scanning;
	json_t *scan_header; /* scan_columns point into it */
	struct session_columns scan_columns;
	int point; /* row of the cursor */

	struct session_loader *taking; /* to pin in the workbench, or to open there */
	struct session *taken;         /* its points become a curve */
	struct session_curve_reader *curve;
	char *opening; /* path of the session to open; NULL: it is pinned */
	char pin_label[48];
	pid_t exporting;   /* process id; 0: none */
	int export_errors; /* its standard error */
	char export_to[512];
};

extern const struct view view_sessions;
static inline struct sessions_view *sessions_view_of(const struct app *a) /* NULL before the view was opened */
{
	return app_view_state(a, &view_sessions);
}

/* --- members of view_sessions --- */
void sessions_view_enter(struct app *a);
void sessions_view_close(struct app *a);
void sessions_view_pump(struct app *a);          /* reads a slice */
bool sessions_view_is_busy(const struct app *a); /* work is left: the loop must not sleep */
bool sessions_view_go_back(struct app *a);       /* one level up inside the view; false at its top */

/* --- the list --- */
const struct library_entry *sessions_view_entry(const struct sessions_view *v, int i); /* the i-th shown entry; NULL */
const struct library_entry *sessions_view_selected(const struct sessions_view *v);
void sessions_view_update_order(struct sessions_view *v);   /* filters and sorts again; the selection is kept */
void sessions_view_move(struct app *a, int by);             /* in the list or in the lower pane */
bool sessions_view_select(struct app *a, const char *name); /* by name; false when it is not shown */
const char *session_sort_name(enum session_sort s);
int sessions_view_find_mark(const struct sessions_view *v, const char *path); /* -1: not marked */
void sessions_view_toggle_mark(struct app *a, const char *path);              /* marks or unmarks */
void sessions_view_clear_marks(struct sessions_view *v);

/* --- comparison and points (sessions_view_compare.c) --- */
void sessions_view_compare(struct app *a);
void sessions_view_show_points(struct app *a);
bool sessions_view_read_slice(struct app *a);               /* reads a slice; true while more is left */
void sessions_view_clear_details(struct sessions_view *v);  /* frees what the lower pane shows */
int sessions_view_row_count(const struct sessions_view *v); /* rows of the lower pane */

/* --- files (sessions_view_files.c) --- */
void sessions_view_load_curve(struct app *a,
	bool open); /* loads the session, then pins its curve, or opens the recording as device with its curve */
bool sessions_view_load_slice(struct app *a); /* loads a slice; false while more is left */
void sessions_view_load_end(struct sessions_view *v);
void sessions_view_export(struct app *a, const char *to); /* in a process of its own */
char *sessions_view_export_name(const struct app *a);     /* the caller frees it */
void sessions_view_poll_export(struct app *a);

void sessions_view_add_legend(const struct app *a, struct text_page *page);
void sessions_view_draw(const struct app *a, struct area at);

/* --- actions --- */
#define ACTION ACTION_FUNCTION
#include "tui/views/sessions/sessions_keys.def"
#undef ACTION

#endif
