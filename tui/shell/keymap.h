/* The one table of what a person can do: name (for scripts), where it works, keys, hint for the keys line, help text,
 * function. Dispatch, help view and hints are made of it; a row without its function does not link. One without a key
 * (TK_NONE) is for the palette. Where a key stands in two rows, the row whose place has the focus is meant. */
#ifndef TUI_SHELL_KEYMAP_H
#define TUI_SHELL_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/views/code/keys_code.h"
#include "tui/views/devices/keys_devices.h"
#include "tui/shell/keys_general.h"
#include "tui/views/inspector/keys_inspector.h"
#include "tui/views/lessons/keys_lessons.h"
#include "tui/views/sessions/keys_sessions.h"

/* Codes beyond Unicode for keys without a character. */
enum {
	TK_NONE = 0,
	TK_BASE = 0x110000,
	TK_UP,
	TK_DOWN,
	TK_LEFT,
	TK_RIGHT,
	TK_HOME,
	TK_END,
	TK_PAGE_UP,
	TK_PAGE_DOWN,
	TK_BACKTAB,
	TK_BACKSPACE,
	TK_DELETE,
	TK_SHIFT_LEFT,
	TK_SHIFT_RIGHT,
	TK_INSERT,
	TK_MOUSE /* term_mouse says what */,
	TK_F1,
	TK_F2,
	TK_F12 = TK_F1 + 11,
	TK_END_OF_KEYS,
	TK_TAB = '\t',
	TK_ENTER = '\n',
	TK_ESC = 27,
	TK_SPACE = ' ',
	TK_CTRL_L = 12,
	TK_CTRL_U = 21,
	TK_CTRL_W = 23,
};

/* Places, as a mask. */
enum {
	IN_LIST = 1,
	IN_PARAMS = 2,
	IN_PLOT = 4,
	IN_HELP = 8,
	IN_LOG = 16,
	IN_CODE = 32,
	IN_INSPECTOR = 64,
	IN_LESSONS = 128,
	IN_SESSIONS = 256,
	IN_DEVICES = 512,
	IN_MAIN = IN_LIST | IN_PARAMS | IN_PLOT,
	IN_PAGE = IN_HELP | IN_LOG,
	IN_VIEW = IN_CODE | IN_INSPECTOR | IN_LESSONS | IN_SESSIONS | IN_DEVICES,
	IN_ALL = IN_MAIN | IN_PAGE | IN_VIEW
};

/*    id            name             where       key            other key      hint        help */
/* clang-format off */
#define ACTIONS_MAIN(X) \
	X(next_pane,    "next-pane",     IN_MAIN,    TK_TAB,        TK_NONE,       "pane", \
		"next pane: experiments, parameters, plot") \
	X(prev_pane,    "prev-pane",     IN_MAIN,    TK_BACKTAB,    TK_NONE,       "",         "previous pane") \
	X(list_down,    "list-down",     IN_LIST,    TK_DOWN,       'j',           "choose", \
		"next experiment; measured after a short pause") \
	X(list_up,      "list-up",       IN_LIST,    TK_UP,         'k',           "",         "previous experiment") \
	X(list_enter,   "list-enter",    IN_LIST,    TK_ENTER,      TK_RIGHT,      "open",     "go to its parameters") \
	X(param_more,   "param-more",    IN_PARAMS,  TK_RIGHT,      TK_NONE,       "adjust", \
		"one step up and measure again; on the x axis: a longer range") \
	X(param_less,   "param-less",    IN_PARAMS,  TK_LEFT,       TK_NONE,       "", \
		"one step down and measure again; on the x axis: a shorter range") \
	X(param_most,   "param-leap-up", IN_PARAMS,  TK_SHIFT_RIGHT, TK_NONE,      "",         "four steps up") \
	X(param_least,  "param-leap-down", IN_PARAMS, TK_SHIFT_LEFT, TK_NONE,      "",         "four steps down") \
	X(param_down,   "param-down",    IN_PARAMS,  TK_DOWN,       'j',           "",         "next parameter") \
	X(param_up,     "param-up",      IN_PARAMS,  TK_UP,         'k',           "",         "previous parameter") \
	X(param_enter,  "param-enter",   IN_PARAMS,  TK_ENTER,      TK_NONE,       "type", \
		"type a value with its unit; on the x axis a range: 1 KiB..1 MiB:x2") \
	X(x_axis,       "x-axis",        IN_PARAMS,  'x',           TK_NONE,       "x axis", \
		"sweep this parameter: put it on the x axis") \
	X(param_default, "param-default", IN_PARAMS, 'd',           TK_NONE,       "", \
		"this parameter's default again") \
	X(filter,       "filter",        IN_MAIN,    '/',           TK_NONE,       "find", \
		"find experiments by some of their letters, best first") \
	X(plot_right,   "plot-right",    IN_PLOT,    TK_RIGHT,      TK_NONE,       "cursor",   "next point") \
	X(plot_left,    "plot-left",     IN_PLOT,    TK_LEFT,       TK_NONE,       "",         "previous point") \
	X(plot_first,   "plot-first",    IN_PLOT,    TK_HOME,       TK_NONE,       "",         "first point") \
	X(plot_last,    "plot-last",     IN_PLOT,    TK_END,        TK_NONE,       "",         "last point") \
	X(run,          "run",           IN_MAIN,    TK_SPACE,      TK_NONE,       "sweep", \
		"measure the sweep, from its first point") \
	X(cancel,       "cancel",        IN_MAIN,    TK_ESC,        'c',           "", \
		"cancel the sweep; what is measured stays") \
	X(causes,       "causes",        IN_MAIN,    'w',           TK_NONE,       "cycles", \
		"where the cycles go: by cause, stacked up to the curve") \
	X(cursor_right, "cursor-right",  IN_MAIN,    ']',           TK_NONE,       "cursor", \
		"cursor to the next point, from any pane") \
	X(cursor_left,  "cursor-left",   IN_MAIN,    '[',           TK_NONE,       "", \
		"cursor to the previous point, from any pane") \
	X(preset,       "preset",        IN_MAIN,    'P',           TK_NONE,       "presets", \
		"next preset: small, published, quick, class, the experiment's") \
	X(overlay,      "overlay",       IN_MAIN,    'o',           TK_NONE,       "published", \
		"published values behind the curve, off and on") \
	X(edit,         "edit",          IN_MAIN,    'e',           TK_NONE,       "edit", \
		"edit a copy of the kernel, then measure it beside the original") \
	X(original,     "original",      IN_MAIN,    'E',           TK_NONE,       "", \
		"the original kernel again; the copy is kept for the next e") \
	X(record,       "record",        IN_MAIN,    'R',           TK_NONE,       "record", \
		"record to a session file, beginning with the curve shown; again: stop") \
	X(pin,          "pin",           IN_MAIN,    'p',           TK_NONE,       "", \
		"keep this curve to compare with, up to four; again: let it go") \
	X(unpin,        "unpin",         IN_MAIN,    TK_BACKSPACE,  TK_NONE,       "",         "let the last pinned curve go") \
	X(zoom,         "zoom",          IN_MAIN,    'z',           TK_NONE,       "zoom", \
		"the plot over the whole width, and back") \
	X(log_y,        "log-y",         IN_MAIN,    'l',           TK_NONE,       "", \
		"logarithmic y axes, and linear again; with w: in per cent") \
	X(log_x,        "log-x",         IN_MAIN,    'X',           TK_NONE,       "", \
		"x axis logarithmic where it is linear by itself, or linear") \
	X(window_in,    "window-in",     IN_MAIN,    '+',           '=',           "nearer",   "half as much of the x axis, around the cursor") \
	X(window_out,   "window-out",    IN_MAIN,    '-',           TK_NONE,       "",         "twice as much of the x axis") \
	X(window_left,  "window-left",   IN_MAIN,    '<',           ',',           "",         "move along the x axis to the left") \
	X(window_right, "window-right",  IN_MAIN,    '>',           '.',           "",         "move along the x axis to the right") \
	X(window_all,   "window-all",    IN_MAIN,    '0',           TK_NONE,       "",         "all of the x axis") \
	X(undo,         "undo",          IN_MAIN,    'u',           TK_NONE,       "undo", \
		"take back the last change of parameters; its curve comes back") \
	X(redo,         "redo",          IN_MAIN,    'U',           TK_NONE,       "",         "do again what was taken back") \
	X(canvas,       "canvas",        IN_MAIN,    'b',           TK_NONE,       "", \
		"draw with braille dots, blocks, or ASCII") \
	X(scroll_down,  "scroll-down",   IN_PAGE,    TK_DOWN,       'j',           "scroll",   "one line down") \
	X(scroll_up,    "scroll-up",     IN_PAGE,    TK_UP,         'k',           "",         "one line up") \
	X(page_down,    "page-down",     IN_PAGE,    TK_PAGE_DOWN,  TK_SPACE,      "page",     "one page down") \
	X(page_up,      "page-up",       IN_PAGE,    TK_PAGE_UP,    TK_NONE,       "",         "one page up") \
	X(back,         "back",          IN_PAGE | IN_VIEW,    TK_ESC,        TK_NONE,       "back",     "back to the workbench; in a view first one step up") \
	X(close_page,   "close-page",    IN_PAGE,    TK_ENTER,      TK_NONE,       "",         "back to the workbench") \
	X(log,          "log",           IN_ALL,     'm',           TK_NONE,       "", \
		"messages: the log, with what libraries and the worker said") \
	X(redraw,       "redraw",        IN_ALL,     TK_CTRL_L,     TK_NONE,       "", \
		"draw the whole screen again") \
	X(help,         "help",          IN_ALL,     '?',           TK_F1,         "help",     "all keys") \
	X(quit,         "quit",          IN_ALL,     'q',           TK_NONE,       "quit", \
		"leave; a sweep is cancelled, a recording is closed")
/* clang-format on */

/* A view with many actions of its own has them in a file of its own. */
/* clang-format off */
#define ACTIONS(X) \
	ACTIONS_MAIN(X) ACTIONS_GENERAL(X) ACTIONS_CODE(X) ACTIONS_INSPECTOR(X) ACTIONS_LESSONS(X) ACTIONS_SESSIONS(X) ACTIONS_DEVICES(X)
/* clang-format on */

struct app;
/* argument: NULL for a key, else what a script, the palette, the mouse or a binding of the person's gives */
typedef void action_run(struct app *a, const char *argument);

#define UNUSED_ARGUMENT (void)argument

/* How far an action goes by its argument: 1 without. Never so far that it could not be added to a place or be taken one
 * by one. */
enum { ACTION_STEPS_MAX = 1000000 };
int action_step_count(const char *argument);

#define ACTION_FUNCTION(id, ...) action_run act_##id;
ACTIONS(ACTION_FUNCTION)
#undef ACTION_FUNCTION

struct action {
	const char *name;
	unsigned where;
	int key, other;
	const char *hint, *help;
	action_run *run;
};

size_t action_count(void);
const struct action *action_at(size_t i);
/* By the table alone; what the person has bound is bindings.h's. NULL: the key means nothing there. */
const struct action *action_for_key(int key, unsigned where);
const struct action *action_by_name(const char *name);

/* "Left", "Space", "Ctrl-L", "q" and back; TK_NONE for what is no key's name. */
const char *key_format_name(int key, char out[16]);
int key_parse(const char *name);

#endif
