#include "experiments/course/lesson_answer.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"
#include "sessions/load/session_columns.h"

static const double equal_share = 0.002; /* values that differ by less are the same for a reader */

/* --- the question --- */
enum direction { NO_EXTREME = 0, LOWEST = -1, HIGHEST = 1 };

static const struct {
	const char *word;
	enum direction direction;
} extremes[] = {{"highest", HIGHEST}, {"largest", HIGHEST}, {"longest", HIGHEST}, {"greatest", HIGHEST},
	{"maximum", HIGHEST}, {"most", HIGHEST}, {"lowest", LOWEST}, {"smallest", LOWEST}, {"shortest", LOWEST},
	{"minimum", LOWEST}, {"least", LOWEST}, {"fewest", LOWEST}};
/* "From which size on is it above half of its highest value?" asks for another point. */
static const char *const other_points[] = {"from", "above", "below", "half", "first", "until", "within"};

static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);
	for (const char *at = text; (at = strcasestr(at, word)); at++)
		if ((at == text || !isalpha((unsigned char)at[-1])) && !isalpha((unsigned char)at[n]))
			return true;
	return false;
}

static const char *find_question(const struct lesson *l, int step)
{
	return lesson_find_block(l, step, LESSON_ASK, 0)->text;
}

static enum direction find_direction(const char *question, const char **word)
{
	for (size_t i = 0; i < sizeof other_points / sizeof *other_points; i++)
		if (has_word(question, other_points[i]))
			return NO_EXTREME;
	for (size_t i = 0; i < sizeof extremes / sizeof *extremes; i++)
		if (has_word(question, extremes[i].word)) {
			*word = extremes[i].word;
			return extremes[i].direction;
		}
	return NO_EXTREME;
}

bool lesson_answer_is_extreme(const struct lesson *l, int step)
{
	const char *word;
	return find_direction(find_question(l, step), &word) != NO_EXTREME;
}

/* --- the curve --- */
struct curve {
	struct session_columns columns;
	const struct column *x, *metric;
	const json_t *points;
};

static const struct column *find_curve_column(const struct column *list, int count, const char *id)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(list[i].id, id))
			return &list[i];
	return NULL;
}

/* One curve over one parameter. */
static bool read_curve(const struct lesson_step *s, const json_t *run, struct curve *c)
{
	columns_read(json_object_get(run, "header"), &c->columns);
	c->points = json_object_get(run, "points");
	c->x = find_curve_column(c->columns.params, c->columns.param_count, s->x);
	c->metric = find_curve_column(c->columns.metrics, c->columns.metric_count, s->metric);
	return c->x && c->metric && c->columns.swept_count == 1;
}

/* "16 KiB" without the blank, code without its backticks, a sentence without its period. */
static void plain_value(const char *text, char *out, size_t size)
{
	size_t n = 0;
	for (; *text && n + 1 < size; text++)
		if (*text != '`' && *text != ' ' && !(*text == '.' && !text[1]))
			out[n++] = *text;
	out[n] = 0;
}

/* Whether the choice's text is a value of the parameter, a number or a name. */
static bool is_value_of(const struct column *x, const char *text)
{
	char value[64];
	double number;
	struct err e = {0};
	const json_t *name;
	size_t i;
	plain_value(text, value, sizeof value);
	if (!x->choices)
		return units_parse(value, x->unit, &number, &e);
	json_array_foreach(x->choices, i, name) if (!strcmp(json_string_value(name), value)) return true;
	return false;
}

static bool is_point_at(const struct column *x, const json_t *point, const char *text)
{
	char value[64];
	const char *name;
	double number;
	struct err e = {0};
	struct reading r = column_param(x, point, &name);
	plain_value(text, value, sizeof value);
	if (name)
		return !strcmp(name, value);
	return r.valid && units_parse(value, x->unit, &number, &e) && number == r.value;
}

/* The value of the curve at a choice; false: there is no such point. */
static bool find_value_at(const struct curve *c, const char *text, double *out)
{
	const json_t *point;
	size_t i;
	json_array_foreach(c->points, i, point)
	{
		struct reading r = column_metric(c->metric, point);
		if (r.valid && !point_has_failed(point) && is_point_at(c->x, point, text)) {
			*out = r.value;
			return true;
		}
	}
	return false;
}

/* --- comparing --- */
struct best {
	double value;
	char at[64];
};

static void consider_value(struct best *b, enum direction d, double value, const char *at)
{
	if (*b->at && (int)d * (value - b->value) <= 0)
		return;
	b->value = value;
	snprintf(b->at, sizeof b->at, "%.63s", at);
}

static void format_value(double value, const char *unit, char *out, size_t size)
{
	snprintf(out, size, "%.5g%s%s", value, *unit ? " " : "", unit);
}

static void consider_points(const struct curve *c, enum direction d, struct best *b)
{
	const json_t *point;
	size_t i;
	json_array_foreach(c->points, i, point)
	{
		const char *name;
		char text[64];
		struct reading x = column_param(c->x, point, &name), r = column_metric(c->metric, point);
		if (!r.valid || point_has_failed(point))
			continue;
		if (name)
			snprintf(text, sizeof text, "%s", name);
		else
			format_value(x.value, c->x->unit, text, sizeof text);
		consider_value(b, d, r.value, text);
	}
}

static bool is_same_value(double a, double b)
{
	return fabs(a - b) <= equal_share * fmax(fabs(a), fabs(b));
}

static const struct lesson_block *find_choice(const struct lesson *l, int step, int number)
{
	return lesson_find_block(l, step, LESSON_CHOICE, number);
}

/* The best of the choices but for the ticked one. */
static struct best find_best_choice(const struct lesson *l, int step, const struct curve *c, enum direction d)
{
	struct best b = {0};
	double value;
	for (int i = 1; i <= lesson_find_step(l, step)->choice_count; i++)
		if (!find_choice(l, step, i)->right && find_value_at(c, find_choice(l, step, i)->text, &value))
			consider_value(&b, d, value, find_choice(l, step, i)->text);
	return b;
}

static bool are_all_values(const struct lesson *l, int step, const struct column *x)
{
	for (int i = 1; i <= lesson_find_step(l, step)->choice_count; i++)
		if (!is_value_of(x, find_choice(l, step, i)->text))
			return false;
	return true;
}

static enum lesson_answer report_wrong_answer(const struct lesson *l, const struct lesson_block *ticked,
	const char *what, const char *fix, char *found, size_t size)
{
	snprintf(found, size, "%s.md:%d: the ticked choice '%.40s' %s; %s", l->id, ticked->line, ticked->text, what,
		fix);
	return ANSWER_FAILS;
}

enum lesson_answer lesson_answer_compare(const struct lesson *l, int step, const json_t *run, char *found, size_t size)
{
	const struct lesson_block *ticked = find_choice(l, step, lesson_right_choice(l, step));
	const char *word = "", *question = find_question(l, step);
	enum direction d = find_direction(question, &word);
	bool of_these = has_word(question, "these") || strcasestr(question, "which of");
	struct curve c;
	double value;
	char what[200], here[40], there[40];
	*found = 0;
	if (!d || !read_curve(lesson_find_step(l, step), run, &c) || !are_all_values(l, step, c.x))
		return ANSWER_NOT_COMPARED;
	if (!find_value_at(&c, ticked->text, &value))
		return report_wrong_answer(
			l, ticked, "is not a point of the curve", "let the command measure it", found, size);
	struct best rival = find_best_choice(l, step, &c, d), b = rival;
	if (!of_these)
		consider_points(&c, d, &b);
	format_value(value, c.metric->unit, here, sizeof here);
	format_value(b.value, c.metric->unit, there, sizeof there);
	snprintf(what, sizeof what, "has %s; at %s it is %s", here, b.at, there);
	if (*b.at && d * (b.value - value) > 0 && !is_same_value(b.value, value))
		return report_wrong_answer(l, ticked, what,
			of_these || !strcmp(b.at, rival.at) ? "tick that" : "ask 'which of these', or tick that", found,
			size);
	if (*rival.at && is_same_value(rival.value, value)) {
		snprintf(what, sizeof what, "has %s, and so has '%.40s'", here, rival.at);
		return report_wrong_answer(l, ticked, what, "two choices are right", found, size);
	}
	snprintf(found, size, "%s: %s at %s", word, here, ticked->text);
	return ANSWER_HOLDS;
}
