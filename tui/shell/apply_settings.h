/* Applies settings to the running screen. */
#ifndef TUI_SHELL_APPLY_SETTINGS_H
#define TUI_SHELL_APPLY_SETTINGS_H

#include "tui/lab/app.h"
#include "base/settings.h"

/* All settings and the key bindings; before the first frame. */
void apply_all_settings(struct app *a);
/* One setting that has just changed. */
void apply_setting(struct app *a, enum setting s);

#endif
