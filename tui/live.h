/* Settings as they take effect on a screen that is there. */
#ifndef TUI_LIVE_H
#define TUI_LIVE_H

#include "tui/app.h"
#include "tui/settings.h"

/* All of them, and the key bindings; before the first frame. */
void apply_all_settings(struct app *a);
/* One that was changed just now. */
void apply_setting(struct app *a, enum setting s);

#endif
