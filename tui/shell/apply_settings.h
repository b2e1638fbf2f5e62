/* Settings as they take effect on a screen that is there. */
#ifndef TUI_SHELL_APPLY_SETTINGS_H
#define TUI_SHELL_APPLY_SETTINGS_H

#include "tui/lab/app.h"
#include "base/settings.h"

/* All of them, and the key bindings; before the first frame. */
void apply_all_settings(struct app *a);
/* One that was changed just now. */
void apply_setting(struct app *a, enum setting s);

#endif
