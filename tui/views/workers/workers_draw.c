/* Draws the workers: a summary and a row for each; below them what the selected one does, and the latest deaths. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/units.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/text_page.h"
#include "tui/views/workers/workers_view.h"

enum {
	FRAME = 2,
	HEADS = 3, /* the summary, a blank row, the names of the columns */
	MARK = 2,
	GAP = 3,
	DETAIL_ROWS = 5 + FRAME,
	NONE_ROWS = 4 + FRAME,
	LIST_LEAST = HEADS + FRAME + 3,
	DEATH_ROWS_LEAST = 2 + FRAME,
	LABEL = 12,
	RATE_FROM_S = 1 /* before, a rate means nothing */
};

struct workers_drawing {
	const struct app *a;
	const struct workers_view *v;
	struct worker_rows rows;
	int selected;
	int x[WORKER_COLUMNS], width[WORKER_COLUMNS]; /* width 0: not shown */
};

/* --- columns --- */
static const struct {
	int least, most;
	bool right;
} columns[WORKER_COLUMNS] = {
	[WORKER_NUMBER] = {6, 6, true},
	[WORKER_HOST] = {7, 40, false},
	[WORKER_DEVICE] = {12, 40, false},
	[WORKER_STATE] = {12, 12, false},
	[WORKER_POINT] = {6, 6, true},
	[WORKER_VALUE] = {7, 20, true},
	[WORKER_TIME] = {7, 7, true},
	[WORKER_DONE] = {6, 6, true},
	[WORKER_DEATHS] = {6, 6, true},
	[WORKER_PID] = {7, 7, true},
};
enum { REMOTE_LEAST = 16 /* columns for a host other than this machine */ };

/* A narrow screen shows the first ones; on a wide one they grow in that order. */
static const enum worker_column local_order[WORKER_COLUMNS] = {WORKER_NUMBER, WORKER_STATE, WORKER_POINT, WORKER_TIME,
	WORKER_DONE, WORKER_VALUE, WORKER_DEATHS, WORKER_HOST, WORKER_PID, WORKER_DEVICE};
static const enum worker_column remote_order[WORKER_COLUMNS] = {WORKER_NUMBER, WORKER_STATE, WORKER_POINT, WORKER_TIME,
	WORKER_DONE, WORKER_HOST, WORKER_DEATHS, WORKER_VALUE, WORKER_PID, WORKER_DEVICE};

static bool has_remote_host(const struct worker_rows *r)
{
	for (int i = 0; i < r->count; i++)
		if (*r->list[i].at.host)
			return true;
	return false;
}

/* A name that is longer than its column widens it, if there is room. */
static int column_most(const struct workers_drawing *d, int c)
{
	char text[DEVICE_NAME_MAX];
	int most = text_width(worker_column_head(&d->rows, (enum worker_column)c));
	for (int i = 0; i < d->rows.count; i++) {
		int w = text_width(worker_cell_format(&d->rows, i, (enum worker_column)c, text, sizeof text));
		most = w > most ? w : most;
	}
	return most < columns[c].most ? most : columns[c].most;
}

static void place_columns(struct workers_drawing *d, int width)
{
	bool remote = has_remote_host(&d->rows);
	const enum worker_column *order = remote ? remote_order : local_order;
	int room = width - MARK;
	for (int i = 0; i < WORKER_COLUMNS; i++) {
		int c = order[i], least = c == WORKER_HOST && remote ? REMOTE_LEAST : columns[c].least;
		if (i > 1 && least + 1 > room)
			break;
		d->width[c] = least;
		room -= least + 1;
	}
	for (int i = 0; i < WORKER_COLUMNS && room > 0; i++) {
		int c = order[i], more = d->width[c] ? column_most(d, c) - d->width[c] : 0;
		more = more > room ? room : more;
		d->width[c] += more > 0 ? more : 0;
		room -= more > 0 ? more : 0;
	}
	for (int c = 0, x = MARK; c < WORKER_COLUMNS; c++) {
		d->x[c] = x;
		x += d->width[c] ? d->width[c] + 1 : 0;
	}
}

static void draw_worker_text(const struct workers_drawing *d, struct area in, int y, int c, int role, const char *text)
{
	char fitted[200];
	if (!d->width[c])
		return;
	text_shorten(text, d->width[c], d->a->ascii, fitted, sizeof fitted);
	if (columns[c].right)
		area_draw_right(in, d->x[c] + d->width[c], y, role, fitted);
	else
		area_draw_text(in, d->x[c], y, role, fitted);
}

/* --- rows --- */
static void draw_column_heads(const struct workers_drawing *d, struct area in, int y)
{
	for (int c = 0; c < WORKER_COLUMNS; c++) {
		const char *head = worker_column_head(&d->rows, (enum worker_column)c);
		bool sorted = !strcmp(head, worker_sort_name(d->v->sort));
		draw_worker_text(d, in, y, c, sorted ? ROLE_KEY : ROLE_DIM, head);
	}
}

static int cell_role(const struct worker_row *r, int c)
{
	static const int states[WORKER_ROW_STATES] = {
		[WORKER_ROW_NOT_STARTED] = ROLE_DIM,
		[WORKER_ROW_STARTING] = ROLE_TEXT,
		[WORKER_ROW_READY] = ROLE_TEXT,
		[WORKER_ROW_COMPILING] = ROLE_OK,
		[WORKER_ROW_RUNNING] = ROLE_OK,
		[WORKER_ROW_ENDED] = ROLE_WARN,
	};
	if (c == WORKER_STATE)
		return states[r->state];
	if (c == WORKER_DEATHS && r->at.deaths)
		return ROLE_WARN;
	return r->state == WORKER_ROW_NOT_STARTED ? ROLE_DIM : ROLE_TEXT;
}

/* A click selects; on the selected row it acts as Enter. */
static void draw_worker_row(const struct workers_drawing *d, struct area in, int y, int row)
{
	int worker = d->rows.order[row];
	bool here = worker == d->selected;
	char text[DEVICE_NAME_MAX];
	for (int x = 0; here && x < in.r.w; x++)
		area_draw_text(in, x, y, ROLE_SELECTED, " ");
	if (here)
		area_draw_text(in, 0, y, ROLE_SELECTED, glyph_text(d->a->ascii, GLYPH_SELECT));
	for (int c = 0; c < WORKER_COLUMNS; c++)
		draw_worker_text(d, in, y, c, here ? ROLE_SELECTED : cell_role(&d->rows.list[worker], c),
			worker_cell_format(&d->rows, worker, (enum worker_column)c, text, sizeof text));
	struct mouse_region hit = {.click = here ? "worker-point" : "worker-down"};
	if (!here)
		snprintf(hit.argument, sizeof hit.argument, "%d", row - worker_rows_find(&d->rows, d->selected));
	area_add_hit(in, 0, y, in.r.w, 1, hit);
}

/* "3 workers, 3 running   1 death   sweep 12 of 640 points   9.8 points/s". The rate is that of the running sweep since
 * its start. */
static void draw_summary(const struct workers_drawing *d, struct area in)
{
	const struct sweep *s = d->a->sweep;
	const struct worker_rows *r = &d->rows;
	int count = 0, x = 1;
	x += area_printf(
		in, x, 0, ROLE_TITLE, "%d worker%s, %d running", r->count, plural_s((unsigned)r->count), r->running);
	x += GAP;
	if (r->deaths)
		x += area_printf(in, x, 0, ROLE_WARN, "%d death%s", r->deaths, plural_s((unsigned)r->deaths)) + GAP;
	if (!s)
		return;
	if (sweep_state(s) != SWEEP_RUNNING) {
		area_draw_text(in, x, 0, ROLE_TEXT, sweep_status_text(s));
		return;
	}
	int done = sweep_done_count(s);
	sweep_points(s, &count);
	x += area_printf(in, x, 0, ROLE_TEXT, "sweep %d of %d point%s", done, count, plural_s((unsigned)count)) + GAP;
	if (done && sweep_elapsed(s) >= RATE_FROM_S)
		area_printf(in, x, 0, ROLE_TEXT, "%.3g points/s", done / sweep_elapsed(s));
}

static void draw_worker_list(struct workers_drawing *d, struct area at)
{
	char right[80];
	int row = worker_rows_find(&d->rows, d->selected);
	snprintf(right, sizeof right, "by %s, %d of %d", worker_sort_name(d->v->sort), row + 1, d->rows.count);
	area_draw_frame(at, true, "Workers", right);
	struct area in = area_inner(at);
	place_columns(d, in.r.w);
	int heads = in.r.h > HEADS ? HEADS
		: in.r.h > 1       ? 1
				   : 0,
	    rows = in.r.h - heads, first = list_first_visible_row(row, rows, d->rows.count);
	if (heads)
		draw_summary(d, in);
	if (heads == HEADS)
		draw_column_heads(d, in, HEADS - 1);
	for (int i = 0; i < rows && first + i < d->rows.count; i++)
		draw_worker_row(d, in, heads + i, first + i);
}

/* --- below --- */
/* "point 12 of 640: rangesize 12 KiB, reads 65536, variant published" */
static void describe_worker_point(const struct workers_drawing *d, const struct worker_row *r, char *out, size_t size)
{
	char value[80];
	int count = 0;
	if (!r->point) {
		snprintf(out, size, r->at.job ? "a point for another view" : "nothing");
		return;
	}
	const struct experiment *x = sweep_plan(d->a->sweep)->x;
	sweep_points(d->a->sweep, &count);
	size_t n = (size_t)snprintf(out, size, "point %lld of %d of %s", (long long)r->at.point + 1, count, x->id);
	for (int i = 0; i < x->param_count && n < size; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%s %s", i ? ", " : ": ", x->params[i].id,
			param_format(&x->params[i], r->point->values[i], value, sizeof value));
}

/* A text with its label, over at most that many rows; an ellipsis ends what has no room. */
static void draw_labeled_text(struct area in, int *y, const char *label, int role, const char *text, int rows)
{
	int width = in.r.w - LABEL - 1;
	area_draw_text(in, 1, *y, ROLE_DIM, label);
	for (; *text && rows > 0 && *y < in.r.h; rows--, (*y)++) {
		size_t n = text_fit_bytes(text, width > 1 ? width : 1);
		if (rows == 1 || *y == in.r.h - 1)
			area_draw_fitted(in, LABEL, *y, width, role, text);
		else
			area_printf(in, LABEL, *y, role, "%.*s", (int)n, text);
		text += n + strspn(text + n, " ");
	}
}

/* With the latest death where the deaths have no frame of their own. */
static void draw_worker_details(const struct workers_drawing *d, struct area at, bool with_death)
{
	const struct worker_row *r = &d->rows.list[d->selected];
	const struct worker_death *death = with_death ? workers_view_death(d->v, 0) : NULL;
	char text[DEVICE_NAME_MAX + 40];
	int y = 0;
	snprintf(text, sizeof text, "Worker %d", d->selected + 1);
	area_draw_frame(at, false, text, "");
	struct area in = area_inner(at);
	describe_worker_point(d, r, text, sizeof text);
	draw_labeled_text(in, &y, "measures", ROLE_TEXT, text, 2);
	snprintf(text, sizeof text, "%d point%s measured, %d worker%s died here", r->at.done,
		plural_s((unsigned)r->at.done), r->at.deaths, plural_s((unsigned)r->at.deaths));
	draw_labeled_text(in, &y, "so far", ROLE_TEXT, text, 1);
	if (death)
		draw_labeled_text(in, &y, "last death", ROLE_WARN, death->text, 2);
	draw_labeled_text(in, &y, "device", ROLE_TEXT, r->at.device, 1);
	draw_labeled_text(in, &y, "host", ROLE_TEXT, *r->at.host ? r->at.host : "local: this machine", 1);
}

static void draw_deaths(const struct workers_drawing *d, struct area at)
{
	char right[80];
	int y = 0;
	snprintf(right, sizeof right, "%d, the latest first", d->v->death_count);
	area_draw_frame(at, false, "Deaths", d->v->death_count ? right : "");
	struct area in = area_inner(at);
	if (!d->v->death_count)
		area_draw_text(in, 1, 0, ROLE_DIM, "No worker has died.");
	const struct worker_death *death;
	for (int i = 0; y < in.r.h && (death = workers_view_death(d->v, i)); i++) {
		time_t when = (time_t)death->at;
		struct tm local = {0};
		char time_of_day[16] = "--:--:--";
		if (localtime_r(&when, &local))
			strftime(time_of_day, sizeof time_of_day, "%H:%M:%S", &local);
		draw_labeled_text(in, &y, time_of_day, ROLE_TEXT, death->text, in.r.h);
	}
}

/* --- the view --- */
static void draw_no_workers(const struct app *a, struct area at)
{
	area_draw_frame(at, true, "Workers", "none");
	struct text_page page = {.in = area_inner(at)};
	if (a->fatal[0])
		text_page_add(&page, ROLE_BAD, "", 1, ROLE_BAD, a->fatal);
	text_page_add(&page, ROLE_DIM, "", 1, ROLE_DIM,
		a->fatal[0] ? "No worker can open the device. D chooses another one."
			    : "All workers have ended. New ones start in a moment.");
}

/* The rows have as many as they need; the deaths have the rest, or none where that is little. */
void workers_view_draw(const struct app *a, struct area at)
{
	struct workers_drawing d = {.a = a, .v = workers_view_of(a)};
	if (!d.v)
		return;
	workers_view_read_rows(a, &d.rows);
	d.selected = workers_view_selected(d.v, &d.rows);
	bool none = d.selected < 0;
	int list = none ? NONE_ROWS : d.rows.count + HEADS + FRAME,
	    details = !none && at.r.h >= LIST_LEAST + DETAIL_ROWS ? DETAIL_ROWS : 0, deaths = at.r.h - details - list;
	if (deaths < DEATH_ROWS_LEAST || (none && !d.v->death_count))
		deaths = 0;
	list = at.r.h - details - deaths;
	if (none)
		draw_no_workers(a, area_sub(at, 0, 0, at.r.w, list));
	else
		draw_worker_list(&d, area_sub(at, 0, 0, at.r.w, list));
	if (details)
		draw_worker_details(&d, area_sub(at, 0, list, at.r.w, details), !deaths);
	if (deaths)
		draw_deaths(&d, area_sub(at, 0, list + details, at.r.w, deaths));
}
