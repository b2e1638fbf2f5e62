/* The launches of one kernel, in place of the list of kernels. */
#ifndef TUI_VIEWS_PROGRAM_LAUNCH_LIST_H
#define TUI_VIEWS_PROGRAM_LAUNCH_LIST_H

#include "tui/lab/program/kernel_launches.h"
#include "tui/lab/program/program_run.h"
#include "tui/toolkit/grid.h"

struct app;
struct program_view;

struct launch_list {
	char *symbol; /* of the kernel; owned; NULL: closed */
	enum launch_sort sort;
	struct kernel_launch at; /* the selected launch, by process and number */
	int row;                 /* where it was; 0 and no launch: the first row, whichever it is */
	bool moved;              /* a launch was selected */
};

/* The list as it is now. The launches stay until the run is pumped. */
struct launch_rows {
	const struct program_kernel *kernel; /* NULL: the list is closed */
	const struct kernel_launch **list;   /* owned */
	int count, selected;                 /* selected: -1 without launches */
	bool several_processes;
};

void launch_rows_read(const struct program_view *v, struct launch_rows *out);
void launch_rows_free(struct launch_rows *rows);
const char *launch_sort_name(enum launch_sort sort);
/* "kept", "not kept", or why it cannot run again; "--" while the program runs. */
char *launch_format_kept(const struct program_run *r, const struct kernel_launch *l, char *out, size_t size);

/* Of the selected kernel. False if there is none. */
bool launch_list_open(struct program_view *v);
void launch_list_close(struct program_view *v); /* its kernel is the selected one then */
void launch_list_draw(const struct app *a, const struct program_view *v, struct area at);

#endif
