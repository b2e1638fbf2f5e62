/* The view of what checks of kernels found: a background job measures the sweep of the workbench again with its
 * launches checked, after each sweep of the user's own kernels (setting `check`) or when it is asked to. */
#ifndef TUI_VIEWS_CHECKS_CHECKS_VIEW_H
#define TUI_VIEWS_CHECKS_CHECKS_VIEW_H

#include "checks/check_findings.h"
#include "tui/lab/app.h"
#include "tui/lab/background_job.h"
#include "tui/shell/keymap.h"
#include "tui/shell/text_page.h"

/* Of a long sweep, the check that starts by itself takes so many points, evenly spread. */
enum { AUTOMATIC_POINTS_MAX = 32 };

struct checks_view {
	struct background_job *job;
	struct experiment *x; /* that is or was checked; borrowed; NULL: none yet */
	struct plan plan;     /* its points; owned if x is set */
	char device[DEVICE_NAME_MAX];
	char *checks; /* "memory,race"; owned */
	bool *taken;  /* per point: its findings are in the journals; owned */
	int count, ended, failed;
	int collected;        /* points that `places` is about */
	long long collect_at; /* when it may be brought up to date, now_ms */
	struct check_journals journals;
	struct check_places places; /* of the journals */
	struct source_text *sources;
	struct host_modules *modules;
	int selected;
	double seconds; /* of the host, that the check took; 0: it still runs */
	char why[640];  /* it could not be done; "" */
	json_t *seen;   /* header of the sweep that was considered for a check last; a reference */
	bool asked;     /* by the user, not by itself */
};

extern const struct view view_checks;
struct checks_view *checks_view_of(const struct app *a); /* NULL before the view was opened, or anything checked */
struct checks_view *checks_view_get(struct app *a);      /* created if needed */
const struct check_place *checks_view_selected(const struct checks_view *v); /* NULL: there are no places */
/* Valid as long as the view's state does not change. */
struct check_findings checks_view_findings(const struct checks_view *v);
bool checks_view_is_running(const struct checks_view *v);

/* --- checks_measure.c --- */
void checks_start(struct app *a, struct lab *b, bool asked);
void checks_pump(struct app *a); /* starts the checks that start by themselves */
void checks_forget(struct checks_view *v);

/* --- drawing --- */
void checks_view_draw(const struct app *a, struct area at);
void checks_view_add_legend(const struct app *a, struct text_page *page);

#define ACTION ACTION_FUNCTION
#include "tui/views/checks/checks_keys.def"
#undef ACTION

#endif
