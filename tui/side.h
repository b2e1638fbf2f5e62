/* Work beside the workbench's own: a worker of its own that opens a device, measures a plan there or does single jobs.
 * Views use it for what must not disturb the sweep on the bench. All sides hang in struct app, so that the loop polls
 * and pumps them; nothing here blocks. */
#ifndef TUI_SIDE_H
#define TUI_SIDE_H

#include "tui/app.h"

enum side_state { SIDE_IDLE, SIDE_OPENING, SIDE_BUSY, SIDE_DONE, SIDE_FAILED, SIDE_CANCELLED };

struct side;
/* After each record that came, and with NULL after each change of state. It must not free the side. */
typedef void side_listener(void *ctx, struct side *s, const json_t *record);

enum { SIDES_MAX = 24 };

struct side *side_new(struct app *a, side_listener *on,
	void *ctx); /* owned by the app's list until side_free; NULL when there are SIDES_MAX */
void side_free(struct app *a, struct side *s); /* its worker ends by itself; NULL is fine */

/* Opens the device, unless the side's worker has it already. What was going on there is cancelled. */
void side_open(struct side *s, const char *device);
/* Opens the device and measures the plan there, which is copied (its counters stay the caller's). */
void side_measure(struct side *s, const char *device, const struct plan *p);
/* Opens the device and sends the job (gpu/record.h) when it is open; takes the reference. The side is done with the
 * job's point record. */
void side_job(struct side *s, const char *device, json_t *job);
void side_cancel(struct side *s); /* what is measured stays */

enum side_state side_state(const struct side *s);
bool side_busy(const struct side *s);                   /* opening or measuring */
const struct sweep *side_sweep(const struct side *s);   /* NULL before the first measurement */
const json_t *side_device_record(const struct side *s); /* NULL until the device is open */
const char *side_text(const struct side *s);            /* the state in a line; why it failed */

/* --- for the loop (measure.c) --- */
int sides_fds(const struct app *a, int *fds); /* at most 2 * SIDES_MAX */
void sides_pump(struct app *a);
bool sides_busy(const struct app *a);
void sides_close(struct app *a); /* all of them, when the program ends */

#endif
