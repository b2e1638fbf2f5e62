/* The workbench's state: what is chosen, what is measured, what is shown. Actions change it, views read it, nothing
 * here touches a terminal. */
#ifndef TUI_SHELL_APP_H
#define TUI_SHELL_APP_H

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
#include "tui/shell/view_table.h"

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

#define VIEW_ID(id, ...) VIEW_##id,
enum view { VIEWS(VIEW_ID) VIEW_COUNT };
#undef VIEW_ID
enum focus { FOCUS_LIST, FOCUS_PARAMS, FOCUS_PLOT, FOCUS_COUNT };

/* A line being typed on the status line. */
enum entry_kind { ENTRY_NONE, ENTRY_FILTER, ENTRY_VALUE, ENTRY_CALL /* for whoever asked: `take` */ };
struct app;
struct input_line {
	enum entry_kind kind;
	char prompt[96];
	char text[96];
	bool (*take)(struct app *a, const char *text); /* false: the line stays open */
	void (*typed)(struct app *a);                  /* hears of every letter, and of Esc with an empty line; NULL */
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

	enum view view;
	enum focus focus;
	bool zoom, log_y, ascii, quit, redraw;
	bool flip_x;         /* the x axis logarithmic where it is linear by itself, and the other way round */
	bool causes;         /* the plot stacks where the cycles go; needs points with a profile */
	bool shares;         /* in per cent of each point's cycles instead of up to the curve */
	bool profile_before; /* what `profile` was when that began */
	enum view below;     /* the one that comes back when the help or the log is left */
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
	struct lesson_view *lessons;  /* the lesson view's (lessons_view.h); NULL until it is entered */
	struct inspector *inside;     /* the inside view's (inspector.h); NULL until it is entered */
	struct device_view *devices;  /* the device view's (devices_view.h); NULL until it is entered */

	const struct action *knob; /* the last action, and the parameter it worked on */
	int knob_param;
	struct sessions_view *sessions; /* the session view's (sessions_view.h); NULL until it is entered */
	double replay_speed;            /* of recordings, as measured: 1; 0: at once (playback.h) */
	struct code_view *code;         /* the code view's (code_view.h); NULL until it is entered */

	bool dirty, urgent; /* something changed; because of a key */
};

/* Loads the catalog and chooses `experiment` (NULL: the default one). False with one line when there is none. */
bool app_open(struct app *a, const char *device, const char *experiment, struct err *e);
/* The same in slices, so that the first frame need not wait: begin loads that one experiment, each load goes on with
 * the others for about `ms` and returns false when all are there. */
bool app_open_start(struct app *a, const char *device, const char *experiment, struct err *e);
bool app_load_slice(struct app *a, int ms);
void app_close(struct app *a); /* closes the recording, ends the worker */

struct lab *app_current_lab(const struct app *a); /* the current one; NULL only in an empty catalog */
enum focus app_focused_pane(const struct app *a); /* the pane that has it; the plot while the chosen one is left out */
unsigned app_key_scope(const struct app *a);      /* place of the keys table that has the focus */
void app_handle_key(struct app *a, int key);      /* a key pressed: entry or action */
bool app_run_action(struct app *a, const char *name, const char *argument, struct err *e);
void app_resize(struct app *a, int w, int h);
void app_show_view(struct app *a,
	enum view v); /* enters a view; the one shown already: back to the main one, or to the one below */
/* The message on the status line; it goes to the log as well, with the home folder in full. */
void app_show_message(struct app *a, enum role role, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void app_request_redraw(struct app *a); /* the screen is to be drawn at once */
bool app_pane_is_visible(const struct app *a, enum focus f);
/* Goes to where an action of that `where` (keymap.h) means something, when it does not here: another pane, the
 * workbench, another view. */
void app_focus_scope(struct app *a, unsigned where);
int app_unread_log_count(const struct app *a); /* warnings and errors in the log that nobody has seen */

#endif
