/* The view of the user's program: its kernels while it runs, and what it prints. */
#ifndef TUI_VIEWS_PROGRAM_PROGRAM_VIEW_H
#define TUI_VIEWS_PROGRAM_PROGRAM_VIEW_H

#include "tui/lab/program/program_run.h"
#include "tui/shell/keymap.h"
#include "tui/shell/text_page.h"
#include "tui/views/program/launch_list.h"

enum program_place { PROGRAM_KERNELS, PROGRAM_OUTPUT, PROGRAM_LAUNCHES };

struct program_view {
	struct program_run *run; /* NULL: no program was started */
	enum program_place place;
	int selected; /* row of the kernels */
	struct launch_list launches;
	int back; /* output: lines below the screen */
	long long drawn_second;
	char why[512]; /* it could not be started */
};

extern const struct view view_program;
struct program_view *program_view_of(const struct app *a);
int program_view_selected(const struct program_view *v);   /* -1: there are no kernels */
struct program_run *program_view_ended_run(struct app *a); /* NULL with a message before its end */

void program_view_draw(const struct app *a, struct area at);
void program_view_add_legend(const struct app *a, struct text_page *page);

#define ACTION ACTION_FUNCTION
#include "tui/views/program/program_keys.def"
#undef ACTION

#endif
