#include "cli/validate/validation_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "cli/cli_support.h"
#include "sessions/compare/published_sources.h"

enum { NAME_TEXT = 240, SOURCE_TEXT = 120 };

/* --- parameters of an experiment's rows --- */
static bool has_setting(const char *settings, const char *word)
{
	size_t n = strlen(word);
	for (const char *at = settings; (at = strstr(at, word)); at += n)
		if ((at == settings || at[-1] == ' ') && (!at[n] || at[n] == ' '))
			return true;
	return false;
}

/* True if all rows of the experiment that begins at `first` have this setting. */
static bool setting_is_shared(const struct validation *v, int first, const char *word)
{
	for (int i = first; i < v->row_count && v->rows[i].x == v->rows[first].x; i++)
		if (!has_setting(v->rows[i].row->params, word))
			return false;
	return true;
}

/* The settings of a row that all rows of its experiment share, or those that they do not. */
static void format_settings(const struct validation *v, int first, int row, bool shared, char out[NAME_TEXT])
{
	char *text = xstrdup(v->rows[row].row->params);
	size_t used = 0;
	*out = 0;
	for (char *save = NULL, *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save))
		if (setting_is_shared(v, first, w) == shared && used < NAME_TEXT)
			used += (size_t)snprintf(out + used, NAME_TEXT - used, "%s%s", used ? " " : "", w);
	free(text);
}

/* --- a row --- */
static void format_error(char out[24], const struct validation_row *r)
{
	if (published_is_zero(r->row))
		snprintf(out, 24, "%s", r->error ? "differs" : "same");
	else
		snprintf(out, 24, "%+.1f %%", 100 * r->signed_error);
}

static void format_measured(char out[64], const struct validation_row *r)
{
	if (r->row->rounding == ROUNDING_NONE)
		snprintf(out, 64, "%.3f", r->measured);
	else
		snprintf(out, 64, "%.0f (%.6g)", r->measured, r->unrounded);
}

static const char *state_mark(enum row_state state)
{
	static const char *const marks[] = {[ROW_CALIBRATED] = "  c", [ROW_CHECKED] = "", [ROW_BLIND] = "  b"};
	return marks[state];
}

static void print_validation_row(const struct validation *v, int first, int i, int width, int metric_width)
{
	const struct validation_row *r = &v->rows[i];
	char own[NAME_TEXT], error[24], measured[64], published[80], value[120], seconds[24];
	format_settings(v, first, i, false, own);
	snprintf(value, sizeof value, "%s %s", published_format_value(published, sizeof published, r->row),
		r->row->unit);
	printf("  %-*s  %-*s  %-22s  ", width, own, metric_width, r->row->metric, value);
	if (!r->compared) {
		printf("-  %s\n", r->text);
		return;
	}
	format_error(error, r);
	format_measured(measured, r);
	snprintf(seconds, sizeof seconds, "%.2f s", v->points[r->point].seconds);
	printf("%-18s %8s %9s%s%s\n", measured, error, seconds, state_mark(r->row->state),
		r->row->unexplained ? "  ?" : "");
}

/* Prints the rows of the experiment that begins at `first`; returns the first row of the next one. */
static int print_validation_rows(const struct validation *v, int first)
{
	const struct validation_row *r = &v->rows[first];
	char shared[NAME_TEXT], own[NAME_TEXT], source[SOURCE_TEXT];
	int end = first, width = 0, metric_width = 0;
	for (; end < v->row_count && v->rows[end].x == r->x; end++) {
		format_settings(v, first, end, false, own);
		width = (int)fmax(width, (double)strlen(own));
		metric_width = (int)fmax(metric_width, (double)strlen(v->rows[end].row->metric));
	}
	format_settings(v, first, first, true, shared);
	printf("\n%s  %s%s(%s)\n", r->x->id, shared, *shared ? "  " : "",
		published_source_format(source, sizeof source, r->row->source));
	if (r->scale != 1)
		printf("  reduced for the software GPU: %s; the time is scaled by %s\n", r->row->at, r->row->work);
	for (int i = first; i < end; i++)
		print_validation_row(v, first, i, width, metric_width);
	return end;
}

/* --- below the rows --- */
static void format_row_name(const struct validation *v, int i, char out[NAME_TEXT])
{
	int first = i;
	char own[NAME_TEXT];
	while (first && v->rows[first - 1].x == v->rows[i].x)
		first--;
	format_settings(v, first, i, false, own);
	snprintf(out, NAME_TEXT, "%s %.120s%s%s", v->rows[i].x->id, own, *own ? " " : "", v->rows[i].row->metric);
}

static void print_mark_meaning(const struct validation *v, enum row_state state, const char *meaning)
{
	for (int i = 0; i < v->row_count; i++)
		if (v->rows[i].row->state == state) {
			printf("%s\n", meaning);
			return;
		}
}

void validation_print_totals(const struct validation *v)
{
	struct validation_summary s = validation_summarize(v);
	char name[NAME_TEXT] = "";
	if (!s.count) {
		printf("\nno row was measured\n");
		return;
	}
	format_row_name(v, s.worst_row, name);
	printf("\n%d row%s: median error %.2f %%; %.1f %% of the rows within 5 %%; largest error %.1f %% (%s)\n",
		s.count, plural_s((unsigned)s.count), 100 * s.median, 100 * s.within_5, 100 * s.worst, name);
	if (s.uncalibrated)
		printf("largest error of each experiment without calibrated rows, median over experiments: %.2f %%\n",
			100 * s.worst_uncalibrated_median);
}

static void print_mark_meanings(const struct validation *v)
{
	print_mark_meaning(v, ROW_CALIBRATED,
		"c: a constant of the software GPU was calibrated on this row, so agreement proves nothing");
	print_mark_meaning(v, ROW_BLIND, "b: kept aside until a prediction of this row was written down");
}

/* Prints each note once, below its rows. */
static void print_unexplained(const struct validation *v)
{
	const char *told = NULL;
	char name[NAME_TEXT], error[24];
	int count = 0;
	for (int i = 0; i < v->row_count; i++)
		count += v->rows[i].row->unexplained != NULL;
	if (!count)
		return;
	printf("?: no known mechanism explains the row. These %d rows are included in the numbers above:\n", count);
	for (int i = 0; i < v->row_count; i++) {
		const char *note = v->rows[i].row->unexplained;
		if (!note)
			continue;
		if (told && told != note)
			printf("      %s\n", told);
		told = note;
		format_row_name(v, i, name);
		format_error(error, &v->rows[i]);
		printf("  %-52s %8s\n", name, v->rows[i].compared ? error : "-");
	}
	if (told)
		printf("      %s\n", told);
}

static bool is_cited(const struct validation *v, const char *id)
{
	size_t n = strlen(id);
	for (int i = 0; i < v->row_count; i++)
		if (strcspn(v->rows[i].row->source, " ") == n && !strncmp(v->rows[i].row->source, id, n))
			return true;
	return false;
}

/* The full titles of the cited documents. */
static void print_sources(const struct validation *v)
{
	const struct published_source *s;
	printf("\nsources\n");
	for (int i = 0; (s = published_source_at(i)); i++)
		if (is_cited(v, s->id))
			printf("  %-20s \"%s\", %s, %s\n", s->short_name, s->title, s->author, s->where);
}

void validation_print(const struct validation *v, const char *device, const char *device_name)
{
	printf("%s, %s: published value, measured value rounded like the source (unrounded), error, time to measure it\n",
		device, device_name);
	for (int i = 0; i < v->row_count;)
		i = print_validation_rows(v, i);
	validation_print_totals(v);
	if (validation_summarize(v).count)
		print_mark_meanings(v);
	print_unexplained(v);
	print_sources(v);
}
