/* The preset "class": points are measured as fast as ever and shown one by one, so that people who watch can follow the
 * curve and guess where it goes. Recordings are replayed in the same way, at the pace they were measured at, where that
 * is wished for. */
#ifndef TUI_LAB_PLAYBACK_H
#define TUI_LAB_PLAYBACK_H

#include "tui/lab/app.h"

bool playback_is_enabled(const struct app *a); /* of the sweep that runs */
/* Whether measured points wait to be shown. */
bool playback_has_pending(const struct app *a);
long long playback_next_ms(const struct app *a); /* ms, when the next of them is; 0 when none waits */
/* Shows the next one where it is due, or all of them at once. */
void playback_show_points(struct app *a, bool all);

#endif
