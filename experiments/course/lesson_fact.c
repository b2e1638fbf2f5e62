#include "experiments/course/lesson_fact.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "experiments/course/lesson_command.h"
#include "sessions/load/session_columns.h"
#include "gpu/protocol/point_record.h"

/* --- reading --- */
static bool reject_fact(char *why, size_t size, const char *text, const char *fix)
{
	snprintf(why, size, "cannot parse the fact '%.80s'; %s", text, fix);
	return false;
}

static bool parse_bound(const char *text, size_t n, double *out)
{
	char number[40], *end;
	snprintf(number, sizeof number, "%.*s", (int)n, text);
	*out = strtod(number, &end);
	return n && n < sizeof number && !*end;
}

/* "low..high" or one number. */
static bool parse_fact_range(struct lesson_fact *f, const char *word)
{
	const char *dots = strstr(word, "..");
	size_t n = dots ? (size_t)(dots - word) : strlen(word);
	if (!parse_bound(word, n, &f->low))
		return false;
	f->high = f->low;
	return !dots || (parse_bound(dots + 2, strlen(dots + 2), &f->high) && f->low <= f->high);
}

static void add_word(struct buf *b, const char *word)
{
	if (b->len)
		buf_puts(b, " ");
	buf_puts(b, word);
}

static char *take_buf_text(struct buf *b)
{
	char *text = xstrdup(b->data ? b->data : "");
	buf_free(b);
	return text;
}

static bool parse_number_fact(struct lesson_fact *f, const char *line)
{
	char *copy = xstrdup(line), *save = NULL, *w = strtok_r(copy, " ", &save);
	struct buf at = {0}, over = {0}, *into = NULL;
	bool good = true, ranged = false;
	f->wrong = !strcmp(w, "wrong");
	if (f->wrong)
		w = strtok_r(NULL, " ", &save);
	f->quantity = xstrdup(w ? w : "");
	while (good && !ranged && (w = strtok_r(NULL, " ", &save))) {
		if (!strcmp(w, "at") && !into)
			into = &at;
		else if (!strcmp(w, "over") && into != &over)
			into = &over;
		else if (into && strchr(w, '='))
			add_word(into, w);
		else
			good = ranged = parse_fact_range(f, w);
	}
	f->over = over.len ? take_buf_text(&over) : NULL;
	f->at = take_buf_text(&at);
	w = ranged ? strtok_r(NULL, " ", &save) : NULL;
	snprintf(f->unit, sizeof f->unit, "%s", w ? w : "");
	good = good && ranged && !strtok_r(NULL, " ", &save);
	free(copy);
	return good;
}

static bool parse_says_fact(struct lesson_fact *f, const char *quoted)
{
	size_t n = strlen(quoted);
	if (n < 3 || quoted[0] != '"' || quoted[n - 1] != '"')
		return false;
	f->says = xstrdup(quoted + 1);
	f->says[n - 2] = 0;
	return true;
}

static bool add_lesson_fact(
	struct lesson *l, const struct lesson_fact *subject, const char *line, char *why, size_t size)
{
	l->facts = xrealloc(l->facts, (size_t)(l->fact_count + 1) * sizeof *l->facts);
	struct lesson_fact *f = &l->facts[l->fact_count++];
	*f = *subject;
	f->command = subject->command ? xstrdup(subject->command) : NULL;
	f->text = xstrdup(line);
	bool good = strncmp(line, "says ", 5) ? parse_number_fact(f, line) : parse_says_fact(f, line + 5);
	return good || reject_fact(why, size, line, "write 'METRIC at NAME=VALUE LOW..HIGH UNIT' or 'says \"TEXT\"'");
}

static char *trim_spaces(char *s)
{
	s += strspn(s, " \t\n");
	size_t n = strlen(s);
	while (n && isspace((unsigned char)s[n - 1]))
		s[--n] = 0;
	return s;
}

/* "step 3", or a command. Borrows `words`. */
static bool parse_fact_subject(struct lesson_fact *f, char *words)
{
	char *end;
	if (!strncmp(words, "step ", 5)) {
		f->step = (int)strtol(words + 5, &end, 10);
		return f->step > 0 && !*end;
	}
	f->command = words;
	return !strncmp(words, "run ", 4) || !strncmp(words, "isa ", 4);
}

static bool parse_fact_lines(struct lesson *l, enum lesson_part part, char *text, char *why, size_t size)
{
	struct lesson_fact subject = {.part = part};
	char *colon = text;
	while ((colon = strchr(colon, ':')) && !isspace((unsigned char)colon[1]))
		colon++;
	if (!colon)
		return reject_fact(why, size, text, "write 'expect: step 1: FACT'");
	*colon = 0;
	text = trim_spaces(text);
	if (!parse_fact_subject(&subject, text))
		return reject_fact(
			why, size, text, "write 'step 1', 'run EXP NAME=VALUE' or 'isa EXP' before the colon");
	bool good = true;
	for (char *save = NULL, *line = strtok_r(colon + 1, "\n", &save); good && line;
		line = strtok_r(NULL, "\n", &save))
		if (*(line = trim_spaces(line)))
			good = add_lesson_fact(l, &subject, line, why, size);
	return good;
}

/* Adds the facts of the comment that `text` starts with, and moves it behind the comment. */
static bool read_comment_facts(struct lesson *l, enum lesson_part part, const char **text, char *why, size_t size)
{
	const char *end = strstr(*text, "-->"), *stop = end ? end : *text + strlen(*text);
	const char *from = *text + 4 + strspn(*text + 4, " \n");
	*text = end ? end + 3 : stop;
	if (strncmp(from, "expect:", 7))
		return true;
	char *facts = xasprintf("%.*s", (int)(stop - from - 7), from + 7);
	bool good = parse_fact_lines(l, part, facts, why, size);
	free(facts);
	return good;
}

bool lesson_facts_read(struct lesson *l, enum lesson_part part, const char *html, char *why, size_t size)
{
	while (*(html += strspn(html, " \t\n")))
		if (strncmp(html, "<!--", 4)) {
			snprintf(why, size, "HTML is not supported; write Markdown");
			return false;
		} else if (!read_comment_facts(l, part, &html, why, size))
			return false;
	return true;
}

bool lesson_facts_resolve(struct lesson *l, char *why, size_t size)
{
	for (int i = 0; i < l->fact_count; i++) {
		struct lesson_fact *f = &l->facts[i];
		const struct lesson_step *step = lesson_find_step(l, f->step);
		if (f->step && !step)
			return reject_fact(why, size, f->text, "the lesson does not have this step");
		if (step && !f->command)
			f->command = xstrdup(step->command);
	}
	return true;
}

void lesson_facts_free(struct lesson *l)
{
	for (int i = 0; i < l->fact_count; i++) {
		struct lesson_fact *f = &l->facts[i];
		free(f->command);
		free(f->text);
		free(f->says);
		free(f->quantity);
		free(f->at);
		free(f->over);
	}
	free(l->facts);
}

/* --- comparing --- */
static const struct column *find_column_by_id(const struct column *list, int count, const char *id)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(list[i].id, id))
			return &list[i];
	return NULL;
}

/* Whether a point has NAME=VALUE; false for values that the parameter cannot have. */
static bool has_param_value(const struct session_columns *c, const json_t *point, const char *word)
{
	char id[64];
	const char *equals = strchr(word, '='), *name;
	struct err e = {0};
	double expected;
	snprintf(id, sizeof id, "%.*s", (int)(equals - word), word);
	const struct column *column = find_column_by_id(c->params, c->param_count, id);
	if (!column)
		return false;
	struct reading r = column_param(column, point, &name);
	if (name)
		return !strcmp(name, equals + 1);
	return r.valid && units_parse(equals + 1, column->unit, &expected, &e) && r.value == expected;
}

static bool matches_params(const struct session_columns *c, const json_t *point, const char *at)
{
	char *copy = xstrdup(at);
	bool all = true;
	for (char *save = NULL, *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		all = all && has_param_value(c, point, w);
	free(copy);
	return all;
}

/* The only point with these parameters; NULL with the reason in `found`. */
static const json_t *find_only_point(
	const struct session_columns *c, const json_t *run, const char *at, char *found, size_t size)
{
	const json_t *point, *only = NULL;
	size_t i;
	int n = 0;
	json_array_foreach(json_object_get(run, "points"), i, point)
	{
		if (!matches_params(c, point, at))
			continue;
		only = point;
		n++;
	}
	if (n == 1)
		return only;
	snprintf(found, size, n ? "%d points match '%s'" : "none of %d points matches '%s'",
		n ? n : (int)json_array_size(json_object_get(run, "points")), at);
	return NULL;
}

/* Whether the point's value is that of a right result, or of a wrong one where the fact is about such a point. */
static bool has_expected_result(const struct lesson_fact *f, const json_t *point, char *found, size_t size)
{
	bool faulty = point_describe_fault(point, found, size);
	if (!f->wrong)
		return !faulty;
	if (!faulty)
		snprintf(found, size, "the result is right");
	return point_has_wrong_result(point);
}

static bool find_fact_value(const struct lesson_fact *f, const json_t *run, const char *at, double *out,
	const char **unit, char *found, size_t size)
{
	struct session_columns c;
	columns_read(json_object_get(run, "header"), &c);
	const struct column *metric = find_column_by_id(c.metrics, c.metric_count, f->quantity);
	const json_t *point = find_only_point(&c, run, at, found, size);
	if (!point || !has_expected_result(f, point, found, size))
		return false;
	struct reading r =
		metric ? column_metric(metric, point) : record_get_reading(point_get_counters(point), f->quantity);
	if (!r.valid) {
		snprintf(found, size, "%s is not available", f->quantity);
		return false;
	}
	*out = r.value;
	*unit = metric ? metric->unit : "";
	return true;
}

bool lesson_fact_holds(const struct lesson_fact *f, const char *printed, const json_t *run, char *found, size_t size)
{
	double value, divisor = 1;
	const char *unit = "", *other;
	*found = 0;
	if (f->says)
		return strstr(printed, f->says);
	if (!find_fact_value(f, run, f->at, &value, &unit, found, size) ||
		(f->over && !find_fact_value(f, run, f->over, &divisor, &other, found, size)))
		return false;
	unit = f->over ? "" : unit;
	snprintf(found, size, "%.5g%s%s", value / divisor, *unit ? " " : "", unit);
	return value / divisor >= f->low && value / divisor <= f->high && !strcmp(unit, f->unit);
}
