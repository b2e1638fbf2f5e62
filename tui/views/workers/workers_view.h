/* The view of the workers: who measures which point of the sweep, since when, and which workers have died. */
#ifndef TUI_VIEWS_WORKERS_WORKERS_VIEW_H
#define TUI_VIEWS_WORKERS_WORKERS_VIEW_H

#include "tui/lab/app.h"
#include "tui/shell/keymap.h"
#include "tui/toolkit/grid.h"
#include "tui/views/workers/worker_rows.h"

enum { WORKER_DEATHS_KEPT = 64 };

struct worker_death {
	long long at; /* seconds since 1970 */
	char text[760];
};

struct workers_view {
	int worker; /* the selected one, from 0 */
	enum worker_sort sort;
	struct job_progress known[JOB_PROGRESS_SLOTS];
	struct worker_death deaths[WORKER_DEATHS_KEPT]; /* a ring */
	int death_count;                                /* of all, also those that are not kept */
	unsigned long long shown;                       /* digest of the rows, so that only a change redraws */
};

extern const struct view view_workers;
/* NULL before the view was opened and before any worker died. */
static inline struct workers_view *workers_view_of(const struct app *a)
{
	return app_view_state(a, &view_workers);
}

void workers_view_read_rows(const struct app *a, struct worker_rows *out);
/* The index of the selected worker; -1 without workers. The pool may be smaller than the last one. */
int workers_view_selected(const struct workers_view *v, const struct worker_rows *rows);
/* The i-th latest death; NULL if there is none or it is no longer kept. */
const struct worker_death *workers_view_death(const struct workers_view *v, int i);

void workers_view_draw(const struct app *a, struct area at);
void workers_view_add_legend(const struct app *a, struct text_page *page);

#define ACTION ACTION_FUNCTION
#include "tui/views/workers/workers_keys.def"
#undef ACTION

#endif
