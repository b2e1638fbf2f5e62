/* The session view's rows of the keys table (keymap.h). */
#ifndef TUI_VIEWS_SESSIONS_KEYS_SESSIONS_H
#define TUI_VIEWS_SESSIONS_KEYS_SESSIONS_H

/* clang-format off */
#define ACTIONS_SESSIONS(X) \
	X(sessions,     "sessions",      IN_ALL,     'S',           '5',           "", \
		"recorded sessions: open, compare, export them") \
	X(session_down, "session-down",  IN_SESSIONS, TK_DOWN,      'j',           "choose",   "next session; in a comparison or list of points one row down") \
	X(session_up,   "session-up",    IN_SESSIONS, TK_UP,        'k',           "",         "the one before") \
	X(session_page_down, "session-page-down", IN_SESSIONS, TK_PAGE_DOWN, TK_NONE, "",      "one page down") \
	X(session_page_up, "session-page-up", IN_SESSIONS, TK_PAGE_UP, TK_NONE,    "",         "one page up") \
	X(session_first, "session-first", IN_SESSIONS, TK_HOME,     TK_NONE,       "",         "the first one") \
	X(session_last, "session-last",  IN_SESSIONS, TK_END,       TK_NONE,       "",         "the last one") \
	X(session_open, "session-open",  IN_SESSIONS, TK_ENTER,     TK_NONE,       "open", \
		"open it in the workbench: its recording becomes the device") \
	X(session_mark, "session-mark",  IN_SESSIONS, TK_SPACE,     TK_NONE,       "mark",     "mark it as A, B, ...; again: not any more") \
	X(session_unmark, "session-unmark", IN_SESSIONS, 'u',       TK_NONE,       "",         "no session is marked") \
	X(session_compare, "session-compare", IN_SESSIONS, 'c',     TK_NONE,       "compare",  "the marked ones point by point, with their ratio to A") \
	X(session_metric, "session-metric", IN_SESSIONS, 'y',       TK_NONE,       "",         "compare another quantity") \
	X(session_export, "session-export", IN_SESSIONS, 'e',       TK_NONE,       "export",   "write it as .html, .svg, .csv, .json or .gp (gnuplot)") \
	X(session_pin,  "session-pin",   IN_SESSIONS, 'o',          TK_NONE,       "overlay", \
		"pin its curve in the workbench, to compare with what is measured") \
	X(session_points, "session-points", IN_SESSIONS, 'p',       TK_TAB,        "points",   "its points, one a row") \
	X(session_note, "session-note",  IN_SESSIONS, 'n',          TK_NONE,       "note",     "write a note into the session") \
	X(session_filter, "session-filter", IN_SESSIONS, '/',       TK_NONE,       "",         "show only sessions with these letters in name, device, experiment, note") \
	X(session_sort, "session-sort",  IN_SESSIONS, 's',          TK_NONE,       "",         "sort by time, device, experiment, points, quality") \
	X(session_speed, "session-speed", IN_SESSIONS, 'v',         TK_NONE,       "", \
		"replay it as fast as it was measured; again: 4 times, 16 times as fast, at once") \
	X(session_rename, "session-rename", IN_SESSIONS, 'r',       TK_NONE,       "",         "another name for the file") \
	X(session_delete, "session-delete", IN_SESSIONS, TK_DELETE, 'x',           "",         "delete the file, after a question") \
	X(session_refresh, "session-refresh", IN_SESSIONS, 'g',     TK_NONE,       "",         "look into the folder again")
/* clang-format on */

#endif
