/* The lesson view's rows of the keys table (keymap.h). */
#ifndef TUI_VIEWS_LESSONS_KEYS_LESSONS_H
#define TUI_VIEWS_LESSONS_KEYS_LESSONS_H

/* clang-format off */
#define ACTIONS_LESSONS(X) \
	X(lessons,      "lessons",       IN_ALL,     'L',           '4',           "", \
		"the course: pages to read, predict and measure") \
	X(lesson_down,  "lesson-down",   IN_LESSONS, TK_DOWN,       TK_NONE,       "choose", \
		"next page, choice, step or exercise; text goes down; the pen too") \
	X(lesson_up,    "lesson-up",     IN_LESSONS, TK_UP,         TK_NONE,       "",         "the one before") \
	X(lesson_right, "lesson-right",  IN_LESSONS, TK_RIGHT,      TK_NONE,       "on", \
		"next section of the page; the pen to the next x value") \
	X(lesson_left,  "lesson-left",   IN_LESSONS, TK_LEFT,       TK_NONE,       "",         "section before; the pen to the x value before") \
	X(lesson_enter, "lesson-enter",  IN_LESSONS, TK_ENTER,      TK_NONE,       "go", \
		"open the page; lock in the prediction; carry out the step; show the answer") \
	X(lesson_a,     "lesson-a",      IN_LESSONS, 'a',           TK_NONE,       "",         "choose a; in class mode one vote for it") \
	X(lesson_b,     "lesson-b",      IN_LESSONS, 'b',           TK_NONE,       "",         "choose b, or vote for it") \
	X(lesson_c,     "lesson-c",      IN_LESSONS, 'c',           TK_NONE,       "",         "choose c, or vote for it") \
	X(lesson_d,     "lesson-d",      IN_LESSONS, 'd',           TK_NONE,       "",         "choose d, or vote for it") \
	X(lesson_e,     "lesson-e",      IN_LESSONS, 'e',           TK_NONE,       "",         "choose e, or vote for it") \
	X(lesson_f,     "lesson-f",      IN_LESSONS, 'f',           TK_NONE,       "",         "choose f, or vote for it") \
	X(lesson_pen,   "lesson-pen",    IN_LESSONS, TK_TAB,        TK_NONE,       "draw", \
		"draw the curve before it is measured: arrows move the pen; again: back") \
	X(lesson_drop,  "lesson-drop",   IN_LESSONS, TK_SPACE,      TK_NONE,       "", \
		"a point of the drawn curve; again: it goes; otherwise a page of text") \
	X(lesson_undo,  "lesson-undo",   IN_LESSONS, TK_BACKSPACE,  'u',           "", \
		"rub out the drawn point; in class mode take back a vote") \
	X(lesson_metric, "lesson-metric", IN_LESSONS, 'y',          TK_NONE,       "",         "draw another quantity: latency, rate, ...") \
	X(lesson_taller, "lesson-taller", IN_LESSONS, '+',          TK_NONE,       "",         "the height to draw in is doubled") \
	X(lesson_lower, "lesson-lower",  IN_LESSONS, '-',           TK_NONE,       "",         "the height to draw in is halved") \
	X(lesson_skip,  "lesson-skip",   IN_LESSONS, 'x',           TK_NONE,       "", \
		"show curve and answer without a prediction") \
	X(lesson_again, "lesson-again",  IN_LESSONS, 'r',           TK_NONE,       "",         "measure the step again") \
	X(lesson_retry, "lesson-retry",  IN_LESSONS, 't',           TK_NONE,       "",         "predict anew; the course keeps the first result") \
	X(lesson_jump,  "lesson-jump",   IN_LESSONS, 'j',           TK_NONE,       "workbench", \
		"the workbench, set up as the step is, with its curve") \
	X(lesson_next,  "lesson-next",   IN_LESSONS, 'n',           TK_NONE,       "",         "next lesson") \
	X(lesson_class, "lesson-class",  IN_LESSONS, 'C',           TK_NONE,       "class", \
		"class mode: large read-outs, a key a vote, revealed to all; again: back") \
	X(lesson_point, "lesson-point",  IN_LESSONS, ']',           TK_NONE,       "",         "read the next point of the curve") \
	X(lesson_point_back, "lesson-point-back", IN_LESSONS, '[',  TK_NONE,       "",         "read the point before") \
	X(lesson_page_down, "lesson-page-down", IN_LESSONS, TK_PAGE_DOWN, TK_NONE, "",         "one page of text down") \
	X(lesson_page_up, "lesson-page-up", IN_LESSONS, TK_PAGE_UP, TK_NONE,       "",         "one page of text up")
/* clang-format on */

#endif
