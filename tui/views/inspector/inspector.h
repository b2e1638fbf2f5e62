/* The inside view: what silicon hides of the launch at the workbench's cursor. Its state, and how it asks the worker
 * for what a page shows. */
#ifndef TUI_VIEWS_INSPECTOR_INSPECTOR_H
#define TUI_VIEWS_INSPECTOR_INSPECTOR_H

#include "tui/lab/app.h"
#include "experiments/analysis/issued_code.h"
#include "tui/views/inspector/tunables.h"
#include "tui/views/inspector/cache_set_map.h"
#include "tui/lab/background_job.h"
#include "experiments/analysis/wave_spans.h"
#include "tui/views/inspector/wave_steps.h"

/* What one page shows is asked for as a part; parts that were never asked for come with the first one. */
enum { PART_WAVES = 1, PART_SETS = 2, PART_STEPS = 4, PART_LANES = 8 };

/* id, its key (keys_inspector.h), title, name for scripts, part, function that draws it (inspector_draw.h) */
/* clang-format off */
#define INSPECTOR_PAGES(X) \
	X(TIMELINE, "t", "Timeline",   "timeline", PART_WAVES, inspector_draw_timeline) \
	X(LANES,    "b", "Lanes",      "lanes",    PART_LANES, inspector_draw_lanes) \
	X(SETS,     "c", "Cache sets", "sets",     PART_SETS,  inspector_draw_sets) \
	X(STEPS,    "s", "Steps",      "steps",    PART_STEPS, inspector_draw_steps) \
	X(HARDWARE, "h", "Hardware",   "hardware", 0,          inspector_draw_tunables)
/* clang-format on */
#define INSPECTOR_PAGE_ID(id, ...) INSPECTOR_##id,
enum inspector_page { INSPECTOR_PAGES(INSPECTOR_PAGE_ID) INSPECTOR_PAGE_COUNT };
#undef INSPECTOR_PAGE_ID

enum {
	STEP_WINDOW_SIZE = 512,
	STEP_WINDOW_BEFORE = 128 /* kept before the one that is sought */,
	SEEK_WINDOWS_MAX = 16
};
enum step_seek { SEEK_NONE, SEEK_STEP, SEEK_ACCESS, SEEK_BARRIER, SEEK_FIRST };

struct inspector {
	enum inspector_page page;
	struct background_job *side;   /* the worker that looks */
	unsigned wanted, asked, there; /* parts: to be asked for, under way, shown */
	char why[512];                 /* nothing to show: one line */
	long long done, total;         /* workgroups of the launch that runs; total 0: not known */
	char title[200];               /* whose launch it is */
	/* whose */
	const struct experiment *x;
	double values[PARAMS_MAX];
	char device[DEVICE_NAME_MAX];

	struct issued_code code;
	struct wave_spans waves;
	uint64_t ask_from, ask_to; /* cycles of the timeline */
	struct set_map sets;

	struct wave_steps steps;
	int at, lane, first_register; /* the step that comes next; the lane shown; the first register shown */
	uint64_t ask_step, ask_cycle; /* from that step on, not before that cycle */
	int64_t ask_offset;           /* -1: by step */
	enum step_seek seek;          /* what is looked for when the steps have come */
	uint64_t seek_step;
	int seek_windows;

	struct wave_steps lanes; /* one step: the access */
	int line;                /* of the code: the instruction chosen; -1 none yet */
	uint64_t nth, nth_there; /* which of its executions; the one shown */
	int wave, part;          /* wave followed on both pages; which access of an instruction with two */
	int lane_cursor;

	struct tunables knobs;
	char next_device[DEVICE_NAME_MAX]; /* to be opened when nothing has been turned for a moment; "" none */
	long long next_at;                 /* ms */
};

extern const struct view view_inspector;
static inline struct inspector *inspector_of(const struct app *a) /* NULL before the view was opened */
{
	return app_view_state(a, &view_inspector);
}

/* For the table of views: creates the state, and asks anew where the workbench's point is another now. */
void inspector_enter(struct app *a);
void inspector_close(struct app *a);
struct inspector *inspector_get(struct app *a); /* created when it is not there */

/* Asks for the parts, after what is under way; PART_LANES and PART_STEPS go one after the other. */
void inspector_request_parts(struct app *a, unsigned parts);
void inspector_show_page(struct app *a, enum inspector_page page); /* shows it, asks for what it lacks */
void inspector_reload(struct app *a);                              /* forgets all that was seen */
void inspector_cancel_request(struct app *a);                      /* what is being asked for */
/* The answer (a point record); tests hand in their own. */
void inspector_handle_record(struct app *a, const json_t *point);
enum view_work inspector_work(const struct app *a);
const json_t *inspector_device_constants(const struct app *a); /* of the device; NULL until it is open */
int inspector_timeline_columns(const struct app *a);           /* of the timeline */
int inspector_sets_columns(const struct app *a);               /* of the map of sets: a power of two, or all of them */

/* --- the pages' logic that needs more than their model --- */
void inspector_load_timeline(struct app *a); /* asks for what the timeline shows and is not there */
void inspector_select_instruction(struct app *a, int line, uint64_t nth);
void inspector_handle_trace(
	struct app *a, const json_t *trace); /* the steps that were asked for; NULL or null: they never came */
void inspector_seek_step(struct app *a, enum step_seek seek,
	uint64_t step); /* SEEK_STEP: to that number; else the next one of that kind */
void inspector_run_to_offset(struct app *a, int64_t offset);
void inspector_follow_wave(
	struct app *a, int wave, uint64_t cycle); /* another wave, on both pages that show one; not before that cycle */
void inspector_set_tunable(struct app *a, int knob, long long value); /* the device follows after a moment */
void inspector_reset_tunables(struct app *a, bool all);
void inspector_pump(struct app *a); /* after every poll: turned knobs */

#endif
