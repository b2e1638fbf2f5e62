/* Shows points more slowly than they are measured: one by one with the preset "class", so that an audience can follow
 * the curve, and recordings at the speed of the setting replay-speed. */
#ifndef TUI_LAB_PLAYBACK_H
#define TUI_LAB_PLAYBACK_H

#include "tui/lab/app.h"

bool playback_is_enabled(const struct app *a); /* for the current sweep */
/* Whether measured points are still to be shown. */
bool playback_has_pending(const struct app *a);
long long playback_next_ms(const struct app *a); /* when the next one is due (now_ms); 0: none */
/* Shows the points that are due, or all of them. */
void playback_show_points(struct app *a, bool all);

#endif
