/* Comparison in the code view: the list of other codes, and the code on the right. */
#include <stdio.h>
#include <string.h>

#include "tui/lab/lab.h"
#include "tui/views/code/code_view.h"
#include "experiments/analysis/code_variant.h"
#include "tui/shell/keymap.h"

/* --- the list --- */
static struct code_choice *add_choice(struct code_view *v, enum code_choice_kind kind)
{
	if (v->choice_count == CODE_CHOICES)
		return NULL;
	v->choices[v->choice_count] = (struct code_choice){.kind = kind};
	return &v->choices[v->choice_count++];
}

static void add_values(struct code_view *v, const struct experiment *x, int param)
{
	for (int c = 0; c < x->params[param].choice_count; c++) {
		struct code_choice *choice = c == (int)v->values[param] ? NULL : add_choice(v, CHOICE_VALUE);
		if (!choice)
			continue;
		choice->param = param;
		choice->value = c;
		snprintf(
			choice->label, sizeof choice->label, "%s %s", x->params[param].id, x->params[param].choices[c]);
	}
}

static void add_named(struct code_view *v, enum code_choice_kind kind, const char *title, const char *name, int number)
{
	struct code_choice *choice = add_choice(v, kind);
	if (!choice)
		return;
	choice->value = number;
	snprintf(choice->label, sizeof choice->label, "%s%.150s", title, name);
}

/* The point of a pinned curve with the cursor's x value. */
static const struct point *pinned_point(const struct lab *b, int pin)
{
	const struct measured_curve *c = &b->pins[pin].curve;
	for (int i = 0; c->axis >= 0 && c->axis == b->curve.axis && i < c->count; i++)
		if (lab_cursor_point(b) && c->points[i].values[c->axis] == lab_cursor_point(b)->values[c->axis])
			return &c->points[i];
	return c->count ? &c->points[0] : NULL;
}

static void gather_choices(struct app *a)
{
	struct code_view *v = code_view_of(a);
	const struct lab *b = app_current_lab(a);
	char name[160];
	bool edited = b->original && b->x != b->original;
	v->choice_count = v->chosen = 0;
	if (v->marked.request.file)
		add_named(v, CHOICE_MARKED, "marked: ", v->marked.label, 0);
	if (edited)
		add_named(v, CHOICE_ORIGINAL, "the original kernel", "", 0);
	else if (variant_load_edited(b->x, NULL))
		add_named(v, CHOICE_EDITED, "the edited copy", "", 0);
	for (int pin = 0; pin < b->pin_count && !edited; pin++)
		if (pinned_point(b, pin)) {
			code_format_label(b->x, pinned_point(b, pin)->values, name, sizeof name);
			add_named(v, CHOICE_PINNED, "pinned curve: ", name, pin);
		}
	for (int i = 0; i < b->x->param_count; i++)
		add_values(v, b->x, i);
}

/* --- selecting one --- */
static void want_other(struct code_view *v, struct code_request *r, const char *label)
{
	code_diff_free(&v->diff);
	v->choosing = false;
	v->comparing = true;
	v->row = 0;
	v->other.error[0] = 0;
	snprintf(v->other.label, sizeof v->other.label, "%s", label);
	if (v->other.model && code_request_equals(&v->other.request, r)) {
		code_request_free(r);
		v->other.wanted = false;
		return;
	}
	code_request_free(&v->other.request);
	v->other.request = *r;
	v->other.wanted = true;
}

static void want_values(struct app *a, struct experiment *x, const double *values, bool edited)
{
	struct code_view *v = code_view_of(a);
	struct code_request r;
	struct err e = {0};
	char label[160];
	code_format_label(x, values, label, sizeof label);
	if (edited)
		code_append_edited_label(label, sizeof label);
	if (code_request_build(x, values, a->soft, v->shown.request.device, v->shown.request.arch, &r, &e))
		want_other(v, &r, label);
	else
		app_show_message(a, ROLE_BAD, "%s", e.text);
}

static void take_choice(struct app *a, const struct code_choice *c)
{
	struct code_view *v = code_view_of(a);
	struct lab *b = app_current_lab(a);
	struct experiment *x = b->x;
	struct err e = {0};
	double values[PARAMS_MAX];
	memcpy(values, v->values, sizeof values);
	if (c->kind == CHOICE_MARKED) {
		struct code_request r;
		code_request_copy(&r, &v->marked.request);
		want_other(v, &r, v->marked.label);
		return;
	}
	if (c->kind == CHOICE_VALUE)
		values[c->param] = c->value;
	if (c->kind == CHOICE_PINNED)
		memcpy(values, pinned_point(b, (int)c->value)->values, sizeof values);
	if (c->kind == CHOICE_ORIGINAL)
		x = b->original;
	if (c->kind == CHOICE_EDITED)
		x = variant_load_edited(x, &e);
	if (x)
		want_values(a, x, values, x != b->x ? c->kind == CHOICE_EDITED : b->original && b->x != b->original);
	else
		app_show_message(a, ROLE_BAD, "%s", e.text[0] ? e.text : "the edited copy no longer exists");
}

static bool has_model(struct app *a)
{
	if (code_view_of(a) && code_view_of(a)->shown.model && code_view_of(a)->shown.model->lines)
		return true;
	app_show_message(a, ROLE_DIM, "no code to compare");
	return false;
}

static void compare_with(struct app *a, const char *word)
{
	struct experiment *x = app_current_lab(a)->x, *other = x;
	struct err e = {0};
	double values[PARAMS_MAX];
	memcpy(values, code_view_of(a)->values, sizeof values);
	if (!strcmp(word, "marked") && code_view_of(a)->marked.request.file) {
		take_choice(a, &(struct code_choice){.kind = CHOICE_MARKED});
		return;
	}
	if (!strcmp(word, "edited"))
		other = variant_load_edited(x, &e);
	else if (!variant_apply_word(x, word, values, &e))
		other = NULL;
	if (other)
		want_values(a, other, values, !strcmp(word, "edited"));
	else
		app_show_message(
			a, ROLE_BAD, "%s", e.text[0] ? e.text : "no edited copy; press e in the workbench to make one");
}

/* --- actions --- */
void act_code_diff(struct app *a, const char *argument)
{
	struct code_view *v = code_view_of(a);
	if (!has_model(a))
		return;
	if (argument) {
		compare_with(a, argument);
		return;
	}
	if (v->choosing || v->comparing) {
		v->choosing = v->comparing = false;
		return;
	}
	gather_choices(a);
	v->choosing = v->choice_count > 0;
	if (!v->choosing)
		app_show_message(a, ROLE_DIM,
			"nothing to compare with; mark this code with x, or pin a curve with p in the workbench");
}

void act_code_choose(struct app *a)
{
	struct code_view *v = code_view_of(a);
	if (v && v->choosing && v->chosen < v->choice_count)
		take_choice(a, &v->choices[v->chosen]);
}

void act_code_renamed(struct app *a)
{
	struct code_view *v = code_view_of(a);
	if (!v || !v->comparing)
		return;
	v->renamed = !v->renamed;
	code_diff_free(&v->diff);
	code_view_update_diff(v);
}

void act_code_mark(struct app *a)
{
	struct code_view *v = code_view_of(a);
	if (!has_model(a))
		return;
	code_request_free(&v->marked.request);
	code_request_copy(&v->marked.request, &v->shown.request);
	snprintf(v->marked.label, sizeof v->marked.label, "%s", v->shown.label);
	app_show_message(a, ROLE_DIM, "marked: %s; select another point or experiment, then press d", v->marked.label);
}
