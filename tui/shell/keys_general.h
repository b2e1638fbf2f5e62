/* Actions of the whole program: the palette, settings, themes, the mouse, and what a click means. */
#ifndef TUI_SHELL_KEYS_GENERAL_H
#define TUI_SHELL_KEYS_GENERAL_H

/* clang-format off */
#define ACTIONS_GENERAL(X) \
	X(workbench,    "workbench",     IN_ALL,     '1',           TK_NONE,       "", \
		"the workbench: experiments, parameters, plot") \
	X(palette,      "palette",       IN_ALL,     ':',           TK_NONE,       "command", \
		"say what to do: actions, settings, experiments, parameters, with Tab and history") \
	X(theme,        "theme",         IN_ALL,     TK_F2,         TK_NONE,       "", \
		"next theme; with a name: that theme") \
	X(mouse,        "mouse",         IN_ALL,     'M',           TK_NONE,       "", \
		"the mouse off and on; off, the terminal selects text without Shift") \
	X(set,          "set",           IN_ALL,     TK_NONE,       TK_NONE,       "", \
		"NAME=VALUE: a setting, until the program ends") \
	X(save,         "save-settings", IN_ALL,     TK_NONE,       TK_NONE,       "", \
		"keep the settings for the next time, in the configuration file") \
	X(screenshot,   "screenshot",    IN_ALL,     TK_NONE,       TK_NONE,       "", \
		"FILE.svg|.png: writes the screen as a picture, in the theme's colors") \
	X(choose,       "experiment",    IN_ALL,     TK_NONE,       TK_NONE,       "", \
		"EXP: chooses an experiment and measures it") \
	X(param,        "param",         IN_MAIN,    TK_NONE,       TK_NONE,       "", \
		"NAME=VALUE: a parameter, or NAME=A..B[:x2]: its range on the x axis") \
	X(param_at,     "param-at",      IN_PARAMS,  TK_NONE,       TK_NONE,       "", \
		"NAME PART: the value at that part, 0..1, of the way from its least to its most") \
	X(cursor_at,    "cursor-at",     IN_PLOT,    TK_NONE,       TK_NONE,       "", \
		"PART: the cursor to the point nearest to that part, 0..1, of the x axis") \
	X(log_level,    "log-level",     IN_LOG,     'f',           TK_NONE,       "level", \
		"only messages from this level on: debug, info, warning, error")
/* clang-format on */

#endif
