#include "tui/views/code/code_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/definition/default_values.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"
#include "tui/lab/lab.h"
#include "tui/lab/lab_measure.h"
#include "tui/shell/keymap.h"

/* --- which code --- */
const struct point *code_view_cursor_point(const struct app *a)
{
	const struct lab *b = app_current_lab(a);
	return b && b->curve.count ? lab_cursor_point(b) : NULL;
}

/* Borrowed; NULL: none. */
static json_t *code_point_profile(const struct app *a)
{
	const struct point *p = code_view_cursor_point(a);
	return p && p->record ? point_get_profile(p->record) : NULL;
}

/* The device record has the architecture once the device is open. Without it the code is built for the default
 * target. */
static const char *arch_of(const struct app *a)
{
	const json_t *device = a->workers ? worker_pool_device_record(a->workers) : NULL;
	const char *arch = device_get_arch(device);
	return *arch ? arch : a->fatal[0] ? "gfx900" : NULL;
}

void code_format_label(const struct experiment *x, const double *values, char *out, size_t size)
{
	size_t n = (size_t)snprintf(out, size, "%s", x->id);
	char text[64];
	for (int i = 0; i < x->param_count && n < size; i++)
		if (x->params[i].kind == PARAM_STEP_CHOICE || !param_is_some_default(&x->params[i], values[i]))
			n += (size_t)snprintf(out + n, size - n, ", %s %s", x->params[i].id,
				param_format(&x->params[i], values[i], text, sizeof text));
}

#define EDITED ", edited copy"

void code_append_edited_label(char *label, size_t size)
{
	size_t n = strlen(label), room = sizeof EDITED;
	snprintf(label + (n + room <= size ? n : size - room), room, "%s", EDITED);
}

static void forget_profile(struct code_view *v)
{
	profile_probe_cancel(v);
	code_profile_free(v->profile);
	v->profile = NULL;
	v->probed = false;
}

static void request_code(struct code_view *v, struct code_slot *s, struct code_request *r)
{
	if (s->model && code_request_equals(&s->request, r)) {
		code_request_free(r);
		return;
	}
	code_diff_free(&v->diff);
	code_request_free(&s->request);
	s->request = *r;
	s->wanted = true;
	s->error[0] = 0;
}

/* A new request when the experiment, point or edited copy has changed. */
static void follow_cursor(struct app *a)
{
	struct code_view *v = code_view_of(a);
	struct lab *b = app_current_lab(a);
	const struct point *p = code_view_cursor_point(a);
	const double *values = p ? p->values : b ? b->values : NULL;
	const char *arch = arch_of(a);
	struct code_request r;
	struct err e = {0};
	if (!b || !arch || (v->asked && v->x == b->x && !memcmp(v->values, values, sizeof v->values)))
		return;
	if (v->x != b->x)
		v->comparing = v->all = false;
	v->asked = true;
	v->x = b->x;
	memcpy(v->values, values, sizeof v->values);
	v->why[0] = 0;
	forget_profile(v);
	code_format_label(b->x, values, v->shown.label, sizeof v->shown.label);
	if (b->original && b->x != b->original)
		code_append_edited_label(v->shown.label, sizeof v->shown.label);
	if (code_request_build(b->x, values, a->soft, a->device, experiment_code_arch(b->x, arch), &r, &e)) {
		request_code(v, &v->shown, &r);
	} else {
		snprintf(v->why, sizeof v->why, "%s", e.text);
		code_model_free(v->shown.model);
		v->shown.model = NULL;
		v->shown.wanted = false;
	}
	app_request_redraw(a);
}

/* --- cursors --- */
void code_view_line_range(const struct code_view *v, size_t *first, size_t *end)
{
	const struct code_model *m = v->shown.model;
	bool loop = m && code_has_loop(m) && !v->all;
	*first = loop ? m->loop_start : 0;
	*end = loop ? m->loop_end : m ? m->count : 0;
}

static const struct code_view *sorting; /* qsort passes no context */

static int compare_cycles(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	long long cx = issue_counts_cycles(&sorting->profile->lines[x]),
		  cy = issue_counts_cycles(&sorting->profile->lines[y]);
	return cx < cy ? 1 : cx > cy ? -1 : x < y ? -1 : x > y;
}

size_t *code_view_line_order(const struct code_view *v, size_t *count)
{
	size_t first, end;
	code_view_line_range(v, &first, &end);
	*count = end - first;
	size_t *order = xcalloc(*count + 1, sizeof *order);
	for (size_t i = 0; i < *count; i++)
		order[i] = first + i;
	sorting = v;
	if (v->sorted && v->profile)
		qsort(order, *count, sizeof *order, compare_cycles);
	return order;
}

size_t code_view_order_position(const size_t *order, size_t count, size_t line)
{
	for (size_t i = 0; i < count; i++)
		if (order[i] == line)
			return i;
	return 0;
}

void code_view_place_cursors(struct code_view *v, size_t line)
{
	const struct code_model *m = v->shown.model;
	if (!m || line >= m->count)
		return;
	v->line = line;
	if (m->source_line[line])
		v->source = m->source_line[line];
}

void code_view_go_to_loop(struct code_view *v)
{
	size_t first, end;
	const struct code_model *m = v->shown.model;
	code_view_line_range(v, &first, &end);
	v->row = 0;
	v->source = 1;
	if (!m || !m->lines)
		return;
	size_t at = v->line >= first && v->line < end && v->all ? v->line : m->loop_start;
	code_view_place_cursors(v, at);
	for (size_t i = at; i < m->count && !m->source_line[at]; i++) /* the source at least near the instruction */
		if (m->source_line[i]) {
			v->source = m->source_line[i];
			break;
		}
}

/* --- open, close --- */
void code_view_enter(struct app *a)
{
	if (!code_view_of(a))
		app_set_view_state(a, &view_code, xcalloc(1, sizeof(struct code_view)));
	code_view_of(a)->asked = code_view_of(a)->choosing =
		false; /* the file may have been edited: request it again */
	code_view_pump(a);
}

void code_view_close(struct app *a)
{
	struct code_view *v = code_view_of(a);
	if (!v)
		return;
	code_loading_wait(v);
	forget_profile(v);
	code_diff_free(&v->diff);
	struct code_slot *const slots[] = {&v->shown, &v->other, &v->marked};
	for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
		code_model_free(slots[i]->model);
		code_request_free(&slots[i]->request);
	}
	free(v);
	app_set_view_state(a, &view_code, NULL);
}

bool code_view_go_back(struct app *a)
{
	struct code_view *v = code_view_of(a);
	if (!v || !(v->choosing || v->comparing || v->advising || v->tiling))
		return false;
	if (!v->choosing && !v->comparing)
		v->advising = v->tiling = false;
	if (!v->choosing)
		v->comparing = false;
	v->choosing = false;
	return true;
}

bool code_view_is_comparing(const struct code_view *v)
{
	return v->comparing && v->diff.rows.rows;
}

void code_view_update_diff(struct code_view *v)
{
	const struct code_model *l = v->shown.model, *r = v->other.model;
	if (!v->comparing || v->diff.rows.rows || v->shown.wanted || v->other.wanted || !l || !r || !l->lines ||
		!r->lines)
		return;
	v->diff = code_diff_compute(l, r, v->all, v->renamed);
	v->row = v->row < v->diff.rows.count ? v->row : 0;
}

/* --- cycles of the instructions --- */
static void attach_profile(struct app *a)
{
	struct code_view *v = code_view_of(a);
	json_t *profile = code_point_profile(a);
	if (!v->shown.model || v->shown.wanted || v->profile || !profile)
		return;
	v->profile = code_profile_build(profile, v->shown.model);
	app_request_redraw(a);
}

char *code_view_profile_status(const struct app *a, char *out, size_t size)
{
	const struct code_view *v = code_view_of(a);
	bool replay = device_can(a->device, DEVICE_RECORDING);
	*out = 0;
	if (v->profile)
		return out;
	if (!a->soft || replay)
		snprintf(out, size, replay ? "cycles: not in this recording" : "cycles: not available on this device");
	else if (v->x && experiment_why_no_launch(v->x))
		snprintf(out, size, v->x->work == WORK_PROGRAM ? "" : "cycles: no kernel is launched");
	else if (v->probe)
		snprintf(out, size, "measuring this point's cycles");
	else if (v->probed)
		snprintf(out, size, "cycles: not available; see messages (m)");
	else
		snprintf(out, size, measure_is_running(a) ? "cycles: after the sweep" : "cycles: not measured yet");
	return out;
}

/* --- background work --- */
void code_view_pump(struct app *a)
{
	struct code_view *v = code_view_of(a);
	if (!v)
		return;
	if (a->view != &view_code) {
		profile_probe_cancel(v);
		return;
	}
	follow_cursor(a);
	code_loading_update(a);
	code_view_update_diff(v);
	attach_profile(a);
	profile_probe_update(a);
}

enum view_work code_view_work(const struct app *a)
{
	const struct code_view *v = code_view_of(a);
	bool busy = v && a->view == &view_code &&
		(!v->asked || v->loading || v->shown.wanted || (v->comparing && v->other.wanted) || v->probe);
	return busy ? VIEW_POLLING : VIEW_IDLE;
}

static const struct action actions[] = {
#define ACTION ACTION_ROW
#include "tui/views/code/code_keys.def"
#undef ACTION
};

const struct view view_code = {
	.name = "code",
	.title = "Code",
	.actions = actions,
	.action_count = sizeof actions / sizeof *actions,
	.draw = code_view_draw,
	.legend = code_view_add_legend,
	.open = code_view_enter,
	.close = code_view_close,
	.back = code_view_go_back,
	.pump = code_view_pump,
	.busy = code_view_work,
	.record = code_view_handle_record,
	.worker_died = code_view_worker_died,
};
