#include "cli/own/program_ranges.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "captures/lua_text.h"
#include "experiments/definition/declaration.h"
#include "experiments/definition/sweep_plan.h"

#define WIDEST 1e15 /* numbers up to here are written without an exponent */

/* One of them; its words are in no file, so the limits of the definition are checked here, with the user's words. */
struct range {
	char id[PLACEHOLDER_NAME];
	const char *text; /* behind the '=' */
	double *values;   /* owned; NULL: names */
	int count;        /* of the values or names */
	double low, high; /* of numbers */
	char step[40];    /* "x2", "+16" */
};

/* --- names and placeholders --- */
/* The length of NAME in NAME=...; 0: it is no such word. */
static size_t range_name_length(const char *word)
{
	const char *equals = strchr(word, '=');
	return equals ? (size_t)(equals - word) : 0;
}

static bool is_range_of(const char *word, const char *name)
{
	size_t n = range_name_length(word);
	return n && n == strlen(name) && !strncmp(word, name, n);
}

static int count_ranges_of(const struct argument_list *ranges, const char *name)
{
	int n = 0;
	for (int i = 0; i < ranges->count; i++)
		n += is_range_of(ranges->list[i], name);
	return n;
}

static bool has_placeholder(const struct argument_words *arguments, const char *word)
{
	char name[PLACEHOLDER_NAME];
	for (int i = 0; i < arguments->count; i++)
		for (const char *at = arguments->list[i]; placeholder_find(at, name, &at);)
			if (is_range_of(word, name))
				return true;
	return false;
}

static bool check_placeholders(
	const struct argument_words *arguments, const struct argument_list *ranges, struct err *e)
{
	char name[PLACEHOLDER_NAME];
	for (int i = 0; i < arguments->count; i++)
		for (const char *at = arguments->list[i]; placeholder_find(at, name, &at);)
			if (!count_ranges_of(ranges, name))
				return err_set(e, ST_REQUEST,
					"--args has {%s}, which has no values; add %s=VALUE, %s=A..B or %s=a,b,c", name,
					name, name, name);
	return true;
}

static bool check_range_name(
	const struct argument_words *arguments, const struct argument_list *ranges, const char *word, struct err *e)
{
	static const char *const columns[] = {"time", "cycles", "launches", "waves", NULL};
	int n = (int)range_name_length(word);
	char *name = xasprintf("%.*s", n, word);
	bool ok = true;
	if (!n)
		ok = err_set(e, ST_REQUEST, "'%.60s' is not NAME=VALUE; write, for example, n=1024..64Ki:x4", word);
	else if (!has_placeholder(arguments, word))
		ok = err_set(e, ST_REQUEST, "%.80s: --args has no {%.32s}; write, for example, --args '%.32s={%.32s}'",
			word, name, name, name);
	else if (count_ranges_of(ranges, name) > 1)
		ok = err_set(e, ST_REQUEST, "%.32s has values twice; keep one of them", name);
	else if (name_list_index(name, columns) >= 0)
		ok = err_set(e, ST_REQUEST, "'%s' is the name of a result; use another name in --args", name);
	free(name);
	return ok;
}

bool program_ranges_check(const struct argument_words *arguments, const struct argument_list *ranges, struct err *e)
{
	for (int i = 0; i < ranges->count; i++)
		if (ranges->list[i][0] != '@' && !check_range_name(arguments, ranges, ranges->list[i], e))
			return false;
	return check_placeholders(arguments, ranges, e);
}

/* --- values --- */
/* As arguments of an experiment whose parameter takes all numbers. */
static bool read_numbers(struct range *r, const char *word, struct err *e)
{
	struct experiment *x = xcalloc(1, sizeof *x);
	struct plan p;
	x->x = -1;
	x->param_count = 1;
	x->params[0] = (struct param){.low = -WIDEST, .high = WIDEST, .kind = PARAM_STEP_MULTIPLY, .step = 2};
	snprintf(x->params[0].id, sizeof x->params[0].id, "%s", r->id);
	plan_init_default(&p, x, false, "");
	bool ok = plan_apply_argument(&p, word, e);
	r->count = ok ? plan_point_count(&p) : 0;
	r->values = ok ? xcalloc((size_t)r->count, sizeof *r->values) : NULL;
	for (int i = 0; i < r->count; i++)
		plan_point_values(&p, i, &r->values[i]);
	plan_free(&p);
	free(x);
	return ok;
}

static double parse_end(const char *text, size_t length)
{
	double value = 0;
	char *part = xasprintf("%.*s", (int)length, text);
	units_parse(part + strspn(part, " \t"), "", &value, NULL);
	free(part);
	return value;
}

/* The high end of A..B need not be one of the values. */
static void find_range_ends(struct range *r, const char *dots)
{
	const char *colon = strchr(dots, ':');
	r->low = r->values[0];
	r->high = parse_end(dots + 2, colon ? (size_t)(colon - dots - 2) : strlen(dots + 2));
	snprintf(r->step, sizeof r->step, "%.39s", colon ? colon + 1 : "x2");
}

/* Arrow keys of the workbench go from one value to the next one where the distance is the same. */
static void find_list_ends(struct range *r)
{
	char number[40];
	r->low = r->high = r->values[0];
	for (int i = 1; i < r->count; i++) {
		r->low = fmin(r->low, r->values[i]);
		r->high = fmax(r->high, r->values[i]);
	}
	bool factor = r->low > 0 && r->count > 1 && r->values[1] / r->values[0] >= 1.5;
	double step = r->count < 2 ? 1 : factor ? r->values[1] / r->values[0] : fabs(r->values[1] - r->values[0]);
	snprintf(r->step, sizeof r->step, "%c%.38s", factor ? 'x' : '+',
		number_format_exact(number, sizeof number, step > 0 ? step : 1));
}

/* --- names --- */
static bool check_name(const struct range *r, const char *name, size_t n, struct err *e)
{
	if (n && n < sizeof((struct param){0}).choices[0] && !memchr(name, ' ', n) && !memchr(name, '"', n) &&
		!memchr(name, '=', n))
		return true;
	return err_set(e, ST_REQUEST,
		"%s: '%.*s' is neither a number nor a name of at most 31 characters without blanks, quotes, = and ..",
		r->id, (int)(n < 60 ? n : 60), name);
}

static bool read_names(struct range *r, struct err *e)
{
	for (const char *at = r->text;; at++) {
		size_t n = strcspn(at, ",");
		if (!check_name(r, at, n, e))
			return false;
		if (++r->count > CHOICES_MAX)
			return err_set(e, ST_REQUEST, "%s: more than %d names; give fewer", r->id, CHOICES_MAX);
		at += n;
		if (!*at)
			return true;
	}
}

static bool read_range(const char *word, struct range *r, struct err *e)
{
	struct err why;
	*r = (struct range){.text = strchr(word, '=') + 1};
	snprintf(r->id, sizeof r->id, "%.*s", (int)range_name_length(word), word);
	const char *dots = strstr(r->text, "..");
	if (!read_numbers(r, word, &why))
		return dots || !*r->text ? err_set(e, why.status, "%s", why.text) : read_names(r, e);
	if (dots)
		find_range_ends(r, dots);
	else
		find_list_ends(r);
	return true;
}

/* --- the definition --- */
static void put_number(struct buf *b, const char *name, double value)
{
	char text[40];
	buf_printf(b, "%s%s", name, number_format_exact(text, sizeof text, value));
}

static void put_names(struct buf *b, const struct range *r)
{
	buf_puts(b, "choices = {");
	for (const char *at = r->text;; at++) {
		size_t n = strcspn(at, ",");
		char *name = xasprintf("%.*s", (int)n, at);
		buf_puts(b, at == r->text ? " " : ", ");
		lua_text_put(b, name, sizeof((struct param){0}).choices[0]);
		free(name);
		at += n;
		if (!*at)
			break;
	}
	buf_puts(b, " }");
}

static void put_numbers(struct buf *b, const struct range *r)
{
	put_number(b, "min = ", r->low);
	put_number(b, ", max = ", r->high);
	buf_printf(b, ", step = \"%s\"", r->step);
	put_number(b, ", default = ", r->values[0]);
}

/* A long list is a range in the workbench; `run` gets the words themselves. */
static void put_sweep(struct buf *b, const struct range *r)
{
	if (!r->values || strstr(r->text, "..") || r->count < 3 || r->count > SWEEP_LIST_MAX) {
		buf_puts(b, ", sweep = true");
		return;
	}
	for (int i = 0; i < r->count; i++)
		put_number(b, i ? ", " : ", sweep = { ", r->values[i]);
	buf_puts(b, " }");
}

static void put_range(struct buf *b, const struct range *r, bool swept)
{
	buf_printf(b, "    { \"%s\", ", r->id);
	if (r->values)
		buf_puts(b, "unit = \"\", "), put_numbers(b, r);
	else
		put_names(b, r);
	if (swept)
		put_sweep(b, r);
	buf_puts(b, " },\n");
}

static const struct range *find_longest_range(const struct range *list, int count)
{
	const struct range *longest = NULL;
	for (int i = 0; i < count; i++)
		if (list[i].count > (longest ? longest->count : 1))
			longest = &list[i];
	return longest;
}

bool program_ranges_put(struct buf *b, const struct argument_list *ranges, struct err *e)
{
	struct range *list = xcalloc((size_t)ranges->count + 1, sizeof *list);
	int count = 0;
	bool ok = true;
	for (int i = 0; ok && i < ranges->count; i++)
		if (ranges->list[i][0] != '@')
			ok = (count < PARAMS_MAX ||
				     err_set(e, ST_REQUEST, "more than %d ranges; remove some", PARAMS_MAX)) &&
				read_range(ranges->list[i], &list[count++], e);
	const struct range *swept = find_longest_range(list, count);
	buf_puts(b, "  params = {\n");
	for (int i = 0; ok && i < count; i++)
		put_range(b, &list[i], &list[i] == swept);
	buf_puts(b, "  },\n");
	for (int i = 0; i < count; i++)
		free(list[i].values);
	free(list);
	return ok;
}
