/* The code view: source and instructions of the kernel at the cursor, with the cycles of each instruction. Kernels
 * are built and points are profiled in the background. */
#ifndef TUI_VIEWS_CODE_CODE_VIEW_H
#define TUI_VIEWS_CODE_CODE_VIEW_H

#include "tui/lab/app.h"
#include "tui/shell/keymap.h"
#include "tui/toolkit/grid.h"
#include "experiments/analysis/code_diff.h"
#include "experiments/analysis/code_model.h"
#include "experiments/analysis/code_profile.h"
#include "tui/views/code/matrix_tile.h"

/* An element of the tile of a v_mfma instruction; the blocks are one below the other. */
struct tile_cursor {
	unsigned row, column;
};

enum code_pane { CODE_LINES, CODE_SOURCE };

/* Code that was requested, and the result. */
struct code_slot {
	struct code_request request;
	bool wanted;              /* the model is not ready yet */
	struct code_model *model; /* NULL: not ready, or failed */
	char error[512];
	char label[160]; /* "fma-unroll, unroll 8" */
};

enum code_choice_kind { CHOICE_VALUE, CHOICE_PINNED, CHOICE_ORIGINAL, CHOICE_EDITED, CHOICE_MARKED };
struct code_choice {
	enum code_choice_kind kind;
	int param;
	double value; /* value of the parameter; or number of the pin */
	char label[176];
};
enum { CODE_CHOICES = 64 };

struct code_view {
	struct code_slot shown, other; /* other: the code it is compared with, on the right */
	struct code_loading *loading;  /* NULL: nothing is being built */
	struct profile_probe *probe;   /* the point that is being profiled; NULL: none */
	struct code_profile *profile;  /* of the point; NULL: not available */
	bool probed;                   /* profiling was tried for this point */

	const struct experiment *x; /* experiment and values of the code shown */
	double values[PARAMS_MAX];
	bool asked;    /* x and values are set */
	char why[512]; /* why there is no code */

	enum code_pane pane;
	int source_share;  /* per cent of the width; 0: the usual share */
	bool all;          /* show the whole kernel */
	bool sorted;       /* the instruction with the most cycles first */
	bool advising;     /* the advice is shown instead of the listings */
	int advice_scroll; /* first visible row of the advice */
	bool tiling;       /* the tile of the instruction at the cursor is shown instead of the listings */
	struct tile_cursor tile;
	size_t line; /* cursor: an instruction of the model */
	int source;  /* cursor: a source line, from 1 */
	char search[96];

	struct code_choice choices[CODE_CHOICES];
	int choice_count, chosen;
	bool choosing, comparing, renamed;
	struct code_diff diff;   /* rows NULL: not compared yet */
	size_t row;              /* cursor in the diff */
	struct code_slot marked; /* request and label of the marked code */
};

extern const struct view view_code;
static inline struct code_view *code_view_of(const struct app *a) /* NULL before the view was opened */
{
	return app_view_state(a, &view_code);
}

enum { SOURCE_SHARE = 36, SOURCE_SHARE_LEAST = 21, SOURCE_SHARE_MOST = 61 };
void code_view_draw(const struct app *a, struct area at);
void code_view_add_legend(const struct app *a, struct text_page *page);
void code_view_enter(struct app *a); /* members of view_code */
void code_view_close(struct app *a);
bool code_view_go_back(struct app *a); /* Esc: true when it closed a list or a comparison */

void code_view_pump(struct app *a);                           /* after every poll */
void code_view_handle_record(struct app *a, const json_t *r); /* every record of the worker */
void code_view_worker_died(struct app *a, const char *why);
enum view_work code_view_work(const struct app *a); /* something is being built or measured for the view */

/* --- for drawing --- */
/* The listed instructions: [first, end). */
void code_view_line_range(const struct code_view *v, size_t *first, size_t *end);
/* The listed instructions in the order of the screen; the caller frees it. Writes their number. */
size_t *code_view_line_order(const struct code_view *v, size_t *count);
size_t code_view_order_position(const size_t *order, size_t count, size_t line); /* 0 if it is not listed */
bool code_view_is_comparing(const struct code_view *v);                          /* both columns are ready */
/* The tile of the instruction at the cursor; false if that is no v_mfma. */
bool code_view_find_tile(const struct code_view *v, struct matrix_tile *out);
/* Why the cycles are not shown; "" when they are. */
char *code_view_profile_status(const struct app *a, char *out, size_t size);

/* --- within the view --- */
struct code_loading;
void code_loading_update(struct app *a);     /* takes a finished model, starts the next one */
void code_loading_wait(struct code_view *v); /* waits for the compiler */
void profile_probe_update(struct app *a);
void profile_probe_cancel(struct code_view *v);
void code_view_update_diff(struct code_view *v);                /* computes the diff when both models are ready */
void code_view_place_cursors(struct code_view *v, size_t line); /* moves both cursors to an instruction */
void code_view_go_to_loop(struct code_view *v);                 /* moves both cursors to the hot loop */
/* A point's values as text: choices and values that differ from the defaults. */
void code_format_label(const struct experiment *x, const double *values, char *out, size_t size);
void code_append_edited_label(char *label, size_t size);         /* appends ", edited copy" */
const struct point *code_view_cursor_point(const struct app *a); /* the point at the plot's cursor; NULL */

/* --- actions --- */
#define ACTION ACTION_FUNCTION
#include "tui/views/code/code_keys.def"
#undef ACTION

#endif
