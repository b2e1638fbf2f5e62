/* The command line `:` of the screen: whatever has a name, found by some of its letters. What it runs is an action and
 * its argument, as in a script. */
#ifndef TUI_SHELL_COMMAND_PALETTE_H
#define TUI_SHELL_COMMAND_PALETTE_H

#include "tui/lab/app.h"

struct palette_entry {
	char *text, *help;
	int score;
}; /* text: what Enter runs, or what Tab completes to when an argument is still missing (it ends in = or a blank) */

struct palette {
	char text[160];
	struct palette_entry *all; /* owned */
	int all_count;
	struct palette_entry **shown; /* those that fit the text, the best first; owned, of `all` */
	int shown_count, selected;
	int back; /* steps back in the history; 0: what is being typed */
};

void palette_open(struct app *a);
void palette_close(struct app *a);
void palette_handle_key(struct app *a, int key);
/* Runs "ACTION ARGUMENT", wherever the action works. False with one line when there is none. */
bool palette_run(struct app *a, const char *text, struct err *e);
/* How well the letters fit, in order and not necessarily side by side: more is better, below 0 not at all. */
int palette_match_score(const char *letters, const char *text);

/* Adds an entry: `fmt` makes the text that Enter runs. */
void palette_offer(struct palette *p, const char *help, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* --- palette_collect_entries.c --- */
/* All that can be said now, made of the tables of actions, settings, experiments, parameters, presets, themes, lessons.
 */
void palette_collect_entries(const struct app *a, struct palette *p);

/* --- palette_draw.c: draws it over the lower part of the screen --- */
struct grid;
void palette_draw(const struct app *a, struct grid *g);

#endif
