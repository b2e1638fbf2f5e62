/* The workbench's state: what is chosen, what is measured, what is shown. Actions change it, views read it, nothing
 * here touches a terminal. */
#ifndef TUI_LAB_APP_H
#define TUI_LAB_APP_H

#include <stdbool.h>

#include "experiments/definition/experiment.h"
#include "experiments/analysis/point_cost.h"
#include "experiments/analysis/published_overlay.h"
#include "experiments/sweep/sweep.h"
#include "gpu/controller/worker_controller.h"
#include "plot/chart.h"
#include "sessions/session.h"
#include "tui/toolkit/grid.h"
#include "tui/toolkit/theme.h"
#include "tui/lab/view.h"

/* A measured sweep, kept after its sweep is gone. */
struct measured_curve {
	struct point *points;     /* owned; so are their records: code, profile, samples of the point */
	int count, axis;          /* axis: the parameter on x, -1 when there is only one point */
	int x_metric;             /* 1 + the metric on the x axis instead of that parameter, 0: none */
	int ended;                /* points measured, failed or cancelled */
	double fixed[PARAMS_MAX]; /* the other parameters' values */
};

/* A curve that stays in the plot to compare with (measured_curve.h). */
enum { PINS_MAX = 4, EARLIER_CURVES_MAX = 8 /* curves of earlier settings that undo brings back */ };
struct pinned_curve {
	struct measured_curve curve;
	char label[48];
};

/* An experiment as the person left it. */
struct lab {
	struct experiment *x; /* the catalog's */
	double values[PARAMS_MAX];
	int axis;                       /* parameter on the x axis, -1 none */
	char ranges[PARAMS_MAX][400];   /* range typed for a parameter when it is on the x axis; "" its default */
	int selected;                   /* parameter */
	int cursor;                     /* point of the curve */
	double window_low, window_high; /* of x, what the plot shows; equal: all of it */
	int preset;                     /* taken last: plan_preset_name's number */
	struct experiment *original;    /* while x is its copy with an edited kernel (kernel_copy.h); else NULL */
	bool edit_next;                 /* the original is measured first, then the copy */
	struct point_costs costs;       /* how long points took */
	struct measured_curve curve, ghost;
	struct measured_curve known[EARLIER_CURVES_MAX]; /* measured before the ghost, the latest first */
	struct undo_history *history;                    /* undo.h; owned */
	struct pinned_curve pins[PINS_MAX];
	int pin_count;
	struct validation published; /* its published rows */
};

enum focus { FOCUS_LIST, FOCUS_PARAMS, FOCUS_PLOT, FOCUS_COUNT };

/* A line being typed on the status line. */
struct input_line {
	bool is_open;
	char prompt[96];
	char text[96];
	bool (*take)(struct app *a, const char *text); /* Enter; false: the line stays open */
	void (*typed)(struct app *a);                  /* each change, and Esc with an empty text; NULL: not needed */
};

struct recording {
	bool on;
	struct recorder *file; /* opened with the first point */
	bool *added;           /* a flag a point of the present sweep */
	int count;             /* flags */
	size_t written;        /* points in this file */
};

struct app {
	char device[DEVICE_NAME_MAX];
	bool soft; /* a software GPU: scaled defaults */
	struct catalog catalog;
	struct published published; /* the rows of all experiments */
	struct lab *benches;        /* only the chosen one until all are loaded */
	int bench_count, current;
	bool loaded;

	const struct view *view;     /* the one shown */
	const struct view *below;    /* the one to return to from a page such as the help */
	void *view_state[VIEWS_MAX]; /* each view's own, by view_index */
	enum focus focus;
	bool zoom, log_y, ascii, quit, redraw;
	bool flip_x;         /* the x axis logarithmic where it is linear by itself, and the other way round */
	bool breakdown;      /* the plot shows the cycle breakdown; needs points with a profile */
	bool shares;         /* in per cent of each point's cycles instead of up to the curve */
	bool profile_before; /* what `profile` was when that began */
	bool profile;        /* sweeps ask where the cycles go, on devices that know */
	bool edit_wanted;    /* an editor for the kernel of the current bench */
	bool bare;           /* without the published rows */
	enum canvas_kind canvas;
	int width, height; /* of the screen, for paging and panes that are left out */
	int scroll;        /* of the help and log views */
	char filter[96];
	struct input_line entry;
	struct palette *palette; /* the line `:` (command_palette.h); NULL while it is closed */
	bool mouse;              /* clicks and the wheel are wanted */
	int frames;              /* a second at most while data comes */
	int log_least;           /* enum log_level: the log view shows what is at least that bad */
	size_t log_read;         /* lines of the log that the person has seen, or been told on the status line */
	char message[512];
	enum role message_role;

	/* measuring (lab_measure.c) */
	struct worker_controller *worker; /* NULL between two */
	struct sweep *sweep;              /* NULL when none was started */
	struct lab *sweeping;             /* whose */
	long long measure_at;             /* ms; 0: nothing is due */
	long long point_at;               /* ms; the running point's start */
	long long looked_at;              /* ms; every point's state was looked at */
	long long restart_at;             /* ms; 0: no worker is due */
	long long show_at;                /* ms; the next point of a sweep that is shown at its pace (playback.h) */
	bool resume;                      /* the sweep goes on when the new worker is ready */
	int deaths, deaths_in_a_row;      /* in all; without a finished point between */
	char fatal[640];                  /* the device cannot be opened */
	struct clocks idle;               /* last telemetry */
	unsigned telemetry_count;
	struct recording recording;
	struct background_job *sides; /* work beside it (background_job.h) */

	bool undoing;              /* the action moved in the undo history: it is not itself a change */
	const struct action *last_action; /* and the parameter that was selected then */
	int last_param;
	double replay_speed; /* of recordings, as measured: 1; 0: at once (playback.h) */

	bool dirty, urgent; /* something changed; because of a key */
};

/* Loads the catalog and chooses `experiment` (NULL: the default one). False with an error when none can be loaded. */
bool app_open(struct app *a, const char *device, const char *experiment, struct err *e);
/* The same in slices, so that the first frame appears at once: app_open_start loads that one experiment, each
 * app_load_slice loads others for about `ms` and returns false when all are loaded. */
bool app_open_start(struct app *a, const char *device, const char *experiment, struct err *e);
bool app_load_slice(struct app *a, int ms);
void app_close(struct app *a); /* closes the recording, the views and the worker */

struct lab *app_current_lab(const struct app *a); /* NULL only when the catalog is empty */
/* A message on the status line. It goes to the log too, with the full path of the home folder. */
void app_show_message(struct app *a, enum role role, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void app_request_redraw(struct app *a);        /* without waiting for the next frame */
int app_unread_log_count(const struct app *a); /* warnings and errors in the log that were not shown yet */

#endif
