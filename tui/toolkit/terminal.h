/* The terminal: shows a grid, returns keys and mouse events, and restores the terminal however the program ends. Only
 * terminal.c uses curses. */
#ifndef TUI_TOOLKIT_TERMINAL_H
#define TUI_TOOLKIT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "tui/toolkit/grid.h"
#include "tui/toolkit/mouse.h"
#include "tui/toolkit/terminal_font.h"

/* Starts to use the terminal of `in` and `out`. False with one line when they are not a terminal or its type is
 * unknown. From then on, SIGSEGV, SIGABRT, SIGBUS, SIGFPE and SIGILL restore the terminal before they take their usual
 * effect. */
bool term_open(FILE *in, FILE *out, struct err *e);
void term_close(void);             /* restores the terminal; may be called twice, and runs at exit */
int term_fd(void);                 /* descriptor to poll for keys */
bool term_resized(int *w, int *h); /* reads the size; true when it has changed */
void term_size(int *w, int *h);
int term_color_count(void);         /* 256, 16, 8, or 0 for none; 256 without a terminal */
enum terminal_font term_font(void); /* what the type of the terminal can show; FONT_UNICODE without a terminal */
/* Shows the grid. Only cells that have changed are sent. */
void term_draw_grid(const struct grid *g);
void term_redraw(void);        /* the next term_draw_grid sends every cell, in the current theme's colors */
int term_key(void);            /* the next key (key_codes.h); TK_NONE: no key is waiting */
struct mouse term_mouse(void); /* the event of the last key TK_MOUSE */
void term_mouse_on(bool on);   /* off, as at first: the terminal selects text with the mouse */
/* Sets the clipboard of the terminal, if it allows that (OSC 52). */
void term_set_clipboard(const char *text);
bool term_is_disconnected(void); /* the terminal is gone: reading from it failed */
/* Restores the terminal, stops the process as SIGTSTP does, and uses the terminal again after SIGCONT. */
void term_suspend(void);
/* Restores the terminal for another program, and uses it again afterwards. */
void term_release(void);
void term_reclaim(void);

#endif
