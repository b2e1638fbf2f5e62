/* The table of settings: the names and values that $XDG_CONFIG_HOME/wavedeck/config, --set NAME=VALUE and `:set`
 * accept. Parsing, `wavedeck help config`, the manual, the completion and the command palette use it. */
#ifndef BASE_SETTINGS_H
#define BASE_SETTINGS_H

#include <stdbool.h>

#include "base/conf_file.h"
#include "base/err.h"

enum setting_kind { SETTING_TEXT, SETTING_SWITCH, SETTING_CHOICE, SETTING_NUMBER };

/*    id           name              kind            default    values (NUMBER: low..high)  help */
/* clang-format off */
#define SETTINGS(X) \
	X(THEME,       "theme",          SETTING_TEXT,   "dark",    "NAME", \
		"colors: dark, light, contrast, colorblind, mono, or a theme file of your own") \
	X(CANVAS,      "canvas",         SETTING_CHOICE, "auto",    "auto|braille|blocks|ascii", \
		"characters that draw the curves; auto: braille, on the Linux console blocks") \
	X(GLYPHS,      "glyphs",         SETTING_CHOICE, "auto",    "auto|unicode|ascii", \
		"characters for frames and marks; auto: depends on the locale") \
	X(MOUSE,       "mouse",          SETTING_SWITCH, "on",      "on|off", \
		"use clicks and the wheel; hold Shift to select text in the terminal") \
	X(LOG_Y,       "log-y",          SETTING_SWITCH, "off",     "on|off", "logarithmic y axes") \
	X(PUBLISHED,   "published",      SETTING_SWITCH, "on",      "on|off", "show published values with the curve") \
	X(WATCH,       "watch",          SETTING_SWITCH, "off",     "on|off", \
		"measure again when the experiment's Lua file or kernel is saved") \
	X(CHECK,       "check",          SETTING_CHOICE, "own",     "own|all|off", \
		"look for races, overruns and uninitialized values after a sweep, in the background: of your own kernels, of all, or only on request; a checked launch of ten programs took 1.1 to 18 times as long to simulate") \
	X(STOP,        "stop",           SETTING_CHOICE, "interval", "interval|entropy", \
		"on a GPU, when a point has enough samples: the interval of their median is narrow, or their entropy no longer rises") \
	X(FLUSH_L2,    "flush-l2",       SETTING_SWITCH, "off",     "on|off", \
		"empty the L2 cache before each sample, from the next sweep on") \
	X(RECORD,      "record",         SETTING_SWITCH, "off",     "on|off", "record sessions from the start") \
	X(FRAMES,      "frames",         SETTING_NUMBER, "30",      "1..120", \
		"frames per second while data arrives; keys are always handled at once") \
	X(RESTORE,     "restore",        SETTING_SWITCH, "on",      "on|off", \
		"open the workbench where it was left: experiment, settings, view, pinned curves") \
	X(EXPERIMENT,  "experiment",     SETTING_TEXT,   "range-latency", "EXP", "the experiment that the workbench opens first") \
	X(DEVICE,      "device",         SETTING_TEXT,   "auto",    "auto|DEVICE", \
		"used unless --device names another; auto: the first GPU, otherwise soft:mi25") \
	X(WORKERS,     "workers",        SETTING_TEXT,   "auto",    "auto|1..64", \
		"processes that measure on a software GPU at the same time; auto: one for each core, at most 8") \
	X(VOTE_FOR,    "vote-for",       SETTING_CHOICE, "address", "address|browser", \
		"what has one vote in class mode: an address of the network, or a browser, by a cookie, where phones share an address") \
	X(VOTE_TIMER,  "vote-timer",     SETTING_CHOICE, "end",     "end|show", \
		"when the time of a vote in class mode is up: end the vote, or only show it") \
	X(UNSAVED,     "unsaved",        SETTING_CHOICE, "ask",     "ask|save|discard", \
		"on quit, curves that were not recorded") \
	X(SESSIONS,    "session-folder", SETTING_TEXT,   "auto",    "auto|FOLDER", \
		"folder for recordings; auto: in the user's data folder")
/* clang-format on */

#define SETTING_ID(id, ...) SETTING_##id,
enum setting { SETTINGS(SETTING_ID) SETTING_COUNT };
#undef SETTING_ID

struct setting_info {
	const char *name;
	enum setting_kind kind;
	const char *value, *values, *help;
};

const struct setting_info *setting_get_info(int i); /* NULL after the last */
const char *setting_value(enum setting s);          /* the current value */
bool setting_is_on(enum setting s);
int setting_int_value(enum setting s);
bool setting_equals(enum setting s, const char *choice);

/* Checks a value beyond its kind; false with one line in `e`. For names that base does not know: themes, devices. */
typedef bool setting_check(const char *value, struct err *e);
void setting_set_check(enum setting s, setting_check *check);

/* Sets by name; stores the setting in *which (may be NULL). False with one line if the name or the value is wrong. */
bool setting_set(const char *name, const char *value, enum setting *which, struct err *e);
/* Sets from "name=value". */
bool setting_assign(const char *text, enum setting *which, struct err *e);
/* Reads the user's file. Mistakes go to `bad`, or to the log if it is NULL. False if there is no file. */
bool settings_read(conf_error_handler *bad, void *ctx);
/* Writes the changed settings into the user's file and keeps its other lines; the caller frees *path. */
bool settings_save(char **path, struct err *e);

#endif
