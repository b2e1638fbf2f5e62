/* The one table of settings: what $XDG_CONFIG_HOME/wavedeck/config, --set NAME=VALUE and `:set` may say. Parsing,
 * `wavedeck help config`, the manual, the completion and the palette are made of it. */
#ifndef BASE_SETTINGS_H
#define BASE_SETTINGS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/conf_file.h"

enum setting_kind { SETTING_TEXT, SETTING_SWITCH, SETTING_CHOICE, SETTING_NUMBER };

/*    id           name              kind            default    values (NUMBER: low..high)  help */
/* clang-format off */
#define SETTINGS(X) \
	X(THEME,       "theme",          SETTING_TEXT,   "dark",    "NAME", \
		"colours: dark, light, contrast, colorblind, mono, or a file of your own") \
	X(CANVAS,      "canvas",         SETTING_CHOICE, "braille", "braille|blocks|ascii", "what curves are drawn with") \
	X(GLYPHS,      "glyphs",         SETTING_CHOICE, "auto",    "auto|unicode|ascii", "frames and marks; auto: as the locale says") \
	X(MOUSE,       "mouse",          SETTING_SWITCH, "on",      "on|off", \
		"clicks and the wheel work; with Shift held the terminal selects text as ever") \
	X(LOG_Y,       "log-y",          SETTING_SWITCH, "off",     "on|off", "logarithmic y axes") \
	X(PUBLISHED,   "published",      SETTING_SWITCH, "on",      "on|off", "published values behind the curve") \
	X(RECORD,      "record",         SETTING_SWITCH, "off",     "on|off", "record sessions from the start") \
	X(FRAMES,      "frames",         SETTING_NUMBER, "30",      "1..120", \
		"frames a second at most while data comes; a key is answered at once") \
	X(EXPERIMENT,  "experiment",     SETTING_TEXT,   "range-latency", "EXP", "chosen when the workbench opens") \
	X(DEVICE,      "device",         SETTING_TEXT,   "auto",    "auto|DEVICE", \
		"opened unless --device says another; auto: the first GPU, else soft:mi25") \
	X(SESSIONS,    "session-folder", SETTING_TEXT,   "auto",    "auto|FOLDER", "where recordings go; auto: the user's data folder")
/* clang-format on */

#define SETTING_ID(id, ...) SETTING_##id,
enum setting { SETTINGS(SETTING_ID) SETTING_COUNT };
#undef SETTING_ID

struct setting_info {
	const char *name;
	enum setting_kind kind;
	const char *value, *values, *help;
};

const struct setting_info *setting_get_info(int i); /* NULL behind the last */
const char *setting_value(enum setting s);          /* its value now */
bool setting_is_on(enum setting s);
int setting_int_value(enum setting s);
bool setting_equals(enum setting s, const char *choice);
/* By its name; `which` (may be NULL) tells which. False with one line when there is none, or when the value does not
 * fit. */
bool setting_set(const char *name, const char *value, enum setting *which, struct err *e);
/* "name=value" */
bool setting_assign(const char *text, enum setting *which, struct err *e);
/* The person's file; NULL tells the log. False when there is none. */
bool settings_read(conf_error_handler *bad, void *ctx);
/* Writes what differs from the defaults into the person's file, where its other lines stay; `path` is the caller's to
 * free. */
bool settings_save(char **path, struct err *e);

#endif
