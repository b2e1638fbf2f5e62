/* The inspector: waves, lanes, cache sets and steps of the launch at the plot's cursor. It launches the point once
 * more with profiling; silicon cannot provide this. This header has the state and the requests to the worker. */
#ifndef TUI_VIEWS_INSPECTOR_INSPECTOR_H
#define TUI_VIEWS_INSPECTOR_INSPECTOR_H

#include "tui/lab/app.h"
#include "experiments/analysis/issued_code.h"
#include "experiments/analysis/code_model.h"
#include "kernels/inspect/value_sources.h"
#include "tui/views/inspector/memory_watch.h"
#include "tui/views/inspector/register_text.h"
#include "tui/views/inspector/tunables.h"
#include "tui/views/inspector/cache_set_map.h"
#include "tui/lab/background_job.h"
#include "experiments/analysis/timeline/wave_spans.h"
#include "tui/views/inspector/wave_steps.h"

/* The parts of a launch's profile. A page needs one of them; parts that were never requested come with the first
 * request. */
enum { PART_WAVES = 1, PART_SETS = 2, PART_STEPS = 4, PART_LANES = 8 };

/* id, its key (inspector_keys.def), title, name in scripts, part, function that draws it (inspector_draw.h) */
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
	STEP_WINDOW_BEFORE = 128 /* kept before the step that is sought */,
	SEEK_WINDOWS_MAX = 16
};
enum step_seek { SEEK_NONE, SEEK_STEP, SEEK_ACCESS, SEEK_BARRIER, SEEK_FIRST, SEEK_WRITE };

/* An access of a lane: the first time at or after a cycle that its wave issues the instruction. */
struct traced_access {
	int wave, lane;
	int64_t offset;
	uint64_t cycle;
};

struct inspector {
	enum inspector_page page;
	struct background_job *job;       /* runs the profiling launches */
	unsigned wanted, pending, loaded; /* parts: to request, requested, loaded */
	char why[512];                    /* why nothing is shown; one line */
	long long done, total;            /* finished workgroups of the running launch; total 0: unknown */
	char title[200];                  /* experiment and point of the launch */
	/* the profiled launch */
	const struct experiment *x;
	double values[PARAMS_MAX];
	char device[DEVICE_NAME_MAX];

	struct issued_code code;
	struct wave_spans waves;
	uint64_t request_from, request_to; /* requested cycles of the timeline */
	bool trips_tried;                  /* the timeline was opened on the hot loop, if there is one */
	bool trips_sought;                 /* the requested steps begin at a trip of the hot loop */
	struct set_map sets;

	struct wave_steps steps;
	struct code_model *model; /* of the kernel, for its source lines; NULL: not available */
	bool model_tried;
	int at, lane, first_register;         /* next step; shown lane; first shown register */
	enum register_format format;          /* of the registers on the steps page */
	struct memory_watch watch;            /* memory that the steps page shows */
	struct launch_buffers buffers;        /* of the launch whose steps are loaded */
	uint64_t request_step, request_cycle; /* the request: from that step on, not before that cycle */
	int64_t request_offset;               /* instruction address; -1: by step */
	uint64_t request_nth;                 /* which execution of it */
	enum step_seek seek;                  /* what to look for in the loaded steps */
	uint64_t seek_step;
	int seek_windows;
	struct value_sources sought; /* SEEK_WRITE: registers whose last write before seek_step is looked for */

	struct traced_access access[2]; /* that a check reported: both sides of a race */
	int access_count, shown_access; /* 0: none */

	struct wave_steps lanes;  /* one step: the access */
	int line;                 /* selected instruction of the code; -1: none yet */
	uint64_t nth, nth_loaded; /* which execution of it: selected, shown */
	int wave, part; /* wave followed on the lanes and steps pages; which access of an instruction with two */
	int lane_cursor;

	struct tunables tunables;
};

extern const struct view view_inspector;
static inline struct inspector *inspector_of(const struct app *a) /* NULL before the view was opened */
{
	return app_view_state(a, &view_inspector);
}

/* Forgets the shown launch if the plot's cursor is elsewhere. False: it is the launch that is shown. */
bool inspector_take_point(struct app *a, struct lab *b);
/* Creates the state, and profiles again when the plot's cursor has moved. */
void inspector_enter(struct app *a);
void inspector_close(struct app *a);
struct inspector *inspector_get(struct app *a); /* created if needed */

/* Requests parts after those under way. PART_LANES and PART_STEPS need separate launches. */
void inspector_request_parts(struct app *a, unsigned parts);
void inspector_show_page(struct app *a, enum inspector_page page); /* shows it and requests missing parts */
void inspector_reload(struct app *a);                              /* forgets all data and requests it again */
void inspector_cancel_request(struct app *a);                      /* cancels the running launch */
/* Handles the point record of a profiling launch. */
void inspector_handle_record(struct app *a, const json_t *point);
enum view_work inspector_work(const struct app *a);
const json_t *inspector_device_constants(const struct app *a); /* of the device record; NULL until the device is open */
enum { TIMELINE_LABEL = 9 /* columns before the timeline */ };
int inspector_timeline_columns(const struct app *a); /* columns of the timeline */
int inspector_sets_columns(const struct app *a);     /* columns of the set map: a power of two, or all sets */

/* --- logic of the pages --- */
void inspector_load_timeline(struct app *a); /* requests the part of the timeline that is shown but not loaded */
void inspector_request_timeline(struct app *a, uint64_t from, uint64_t to); /* in cycles */
void inspector_resize(struct app *a); /* after every poll: fits the timeline to the screen */
/* Shows two trips of the hot loop in the timeline, of the wave whose steps are loaded. They may have to be requested;
 * inspector_continue_trips goes on then. False: there is no loop. */
bool inspector_show_trips(struct app *a);
void inspector_continue_trips(struct app *a);
void inspector_open_timeline(struct app *a); /* on the hot loop, when all is loaded; once for each launch */
void inspector_select_instruction(struct app *a, int line, uint64_t nth);
void inspector_handle_trace(
	struct app *a, const json_t *trace); /* the requested steps; NULL or null: the wave never reached them */
void inspector_seek_step(struct app *a, enum step_seek seek,
	uint64_t step); /* SEEK_STEP: to that step; otherwise to the next step of that kind */
/* Shows the memory at an address (memory_watch.h), in all steps; "" ends that. False with an error. */
bool inspector_watch_memory(struct app *a, const char *text, struct err *e);
void inspector_run_to_offset(struct app *a, int64_t offset);
/* Goes back to the step that last wrote the address of the current step's access, or what another instruction reads. */
void inspector_seek_write(struct app *a);
void inspector_continue_write_seek(struct app *a); /* looks in the loaded steps, and requests earlier ones */
void inspector_follow_wave(
	struct app *a, int wave, uint64_t cycle); /* follows another wave on both pages, not before that cycle */
/* Shows the first of the accesses on the steps page; with two, inspector_turn_access goes from one to the other. */
void inspector_show_access(struct app *a, const struct traced_access *list, int count);
void inspector_turn_access(struct app *a);
void inspector_set_tunable(struct app *a, int i, long long value); /* the device is reopened shortly after */
void inspector_reset_tunables(struct app *a, bool all);

#endif
