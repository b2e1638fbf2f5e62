/* `compare`: what recorded sessions have in common, point by point, as ratios to the first. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "sessions/columns.h"
#include "sessions/session.h"
#include "tui/command.h"

enum { SESSIONS_MAX = 8 };

struct side { const char *path; struct session *s; struct columns columns; };

static bool load_sides(const char *const *paths, int count, struct side *sides, struct err *e)
{
	for (int i = 0; i < count; i++) {
		sides[i].path = paths[i];
		sides[i].s = session_load(paths[i], e);
		if (!sides[i].s)
			return false;
		columns_read(sides[i].s->header, &sides[i].columns);
		if (i && strcmp(record_text(sides[0].s->header, "experiment"), record_text(sides[i].s->header, "experiment")))
			return err_set(e, ST_REQUEST, "%s holds %s and %s holds %s; compare sessions of one experiment", sides[0].path,
			               record_text(sides[0].s->header, "experiment"), sides[i].path, record_text(sides[i].s->header, "experiment"));
	}
	return true;
}

static char *param_text(const struct column *c, const json_t *point)
{
	char text[64] = "";
	const char *name;
	struct reading r = column_param(c, point, &name);
	if (name)
		return xstrdup(name);
	if (r.valid)
		number_plain(text, sizeof text, r.value);
	return xstrdup(text);
}

static bool same_point(const struct columns *c, const json_t *a, const json_t *b)
{
	bool same = true;
	for (int i = 0; same && i < c->param_count; i++) {
		char *x = param_text(&c->params[i], a), *y = param_text(&c->params[i], b);
		same = !strcmp(x, y);
		free(x);
		free(y);
	}
	return same;
}

static const json_t *partner(const struct side *in, const struct columns *c, const json_t *point)
{
	for (size_t i = in->s->point_count; i-- > 0;)
		if (same_point(c, in->s->points[i], point))
			return in->s->points[i];
	return NULL;
}

static bool in_all(const struct side *sides, int count, const json_t *point)
{
	for (int i = 1; i < count; i++)
		if (!partner(&sides[i], &sides[0].columns, point))
			return false;
	return true;
}

static bool moved(const json_t *point) { return json_is_true(json_object_get(point, "clocks_moved")); }

static void print_reading(struct reading r)
{
	char text[40];
	if (r.valid)
		snprintf(text, sizeof text, "%.5g", r.value);
	printf("  %12s", r.valid ? text : "-");
}

/* The reading of each side and its ratio to the first; a moved clock is marked and gives no ratio. */
static void print_row(const struct side *sides, int count, const struct column *metric, const json_t *point, size_t *left_out)
{
	struct reading first = column_metric(metric, point);
	print_reading(first);
	for (int i = 1; i < count; i++) {
		const json_t *other = partner(&sides[i], &sides[0].columns, point);
		struct reading r = column_metric(metric, other);
		print_reading(r);
		if (moved(point) || moved(other)) {
			printf("  %8s", "!");
			++*left_out;
		} else if (first.valid && r.valid && first.value != 0) {
			printf("  %8.3f", r.value / first.value);
		} else {
			printf("  %8s", "-");
		}
	}
	putchar('\n');
}

static size_t print_metric(const struct side *sides, int count, const struct column *metric, size_t *left_out)
{
	const struct columns *c = &sides[0].columns;
	size_t rows = 0;
	printf("\n%s%s%s\n", metric->id, *metric->unit ? ", " : "", metric->unit);
	for (int i = 0; i < c->param_count; i++)
		printf("%s%12s", i ? "  " : "", c->params[i].id);
	for (int i = 0; i < count; i++) {
		printf("  %12c", 'A' + i);
		if (i)
			printf("     %c / A", 'A' + i);
	}
	putchar('\n');
	for (size_t k = 0; k < sides[0].s->point_count; k++) {
		const json_t *point = sides[0].s->points[k];
		if (!in_all(sides, count, point))
			continue;
		for (int i = 0; i < c->param_count; i++) {
			char *text = param_text(&c->params[i], point);
			printf("%s%12s", i ? "  " : "", text);
			free(text);
		}
		print_row(sides, count, metric, point, left_out);
		rows++;
	}
	return rows;
}

static int compare(const struct side *sides, int count)
{
	size_t left_out = 0, rows = 0;
	printf("%s\n", record_text(sides[0].s->header, "experiment"));
	for (int i = 0; i < count; i++) {
		const json_t *device = json_object_get(sides[i].s->header, "device");
		printf("%c  %s  %s  %s  %zu points\n", 'A' + i, sides[i].path, record_text(device, "device"), record_text(sides[i].s->header, "time"),
		       sides[i].s->point_count);
	}
	for (int m = 0; m < sides[0].columns.metric_count; m++)
		rows += print_metric(sides, count, &sides[0].columns.metrics[m], &left_out);
	if (left_out)
		printf("\n%zu ratios left out (!): a clock moved more than 2 %% while the point was measured\n", left_out);
	if (rows)
		return ST_OK;
	struct err e;
	err_set(&e, ST_REQUEST, "these sessions have no point in common; record both with the same parameters");
	return command_fail(&e);
}

int compare_sessions(const char *const *paths, int count)
{
	struct err e = {0};
	struct side sides[SESSIONS_MAX] = {0};
	int status = load_sides(paths, count, sides, &e) ? compare(sides, count) : command_fail(&e);
	for (int i = 0; i < count; i++)
		session_free(sides[i].s);
	return status;
}

int command_compare(int argc, char **argv)
{
	struct err e = {0};
	struct words words;
	const struct option options[] = { { NULL, NULL, NULL } };
	if (!options_parse(options, argc, argv, &words, &e))
		return command_fail(&e);
	int status;
	if (words.count < 2 || words.count > SESSIONS_MAX) {
		err_set(&e, ST_REQUEST, "compare wants two to %d session files, not %d", SESSIONS_MAX, words.count);
		status = command_fail(&e);
	} else {
		status = compare_sessions(words.list, words.count);
	}
	free(words.list);
	return status;
}
