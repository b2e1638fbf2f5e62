/* The code view: its state and what its keys do to it. Kernels are built, and points measured, beside the keyboard:
 * code_view_pump goes on with both. */
#ifndef TUI_VIEWS_CODE_CODE_VIEW_H
#define TUI_VIEWS_CODE_CODE_VIEW_H

#include "tui/lab/app.h"
#include "tui/shell/keymap.h"
#include "tui/toolkit/grid.h"
#include "experiments/analysis/code_diff.h"
#include "experiments/analysis/code_model.h"
#include "experiments/analysis/code_profile.h"

enum code_pane { CODE_LINES, CODE_SOURCE };

/* Code that is wanted, and what has come of it. */
struct code_slot {
	struct code_request request;
	bool wanted;              /* its model is not there yet */
	struct code_model *model; /* NULL: not yet, or it cannot be */
	char error[512];
	char label[160]; /* "fma-unroll, unroll 8" */
};

enum code_choice_kind { CHOICE_VALUE, CHOICE_PINNED, CHOICE_ORIGINAL, CHOICE_EDITED, CHOICE_MARKED };
struct code_choice {
	enum code_choice_kind kind;
	int param;
	double value; /* of the parameter; which pin */
	char label[176];
};
enum { CODE_CHOICES = 64 };

struct code_view {
	struct code_slot shown, other; /* other: what it is compared with, on the right */
	struct code_loading *loading;  /* NULL: none is being built */
	struct profile_probe *probe;   /* the point being measured once more; NULL: none */
	struct code_profile *profile;  /* of the point; NULL: not there */
	bool probed;                   /* it was tried: not again for this point */

	const struct experiment *x; /* what the code shown is of */
	double values[PARAMS_MAX];
	bool asked;    /* those two are set */
	char why[512]; /* there is no code */

	enum code_pane pane;
	bool all;    /* the whole kernel */
	size_t line; /* cursor, an instruction of the model */
	int source;  /* cursor, a source line from 1 */
	char search[96];
	bool typed; /* since the search line was opened */

	struct code_choice choices[CODE_CHOICES];
	int choice_count, chosen;
	bool choosing, comparing, renamed;
	struct code_diff diff;   /* rows NULL: not yet */
	size_t row;              /* cursor in it */
	struct code_slot marked; /* its request and label */
};

extern const struct view view_code;
static inline struct code_view *code_view_of(const struct app *a) /* NULL before the view was opened */
{
	return app_view_state(a, &view_code);
}

void code_view_draw(const struct app *a, struct area at);
void code_view_enter(struct app *a); /* hooks of the views table */
void code_view_close(struct app *a);
bool code_view_go_back(struct app *a); /* Esc: true when it only closed something of the view's own */

void code_view_pump(struct app *a);                           /* after every poll */
void code_view_handle_record(struct app *a, const json_t *r); /* every record of the worker */
void code_view_worker_died(struct app *a, const char *why);
enum view_work code_view_work(const struct app *a); /* something is being built or measured for the view */

/* --- for the views --- */
/* Instructions listed: [first, end). */
void code_view_line_range(const struct code_view *v, size_t *first, size_t *end);
bool code_view_is_comparing(const struct code_view *v); /* both columns are there */
/* What there is to say of where the cycles go, while they are not there; "" when they are. */
char *code_view_profile_status(const struct app *a, char *out, size_t size);

/* --- among the files of the view --- */
struct code_loading;
void code_loading_update(struct app *a);     /* takes what is built, starts what is wanted */
void code_loading_wait(struct code_view *v); /* waits for the compiler to end */
void profile_probe_update(struct app *a);
void profile_probe_cancel(struct code_view *v);
void code_view_update_diff(struct code_view *v);                /* aligns when both are there */
void code_view_place_cursors(struct code_view *v, size_t line); /* the cursors on an instruction */
void code_view_go_to_loop(struct code_view *v);                 /* the cursors at the loop's begin */
/* A point's values in words: the choices and what differs from the defaults. */
void code_format_label(const struct experiment *x, const double *values, char *out, size_t size);
void code_append_edited_label(char *label, size_t size);         /* says behind it that the kernel is the edited copy */
const struct point *code_view_cursor_point(const struct app *a); /* the curve's at the cursor; NULL */

/* --- actions --- */
#define ACTION ACTION_FUNCTION
#include "tui/views/code/code_keys.def"
#undef ACTION

#endif
