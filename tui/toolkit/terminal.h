/* The terminal: the only part that knows curses. Opens it, shows a grid, hands out keys, and gives it back on every way
 * out of the program. */
#ifndef TUI_TOOLKIT_TERMINAL_H
#define TUI_TOOLKIT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "tui/toolkit/grid.h"
#include "tui/toolkit/mouse.h"

/* Takes `in` and `out` (a terminal each) over. False with one line when that is no terminal or of an unknown type. From
 * here on SIGSEGV, SIGABRT, SIGBUS, SIGFPE and SIGILL give the terminal back before they do what they do. */
bool term_open(FILE *in, FILE *out, struct err *e);
void term_close(void);             /* gives the terminal back; harmless twice, and done at exit */
int term_fd(void);                 /* to poll for keys */
bool term_resized(int *w, int *h); /* asks for the size now; true when it is another than last time */
void term_size(int *w, int *h);
int term_color_count(void); /* 256, 16, 8, or 0 for none; 256 without a terminal */
/* Shows the grid: only cells that changed since the last time are sent. */
void term_draw_grid(const struct grid *g);
void term_redraw(void);        /* the next term_draw_grid sends everything, in the colours of the theme as it is then */
int term_key(void);            /* the next key (keymap.h), TK_NONE when there is none now */
struct mouse term_mouse(void); /* what the mouse did, after the key TK_MOUSE */
void term_mouse_on(bool on);   /* off (as at first): the terminal selects text with it */
bool term_is_disconnected(void); /* reading failed: nobody is there any more */
/* Gives the terminal back, stops the process as SIGTSTP does, and takes the terminal again after SIGCONT. */
void term_suspend(void);
/* Lends the terminal to another program, as it was before, and takes it back. */
void term_release(void);
void term_reclaim(void);

#endif
