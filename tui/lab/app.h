/* The state of the program: settings, experiments, the running sweep, and what is shown. Actions change it and views
 * draw it. Nothing here uses the terminal. */
#ifndef TUI_LAB_APP_H
#define TUI_LAB_APP_H

#include <stdbool.h>

#include "experiments/definition/experiment.h"
#include "experiments/analysis/sweep_estimate.h"
#include "experiments/analysis/published_overlay.h"
#include "experiments/sweep/sweep.h"
#include "gpu/controller/worker_pool.h"
#include "plot/chart.h"
#include "sessions/compare/accuracy_table.h"
#include "sessions/session.h"
#include "tui/toolkit/grid.h"
#include "tui/toolkit/theme.h"
#include "tui/lab/view.h"

struct curve_digest;

/* The points of a sweep, kept after the sweep has ended (measured_curve.h). */
struct measured_curve {
	struct point *points;        /* owned; each holds a reference to its record */
	int count, axis;             /* axis: the parameter on the x axis, -1 for a single point */
	int x_metric;                /* 1 + the metric that is on the x axis instead, 0: none */
	int ended;                   /* points measured, failed or canceled */
	json_t *header;              /* session header of its sweep, shared with its copies; NULL: not known */
	json_t *what_if;             /* what_if records of its points, shared with its copies; NULL: none */
	uint64_t device;             /* hash of the name of the device that it was measured on (measured_curve.h) */
	bool saved;                  /* in a session file, or read from one */
	double fixed[PARAMS_MAX];    /* the other parameters' values */
	struct curve_digest *digest; /* owned; NULL unless the curve is long (plot/curve_digest.h) */
};

enum { PINS_MAX = 4, EARLIER_CURVES_MAX = 8 };

/* A curve that stays in the plot for comparison. */
struct pinned_curve {
	struct measured_curve curve;
	char label[48];
};

/* What the plot shows of the pinned curves: themselves, or how they differ from the current one. */
enum pin_view { PINS_AS_CURVES, PINS_AS_RATIO, PINS_AS_DIFFERENCE, PIN_VIEW_COUNT };

/* The state of one experiment in the workbench (lab.h). */
struct lab {
	struct experiment *x;   /* owned by the catalog */
	char arch[DEVICE_ARCH]; /* of the device, for defaults */
	double values[PARAMS_MAX];
	int axis;                       /* parameter on the x axis, -1: none */
	char ranges[PARAMS_MAX][400];   /* typed range of each parameter for the x axis; "": the default */
	struct sampling sampling;       /* of the next sweep */
	int selected;                   /* index of a parameter */
	int cursor;                     /* index of a point of the curve */
	double window_low, window_high; /* visible part of the x axis; equal: all of it */
	int preset;                     /* the last one applied, as numbered by plan_preset_name */
	struct experiment *original;    /* NULL unless x is a copy with an edited kernel (kernel_copy.h) */
	bool edit_next;                 /* the edited copy is measured after the original */
	struct point_costs costs;       /* how long measured points took */
	struct measured_curve curve, previous;
	struct measured_curve
		earlier[EARLIER_CURVES_MAX]; /* before the previous curve, latest first; undo shows them */
	struct pinned_curve pins[PINS_MAX];
	int pin_count;
	struct validation published; /* its published rows */
	char remark[200];            /* what the latest preset left out (struct plan); "": nothing */
};

enum focus { FOCUS_LIST, FOCUS_PARAMS, FOCUS_PLOT, FOCUS_COUNT };

/* A line being typed on the status line. */
struct input_line {
	bool is_open, changed; /* changed: a key has edited the text */
	const char *hint;      /* keys that it accepts, for the key line; NULL: those of a text */
	char prompt[96];
	char text[400];
	bool (*take)(struct app *a, const char *text); /* Enter; false: the line stays open */
	void (*typed)(struct app *a);                  /* each change, and Esc with an empty text; NULL: not needed */
};

struct recording {
	bool on;
	struct recorder *file; /* created with the first point; NULL before */
	bool *added;           /* for each point of the current sweep; owned */
	int count;             /* of `added` */
	size_t written;        /* points in the file */
};

enum { NATIVE_REFUSED = 16 };

struct app {
	char device[DEVICE_NAME_MAX];
	bool soft;              /* sizes reduced for the software GPU are the defaults */
	char *const *program;   /* the user's, with its arguments, up to NULL; NULL: none */
	char arch[DEVICE_ARCH]; /* its target; "": not known before it is open, or a recording */
	struct catalog catalog;
	struct published published;     /* of all experiments */
	struct accuracy_table accuracy; /* of the models of the software GPU */
	struct lab *labs;               /* one per experiment; only the first shown until all are loaded; owned */
	int lab_count, current;
	bool loaded;

	const struct view *view;       /* the one shown */
	const struct view *below;      /* the one to return to from a page such as the help */
	struct what_if_study *what_if; /* tui/lab/what_if; NULL: none yet */
	void *view_state[VIEWS_MAX];   /* each view's own, by view_index */
	enum focus focus;
	bool zoom, log_y, ascii, quit, redraw;
	bool flip_x;              /* logarithmic x axis where linear is the default, and the reverse */
	bool breakdown;           /* the plot shows the cycle breakdown; needs points with a profile */
	bool shares;              /* of the breakdown in per cent, instead of stacked up to the curve */
	enum pin_view pin_view;   /* what r chose */
	bool profile_before;      /* `profile` before the breakdown was shown */
	bool profile;             /* sweeps record profiles, on devices that support them */
	bool edit_wanted;         /* the main loop should open an editor for the kernel */
	bool edit_hip;            /* for its HIP source, although the current variant is assembly */
	struct file_watch *watch; /* file_watch.h; NULL: off */
	bool hide_published;
	enum canvas_kind canvas;
	int width, height;    /* of the screen */
	int scroll;           /* first visible line of the help and log pages */
	char page_filter[96]; /* the help and log pages show only lines with this text */
	char filter[96];
	struct input_line input;
	struct palette *palette; /* the line `:` (command_palette.h); NULL while it is closed */
	bool mouse;              /* clicks and the wheel are enabled */
	int tour;                /* panel of the tour that is shown, from 1; 0: none */
	int frames;              /* per second at most, while data arrives */
	int log_level_min;       /* enum log_level: the lowest one that the log page shows */
	size_t log_read;         /* lines of the log that were shown, there or on the status line */
	char message[512];
	char export_folder[400];           /* of the last export; "": the current one */
	char live_device[DEVICE_NAME_MAX]; /* the device before a recording was opened; "" */
	bool message_at_end;               /* the message is printed when the program ends */
	char *clipboard;                   /* text for the terminal's clipboard, owned; the main loop sends it */
	enum role message_role;

	/* measuring (lab_measure.c) */
	struct worker_pool *workers; /* NULL while none run */
	struct sweep *sweep;         /* the current or last one; NULL before the first */
	struct lab *sweeping;        /* the owner of that sweep's curve; NULL without a sweep */
	long long measure_at;        /* when the next sweep is due (now_ms); 0: none */
	long long changed_at;        /* when a parameter was last changed (now_ms) */
	long long looked_at;         /* when the points' states were last copied */
	bool states_known;           /* the sweep has ended, and all of them were copied since */
	long long restart_at;        /* when new workers are due; 0: never */
	long long show_at;           /* when the next point is shown (playback.h) */
	char fatal[640];             /* why the device cannot be opened; "" */
	struct clocks idle;          /* of the last telemetry record */
	unsigned telemetry_count;
	struct recording recording;
	struct background_job *background_jobs; /* list; background_job.h */

	struct undo_history *history;      /* undo.h; owned */
	char next_device[DEVICE_NAME_MAX]; /* due at next_device_at (now_ms); "": none (device_switch.h) */
	long long next_device_at;
	bool undoing;                     /* the action moved in the undo history: it is not itself a change */
	const struct action *last_action; /* and the parameter that was selected then */
	int last_param;
	double replay_speed; /* of recordings: 1 as recorded, 0 at once (playback.h) */

	bool dirty, urgent;                      /* the screen must be redrawn; at once, because of a key */
	bool native_wanted;                      /* the main loop should ask whether native code may run */
	uint64_t native_refused[NATIVE_REFUSED]; /* hashes of such files, latest first (native_choice.h); 0: none */
};

/* Loads the catalog and chooses `experiment` (NULL: the default one). False with an error when none can be loaded. */
bool app_open(struct app *a, const char *device, const char *experiment, struct err *e);
/* The same in slices, so that the first frame appears at once: app_open_start loads that one experiment, each
 * app_load_slice loads others for about `ms` and returns false when all are loaded. */
bool app_open_start(struct app *a, const char *device, const char *experiment, struct err *e);
bool app_load_slice(struct app *a, int ms);
/* Adds the experiment of a captured kernel, by the path of its definition, after the others; nothing if it is there.
 * False with an error. */
bool app_add_captured_experiment(struct app *a, const char *path, struct err *e);
/* Writes what the views have in no file yet, each as far as it can; false with the first error. */
bool app_keep_results(struct app *a, struct err *e);
void app_close(struct app *a); /* keeps the results, closes the recording, the views and the worker */

struct lab *app_current_lab(const struct app *a); /* NULL only when the catalog is empty */
/* A message on the status line. It goes to the log too, with the full path of the home folder. */
void app_show_message(struct app *a, enum role role, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void app_request_redraw(struct app *a);        /* without waiting for the next frame */
int app_unread_log_count(const struct app *a); /* warnings and errors in the log that were not shown yet */

#endif
