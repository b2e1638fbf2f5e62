/* The command palette, the line after `:`. It finds actions, settings, experiments and parameters by some of their
 * letters. An entry runs an action with an argument, as a line of a script does. */
#ifndef TUI_SHELL_PALETTE_COMMAND_PALETTE_H
#define TUI_SHELL_PALETTE_COMMAND_PALETTE_H

#include "tui/lab/app.h"

struct palette_entry {
	char *text, *help;
	int score;
}; /* text: what Enter runs. Ends with '=' or a blank when an argument is missing: then Enter and Tab only complete it.
    */

struct palette {
	char text[160];
	struct palette_entry *all; /* owned */
	int all_count;
	struct palette_entry **shown; /* matches, best first; the array is owned, the entries belong to `all` */
	int shown_count, selected;
	int back; /* steps back in the history; 0: the line being typed */
};

void palette_open(struct app *a);
void palette_close(struct app *a);
void palette_handle_key(struct app *a, int key);
/* Runs "ACTION ARGUMENT" and changes the view if needed. False with an error. */
bool palette_run(struct app *a, const char *text, struct err *e);
/* How well the letters match, in order but not necessarily adjacent: more is better, below 0: no match. */
int palette_match_score(const char *letters, const char *text);

/* Adds an entry; `fmt` makes its text. */
void palette_offer(struct palette *p, const char *help, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* --- command_palette_entries.c --- */
/* Adds all actions, settings, experiments, parameters, presets and themes, and the views' own offers. */
void palette_collect_entries(const struct app *a, struct palette *p);

/* --- command_palette_view.c: draws over the lower part of the screen --- */
struct grid;
void palette_draw(const struct app *a, struct grid *g);

#endif
