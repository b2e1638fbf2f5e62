/* The device view's state and what can be done with it: every device with what it says of itself, its constants, its
 * self-test; choosing one, altering a software GPU, measuring the present sweep on another one. Draws nothing; nothing
 * blocks. */
#ifndef TUI_VIEWS_DEVICES_DEVICES_VIEW_H
#define TUI_VIEWS_DEVICES_DEVICES_VIEW_H

#include "gpu/controller/selftest.h"
#include "tui/lab/app.h"
#include "tui/shell/keymap.h"
#include "tui/toolkit/grid.h"
#include "tui/lab/background_job.h"

enum device_state { DEVICE_NOT_QUERIED, DEVICE_OPENING, DEVICE_READY, DEVICE_MISSING };

/* A line of a device's details: a property, a constant, a version. */
struct device_detail {
	char *name, *value, *from, *help; /* owned; from: "runtime", "rocm-smi", a source of gfx9.def */
	bool alterable;                   /* a constant of a software GPU */
	char *low, *high;                 /* of one that is */
};

struct device_row {
	char device[DEVICE_NAME_MAX];
	enum device_state state;
	char text[512];       /* its name, or why it cannot be opened, with the mend */
	json_t *record;       /* the device record; NULL until it is open; owned */
	struct clocks clocks; /* when it was asked */
	bool told_clocks;
	struct background_job *side;   /* while it is asked */
	struct device_detail *details; /* made when they are first shown */
	int detail_count;
	struct selftest_result results[SELFTEST_COUNT];
	bool tested[SELFTEST_COUNT];
	struct app *app;
};

struct device_view {
	struct device_row **rows; /* owned */
	int count, chosen;
	bool in_details; /* arrows choose a detail */
	int detail;
	struct background_job *test; /* the self-test that runs */
	int tested_row, test_number; /* -1: none */
	double test_part;            /* of that check */
	struct background_job *pin;  /* the sweep that is measured to be pinned */
	char pin_device[DEVICE_NAME_MAX];
	struct lab *pin_bench;
	struct plan pin_plan;
	bool pin_planned;
};

extern const struct view view_devices;
static inline struct device_view *devices_view_of(const struct app *a) /* NULL before the view was opened */
{
	return app_view_state(a, &view_devices);
}

void devices_view_enter(struct app *a); /* a view_hook: lists them and asks those that have not been asked */
void devices_view_close(struct app *a);
void devices_view_pump(struct app *a); /* by the loop: asks those that were not asked yet, two at a time */
struct device_row *devices_view_selected(const struct app *a); /* the chosen one; NULL in an empty list */
/* Adds one by its name and asks it; the number of its row, -1 with a message for a name that there is not. */
int devices_view_add(struct app *a, const char *device);
void devices_view_refresh(struct app *a); /* asks the chosen one again */

void devices_view_use(struct app *a); /* the workbench goes on with the chosen one */
void devices_view_self_test(struct app *a);
void devices_view_cancel(struct app *a);          /* what runs: self-test, sweep */
void devices_view_measure_and_pin(struct app *a); /* measures the present sweep there and pins the curve */
bool devices_view_go_back(struct app *a); /* Esc: cancels, leaves the details; false when there is nothing of that */
bool devices_view_is_busy(const struct app *a);

/* The details of the row, made now when they are not there. */
const struct device_detail *devices_view_details(struct device_row *r, int *count);
/* "soft:mi25,l1_bytes=65536" from the device, a constant and a value; an earlier value of it is replaced. False when it
 * does not fit. */
bool device_format_altered(const char *device, const char *constant, const char *value, char *out, size_t size);
bool devices_view_set_constant(
	struct app *a, const char *value); /* the chosen constant; the workbench goes on with that device */

void devices_view_draw(const struct app *a, struct area at);

/* --- actions --- */
#define ACTION ACTION_FUNCTION
#include "tui/views/devices/devices_keys.def"
#undef ACTION

#endif
