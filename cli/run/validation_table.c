#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "cli/cli_support.h"
#include "cli/run/validation_table.h"

enum { TEXT = 240 };

/* --- an experiment's settings --- */
static bool has_setting(const char *settings, const char *word)
{
	size_t n = strlen(word);
	for (const char *at = settings; (at = strstr(at, word)); at += n)
		if ((at == settings || at[-1] == ' ') && (!at[n] || at[n] == ' '))
			return true;
	return false;
}

/* Whether all rows of the experiment that begins at `first` set this. */
static bool common(const struct validation *v, int first, const char *word)
{
	for (int i = first; i < v->row_count && v->rows[i].x == v->rows[first].x; i++)
		if (!has_setting(v->rows[i].row->params, word))
			return false;
	return true;
}

/* The row's settings that it shares with all others of its experiment, or those that it does not. */
static void settings(const struct validation *v, int first, int row, bool shared, char out[TEXT])
{
	char *text = xstrdup(v->rows[row].row->params);
	size_t used = 0;
	*out = 0;
	for (char *save = NULL, *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save))
		if (common(v, first, w) == shared && used < TEXT)
			used += (size_t)snprintf(out + used, TEXT - used, "%s%s", used ? " " : "", w);
	free(text);
}

/* --- a row --- */
static void percent(char out[24], const struct validation_row *r)
{
	if (r->row->value == 0)
		snprintf(out, 24, "%s", r->error ? "differs" : "same");
	else
		snprintf(out, 24, "%+.1f %%", 100 * (r->measured - r->row->value) / r->row->value);
}

static void measured_text(char out[64], const struct validation_row *r)
{
	if (r->row->rounding == ROUNDING_NONE)
		snprintf(out, 64, "%.3f", r->measured);
	else
		snprintf(out, 64, "%.0f (%.6g)", r->measured, r->unrounded);
}

static void print_row(const struct validation *v, int first, int i, int width, int metric_width)
{
	const struct validation_row *r = &v->rows[i];
	char own[TEXT], error[24], measured[64], published[40], value[80];
	settings(v, first, i, false, own);
	number_format_exact(published, sizeof published, r->row->value);
	snprintf(value, sizeof value, "%s %s", published, r->row->unit);
	printf("  %-*s  %-*s  %-22s  ", width, own, metric_width, r->row->metric, value);
	if (!r->compared) {
		printf("-  %s\n", r->text);
		return;
	}
	percent(error, r);
	measured_text(measured, r);
	printf("%-18s %8s%s%s\n", measured, error, r->row->calibrated ? "  c" : "", r->row->unexplained ? "  ?" : "");
}

/* The rows from `first` on that belong to one experiment; returns where the next one's begin. */
static int print_experiment(const struct validation *v, int first)
{
	const struct validation_row *r = &v->rows[first];
	char shared[TEXT], own[TEXT];
	int end = first, width = 0, metric_width = 0;
	for (; end < v->row_count && v->rows[end].x == r->x; end++) {
		settings(v, first, end, false, own);
		width = (int)fmax(width, (double)strlen(own));
		metric_width = (int)fmax(metric_width, (double)strlen(v->rows[end].row->metric));
	}
	settings(v, first, first, true, shared);
	printf("\n%s  %s  (%s)\n", r->x->id, shared, r->row->source);
	if (r->scale != 1)
		printf("  measured at %s, the time scaled by %s\n", r->row->at, r->row->work);
	for (int i = first; i < end; i++)
		print_row(v, first, i, width, metric_width);
	return end;
}

/* --- below the rows --- */
static void row_name(const struct validation *v, int i, char out[TEXT])
{
	int first = i;
	char own[TEXT];
	while (first && v->rows[first - 1].x == v->rows[i].x)
		first--;
	settings(v, first, i, false, own);
	snprintf(out, TEXT, "%s %.120s%s%s", v->rows[i].x->id, own, *own ? " " : "", v->rows[i].row->metric);
}

static void print_summary(const struct validation *v)
{
	struct validation_summary s = validation_summarize(v);
	char name[TEXT] = "";
	if (!s.count) {
		printf("\nno row was measured\n");
		return;
	}
	row_name(v, s.worst_row, name);
	printf("\n%d rows: median error %.2f %%, within 5 %%: %.1f %% of them, worst %.1f %% (%s)\n", s.count,
		100 * s.median, 100 * s.within_5, 100 * s.worst, name);
	if (s.uncalibrated)
		printf("median over experiments of each one's worst row that nothing was calibrated on: %.2f %%\n",
			100 * s.worst_uncalibrated_median);
	printf("c: a constant of the software GPU was calibrated on the row, so that agreement there proves nothing\n");
}

/* Notes are told once, under the rows they are about. */
static void print_unexplained(const struct validation *v)
{
	const char *told = NULL;
	char name[TEXT], error[24];
	int count = 0;
	for (int i = 0; i < v->row_count; i++)
		count += v->rows[i].row->unexplained != NULL;
	if (!count)
		return;
	printf("?: no mechanism gives the row. These %d are counted with all others:\n", count);
	for (int i = 0; i < v->row_count; i++) {
		const char *note = v->rows[i].row->unexplained;
		if (!note)
			continue;
		if (told && told != note)
			printf("      %s\n", told);
		told = note;
		row_name(v, i, name);
		percent(error, &v->rows[i]);
		printf("  %-52s %8s\n", name, v->rows[i].compared ? error : "-");
	}
	if (told)
		printf("      %s\n", told);
}

void validation_print(const struct validation *v, const char *device, const char *device_name)
{
	printf("%s, %s; published and measured, as the source rounds (and before), and the error\n", device,
		device_name);
	for (int i = 0; i < v->row_count;)
		i = print_experiment(v, i);
	print_summary(v);
	print_unexplained(v);
}
