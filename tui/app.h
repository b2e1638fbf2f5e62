/* The workbench's state: what is chosen, what is measured, what is shown. Actions change it, views read it, nothing here touches a terminal. */
#ifndef TUI_APP_H
#define TUI_APP_H

#include <stdbool.h>

#include "experiments/experiment.h"
#include "experiments/overlay.h"
#include "experiments/sweep.h"
#include "gpu/client.h"
#include "plot/chart.h"
#include "sessions/session.h"
#include "tui/grid.h"
#include "tui/theme.h"
#include "tui/views.h"

/* A measured sweep, kept after its sweep is gone. */
struct curve {
	struct point *points;         /* owned; so are their records: code, profile, samples of the point */
	int count, axis;              /* axis: the parameter on x, -1 when there is only one point */
	int x_metric;                 /* 1 + the metric on the x axis instead of that parameter, 0: none */
	int ended;                    /* points measured, failed or cancelled */
	double fixed[PARAMS_MAX];     /* the other parameters' values */
};

/* An experiment as the person left it. */
struct bench {
	struct experiment *x;         /* the catalog's */
	double values[PARAMS_MAX];
	int axis;                     /* parameter on the x axis, -1 none */
	char ranges[PARAMS_MAX][400]; /* range typed for a parameter when it is on the x axis; "" its default */
	int selected;                 /* parameter */
	int cursor;                   /* point of the curve */
	int preset;                   /* taken last: plan_preset_name's number */
	struct experiment *original;  /* while x is its copy with an edited kernel (edit.h); else NULL */
	bool edit_next;               /* the original is measured first, then the copy */
	struct cost *costs;           /* how long points took, newest last (estimate.h); owned */
	int cost_count;
	struct curve curve, ghost, pinned;
	struct validation published;  /* its published rows */
};

#define VIEW_ID(id, ...) VIEW_##id,
enum view { VIEWS(VIEW_ID) VIEW_COUNT };
#undef VIEW_ID
enum focus { FOCUS_LIST, FOCUS_PARAMS, FOCUS_PLOT, FOCUS_COUNT };

/* A line being typed on the status line. */
enum entry_kind { ENTRY_NONE, ENTRY_FILTER, ENTRY_VALUE, ENTRY_CODE };
struct entry { enum entry_kind kind; bool edited; char prompt[96]; char text[96]; };

struct recording {
	bool on;
	struct recorder *file;        /* opened with the first point */
	bool *added;                  /* a flag a point of the present sweep */
	int count;                    /* flags */
	size_t written;               /* points in this file */
};

struct app {
	char device[DEVICE_NAME_MAX];
	bool soft;                    /* a software GPU: scaled defaults */
	struct catalog catalog;
	struct published published;   /* the rows of all experiments */
	struct bench *benches;
	int bench_count, current;

	enum view view;
	enum focus focus;
	bool zoom, log_y, ascii, quit, redraw;
	bool profile;                 /* sweeps ask where the cycles go, on devices that know */
	bool edit_wanted;             /* an editor for the kernel of the current bench */
	bool bare;                    /* without the published rows */
	enum canvas_kind canvas;
	int width, height;            /* of the screen, for paging and panes that are left out */
	int scroll;                   /* of the help and log views */
	char filter[96];
	struct entry entry;
	char message[512];
	enum role message_role;

	/* measuring (measure.c) */
	struct worker *worker;        /* NULL between two */
	struct sweep *sweep;          /* NULL when none was started */
	struct bench *sweeping;       /* whose */
	long long measure_at;         /* ms; 0: nothing is due */
	long long point_at;           /* ms; the running point's start */
	long long restart_at;         /* ms; 0: no worker is due */
	bool resume;                  /* the sweep goes on when the new worker is ready */
	int deaths, deaths_in_a_row;  /* in all; without a finished point between */
	char fatal[640];              /* the device cannot be opened */
	struct clocks idle;           /* last telemetry */
	unsigned telemetry_count;
	struct recording recording;
	struct code_view *code;       /* the code view's (code.h); NULL until it is entered */

	bool dirty, urgent;           /* something changed; because of a key */
};

/* Loads the catalog and chooses `experiment` (NULL: the default one). False with one line when there is none. */
bool app_open(struct app *a, const char *device, const char *experiment, struct err *e);
void app_close(struct app *a);                  /* closes the recording, ends the worker */

struct bench *app_bench(const struct app *a);   /* the current one; NULL only in an empty catalog */
enum focus app_focus(const struct app *a);     /* the pane that has it; the plot while the chosen one is left out */
unsigned app_where(const struct app *a);        /* place of the keys table that has the focus */
void app_key(struct app *a, int key);           /* a key pressed: entry or action */
bool app_action(struct app *a, const char *name, const char *argument, struct err *e);
void app_resize(struct app *a, int w, int h);
void app_show(struct app *a, enum view v);      /* enters a view; the one shown already: back to the main one */
/* The message on the status line; it goes to the log as well. */
void app_say(struct app *a, enum role role, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void app_changed(struct app *a);                /* the screen is to be drawn at once */
bool app_matches(const struct app *a, const struct experiment *x); /* the filter */
bool app_pane_there(const struct app *a, enum focus f);

long long now_ms(void);                         /* monotonic */

#endif
