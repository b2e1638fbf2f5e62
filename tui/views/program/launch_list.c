#include "tui/views/program/launch_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/shell/shell.h"
#include "tui/views/program/program_view.h"

/* --- rows --- */
const char *launch_sort_name(enum launch_sort sort)
{
	static const char *const names[LAUNCH_SORTS] = {[BY_LAUNCH_NUMBER] = "number", [BY_LAUNCH_TIME] = "time"};
	return names[sort];
}

static int find_selected(const struct launch_list *l, const struct launch_rows *rows)
{
	for (int i = 0; l->moved && i < rows->count; i++)
		if (!kernel_launches_compare(rows->list[i], &l->at))
			return i;
	return l->row < rows->count ? l->row : rows->count - 1;
}

void launch_rows_read(const struct program_view *v, struct launch_rows *out)
{
	int kernel = v->run && v->launches.symbol ? program_kernels_find(&v->run->kernels, v->launches.symbol) : -1;
	*out = (struct launch_rows){.selected = -1};
	if (kernel < 0)
		return;
	out->kernel = &v->run->kernels.list[kernel];
	out->count = out->kernel->shown.count;
	out->list = kernel_launches_sort(&out->kernel->shown, v->launches.sort);
	out->selected = find_selected(&v->launches, out);
	for (int i = 1; i < out->count; i++)
		out->several_processes |= out->list[i]->process != out->list[0]->process;
}

void launch_rows_free(struct launch_rows *rows)
{
	free(rows->list);
	*rows = (struct launch_rows){.selected = -1};
}

/* What an error ended may be kept, and run again to the same error. */
char *launch_format_kept(const struct program_run *r, const struct kernel_launch *l, char *out, size_t size)
{
	const char *reason = l->kept ? capture_why_not_again(l->kept) : "",
		   *kept = r->state == PROGRAM_RUNNING ? "--"
		: !l->kept                             ? "not kept"
		: *reason                              ? reason
						       : "kept";
	snprintf(out, size, "%s%s", l->status ? "failed; " : "", kept);
	return out;
}

/* --- the list --- */
bool launch_list_open(struct program_view *v)
{
	int row = program_view_selected(v);
	if (row < 0)
		return false;
	free(v->launches.symbol);
	v->launches =
		(struct launch_list){.symbol = xstrdup(v->run->kernels.list[row].symbol), .sort = v->launches.sort};
	v->place = PROGRAM_LAUNCHES;
	return true;
}

void launch_list_close(struct program_view *v)
{
	int row = v->run && v->launches.symbol ? program_kernels_find(&v->run->kernels, v->launches.symbol) : -1;
	v->selected = row < 0 ? v->selected : row;
	free(v->launches.symbol);
	v->launches.symbol = NULL;
	if (v->place == PROGRAM_LAUNCHES)
		v->place = PROGRAM_KERNELS;
}

/* --- actions --- */
void act_program_launches(struct app *a)
{
	struct program_view *v = program_view_of(a);
	if (v->launches.symbol)
		launch_list_close(v);
	else if (!launch_list_open(v))
		app_show_message(a, ROLE_DIM, "no kernel was launched");
}

void act_launch_select(struct app *a, int by)
{
	struct program_view *v = program_view_of(a);
	struct launch_rows rows;
	launch_rows_read(v, &rows);
	int row = rows.selected + by;
	row = row >= rows.count ? rows.count - 1 : row;
	row = row < 0 ? 0 : row;
	if (rows.count) {
		v->launches.at = *rows.list[row];
		v->launches.row = row;
		v->launches.moved = true;
	}
	launch_rows_free(&rows);
}

void act_launch_page_down(struct app *a)
{
	act_launch_select(a, a->height / 2);
}

void act_launch_page_up(struct app *a)
{
	act_launch_select(a, -a->height / 2);
}

void act_launch_sort(struct app *a, const char *argument)
{
	struct program_view *v = program_view_of(a);
	if (!argument) {
		v->launches.sort = (enum launch_sort)((v->launches.sort + 1) % LAUNCH_SORTS);
		return;
	}
	for (int i = 0; i < LAUNCH_SORTS; i++)
		if (!strcmp(argument, launch_sort_name((enum launch_sort)i))) {
			v->launches.sort = (enum launch_sort)i;
			return;
		}
	app_show_message(a, ROLE_BAD, "cannot sort launches by '%s'; use number or time", argument);
}

/* The choice of the view is the slowest one of each kernel and process. */
static void report_not_kept(struct app *a, const struct program_run *r, const struct kernel_launch *l)
{
	struct buf words = {0};
	for (int i = 0; r->command[i]; i++) {
		buf_puts(&words, " ");
		buf_put_shell_word(&words, r->command[i]);
	}
	app_show_message(a, ROLE_WARN, "launch %llu was not kept; to keep it: wavedeck capture --launch %llu --%s",
		(unsigned long long)l->number, (unsigned long long)l->number, words.data);
	buf_free(&words);
}

static void open_launch(struct app *a, const struct program_run *r, const struct kernel_launch *l)
{
	struct err e = {0};
	const char *reason = capture_why_not_again(l->kept);
	if (*reason)
		app_show_message(
			a, ROLE_WARN, "launch %llu cannot run again: %s", (unsigned long long)l->number, reason);
	else if (program_run_open_launch(a, r, l->kept, &e))
		app_open_view(a, views[0]);
	else
		app_show_message(a, ROLE_BAD, "cannot open launch %llu: %s", (unsigned long long)l->number, e.text);
}

void act_launch_open(struct app *a)
{
	const struct program_run *r = program_view_ended_run(a);
	struct launch_rows rows;
	if (!r)
		return;
	launch_rows_read(program_view_of(a), &rows);
	const struct kernel_launch *l = rows.selected < 0 ? NULL : rows.list[rows.selected];
	if (!l)
		app_show_message(a, ROLE_DIM, "no launch has ended");
	else if (l->kept)
		open_launch(a, r, l);
	else if (program_kernel_is_of_hip(rows.kernel))
		app_show_message(a, ROLE_WARN, "HIP's own kernels cannot run again: they have no code object");
	else if (*r->why_none)
		app_show_message(
			a, ROLE_WARN, "launch %llu cannot be opened: %s", (unsigned long long)l->number, r->why_none);
	else
		report_not_kept(a, r, l);
	launch_rows_free(&rows);
}
