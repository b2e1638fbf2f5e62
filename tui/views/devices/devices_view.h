/* The device view: every device with its properties, constants and self-test. Selects a device, changes constants
 * of a software GPU, measures the current sweep on another device. Nothing blocks. */
#ifndef TUI_VIEWS_DEVICES_DEVICES_VIEW_H
#define TUI_VIEWS_DEVICES_DEVICES_VIEW_H

#include "gpu/controller/selftest.h"
#include "tui/lab/app.h"
#include "tui/shell/keymap.h"
#include "tui/toolkit/grid.h"
#include "tui/lab/background_job.h"

enum device_state { DEVICE_NOT_QUERIED, DEVICE_OPENING, DEVICE_READY, DEVICE_MISSING };

/* One line of a device's details: a property, a constant or a version. */
struct device_detail {
	char *name, *value, *from,
		*help;    /* owned; from: "runtime", "rocm-smi", "amd-smi", or the source of a constant */
	bool alterable;   /* a constant of a software GPU */
	char *low, *high; /* range of an alterable one */
};

struct device_row {
	char device[DEVICE_NAME_MAX];
	enum device_state state;
	char text[512];       /* its name, or why it cannot be opened and how to fix that */
	json_t *record;       /* NULL until the device is open; owned */
	struct clocks clocks; /* when it was queried */
	bool told_clocks;
	struct background_job *job;    /* while it is queried */
	struct device_detail *details; /* made when first shown */
	int detail_count;
	struct selftest_result results[SELFTEST_COUNT];
	bool tested[SELFTEST_COUNT];
	struct app *app;
};

struct device_view {
	struct device_row **rows; /* owned */
	int count, chosen;
	bool in_details; /* the arrow keys select a detail */
	int detail;
	char search[96];             /* in the details */
	struct background_job *test; /* the running self-test */
	int tested_row, test_number; /* tested_row -1: none */
	double test_part;            /* progress of that test, 0..1 */
	struct background_job *pin;  /* the sweep that will be pinned */
	char pin_device[DEVICE_NAME_MAX];
	struct lab *pin_lab;
	struct plan pin_plan;
	bool pin_planned;
};

extern const struct view view_devices;
static inline struct device_view *devices_view_of(const struct app *a) /* NULL before the view was opened */
{
	return app_view_state(a, &view_devices);
}

void devices_view_enter(struct app *a); /* lists the devices and queries those not queried yet */
void devices_view_close(struct app *a);
void devices_view_pump(struct app *a);                         /* queries the devices, two at a time */
struct device_row *devices_view_selected(const struct app *a); /* the selected one; NULL in an empty list */
/* Adds a device by name and queries it. Returns its row, or -1 with a message for an invalid name. */
int devices_view_add(struct app *a, const char *device);
void devices_view_refresh(struct app *a); /* queries the selected device again */

void devices_view_use(struct app *a); /* the workbench continues on the selected device */
void devices_view_self_test(struct app *a);
void devices_view_cancel(struct app *a); /* cancels the self-test and the sweep */
/* Measures the current sweep on the device, then pins the curve. */
void devices_view_measure_and_pin(struct app *a, const char *device);
bool devices_view_go_back(struct app *a); /* Esc: cancels, or leaves the details; false when neither applies */
bool devices_view_is_busy(const struct app *a);

/* The details of the row, made if needed; units as on an ASCII or a Unicode screen. */
const struct device_detail *devices_view_details(struct device_row *r, bool ascii, int *count);
/* "soft:mi25,l1_bytes=65536" from a device, a constant and a value; replaces an earlier value. False when it does
 * not fit. */
bool device_format_altered(const char *device, const char *constant, const char *value, char *out, size_t size);
bool devices_view_set_constant(
	struct app *a, const char *value); /* sets the selected constant and switches to that device */

void devices_view_draw(const struct app *a, struct area at);
void devices_view_add_legend(const struct app *a, struct text_page *page);

/* --- actions --- */
#define ACTION ACTION_FUNCTION
#include "tui/views/devices/devices_keys.def"
#undef ACTION

#endif
