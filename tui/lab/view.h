/* What a view is: a page of the program with a key table and a state of its own. Each view is a folder below tui/views
 * that exports one `const struct view view_NAME`; tui/views/views.def lists them. A function pointer may be NULL: the
 * view does nothing at that moment. */
#ifndef TUI_LAB_VIEW_H
#define TUI_LAB_VIEW_H

#include <jansson.h>
#include <stdbool.h>

struct action;
struct app;
struct area;
struct err;
struct measured_curve;
struct palette;
struct text_page;

/* A part of a view where keys have meanings of their own: a pane, a page. */
struct view_place {
	const char *name;  /* in the user's keys file */
	const char *title; /* on the help page */
};

enum view_work {
	VIEW_IDLE,
	VIEW_BACKGROUND, /* a background job works for the view; its records wake the loop */
	VIEW_POLLING,    /* the view must look at something about 50 times a second: pump */
	VIEW_SLICING     /* the view does the work itself, a slice in each pump: the loop must not sleep */
};

enum { VIEWS_MAX = 24, VIEW_PLACES_MAX = 9 };

struct view {
	const char *name;             /* also of the action that opens it, and of its scope in the keys file */
	const char *title;            /* of its keys on the help page */
	const struct action *actions; /* tui/shell/keymap.h; made from the view's keys.def */
	int action_count;
	const struct view_place *places;           /* NULL: a single place */
	int place_count;                           /* at most VIEW_PLACES_MAX */
	int (*current_place)(const struct app *a); /* index in places */
	void (*focus_place)(struct app *a, int place);
	bool is_detail; /* of the workbench: its name is in the header line after those of other views */
	bool (*is_empty)(const struct app *a); /* it has nothing to show, so the header line leaves it out */
	bool is_page;                          /* lies over another view and returns to it */

	void (*draw)(
		const struct app *a, struct area at); /* the area between header and status line; changes nothing */
	void (*open)(struct app *a);                  /* each time the view is shown, before it is drawn */
	void (*leave)(struct app *a);                 /* each time another view is shown */
	void (*close)(struct app *a);                 /* frees the view's state when the program ends */
	/* Before the program ends: writes results that are in no file yet. False with an error. */
	bool (*keep)(struct app *a, struct err *e);
	bool (*back)(struct app *a);                /* Esc: true when it closed something inside the view */
	const char *(*notice)(const struct app *a); /* text in its last row that may continue on the status line */
	void (*pump)(struct app *a);                /* after every poll, also while another view is shown */
	enum view_work (*busy)(const struct app *a);
	void (*record)(struct app *a, const json_t *record);     /* a record of the measuring worker */
	void (*worker_died)(struct app *a, const char *why);     /* the measuring worker ended */
	void (*click)(struct app *a, int x, int y);              /* before the action of the clicked region */
	bool (*wheel)(struct app *a, bool up);                   /* where no region has a meaning; false: arrow keys */
	struct measured_curve *(*measured)(const struct app *a); /* points of its own, to be saved on quit; or NULL */
	/* Exports what the view shows to the file, and reports it. NULL: the current curve of the workbench. */
	void (*export)(struct app *a, const char *path);
	char *(*export_name)(const struct app *a); /* a file name to suggest; the caller frees it */
	char *(*copy)(const struct app *a);        /* text for the clipboard; NULL: the screen. The caller frees it */
	void (*legend)(
		const struct app *a, struct text_page *page);       /* what is on the screen now (tui/shell/legend.h) */
	void (*offer)(const struct app *a, struct palette *offers); /* entries for the command palette */
};

/* Ends with NULL; the first one is the home view. Defined in tui/views/views.c. */
extern const struct view *const views[];

int view_index(const struct view *v); /* in `views` */

/* The state of a view, allocated by its `open`; NULL before. */
void *app_view_state(const struct app *a, const struct view *v);
void app_set_view_state(struct app *a, const struct view *v, void *state);
bool app_views_have_work(const struct app *a, enum view_work work);

#endif
