#include "experiments/course/course_report.h"

#include <math.h>
#include <string.h>

#include "sessions/export/csv_line.h"

/* --- one question --- */
struct report_row {
	const struct lesson *l;
	const struct lesson_step *step;
	int number;
	struct step_result result;
	const char *chosen, *right; /* texts of the choices; "" if none was chosen */
};

typedef void report_row_writer(void *ctx, const struct report_row *row);

static const char *choice_text(const struct lesson *l, int step, int number)
{
	const struct lesson_block *b = number ? lesson_find_block(l, step, LESSON_CHOICE, number) : NULL;
	return b ? b->text : "";
}

static void write_report_rows(const struct lesson *const *list, int count, const struct course_progress *p,
	report_row_writer *write, void *ctx)
{
	for (int i = 0; i < count; i++)
		for (int step = 1; step <= list[i]->step_count; step++) {
			struct report_row row = {list[i], lesson_find_step(list[i], step), step,
				course_progress_get(p, list[i]->id, step), "", ""};
			row.chosen = choice_text(list[i], step, row.result.choice);
			row.right = choice_text(list[i], step, lesson_right_choice(list[i], step));
			write(ctx, &row);
		}
}

/* The mean error of a drawn curve in percent. */
static struct reading curve_error_percent(const struct step_result *r)
{
	return (struct reading){r->done && !isnan(r->curve), round(100 * r->curve)};
}

/* --- formats --- */
static void put_report_text(void *ctx, const char *text)
{
	fputs(text, ctx);
}

static void write_csv_row(void *ctx, const struct report_row *row)
{
	struct csv_line line = {0};
	csv_add_text(&line, row->l->id);
	csv_add_count(&line, (size_t)row->number);
	csv_add_text(&line, row->step->title);
	csv_add_text(&line, step_result_name(&row->result));
	csv_add_text(&line, row->chosen);
	csv_add_text(&line, row->right);
	csv_add_number(&line, curve_error_percent(&row->result));
	csv_add_count(&line, (size_t)row->result.tries);
	csv_add_text(&line, row->result.time);
	csv_end_line(&line, put_report_text, ctx);
	buf_free(&line.text);
}

static void write_csv_report(const struct lesson *const *list, int count, const struct course_progress *p, FILE *out)
{
	fputs("lesson,step,title,result,choice,right_choice,curve_error_percent,tries,time\n", out);
	write_report_rows(list, count, p, write_csv_row, out);
}

static void add_json_row(void *ctx, const struct report_row *row)
{
	struct reading curve = curve_error_percent(&row->result);
	json_array_append_new(ctx,
		json_pack("{s:s,s:i,s:s,s:s,s:s,s:s,s:o,s:i,s:s}", "lesson", row->l->id, "step", row->number, "title",
			row->step->title, "result", step_result_name(&row->result), "choice", row->chosen,
			"right_choice", row->right, "curve_error_percent",
			curve.valid ? json_real(curve.value) : json_null(), "tries", row->result.tries, "time",
			row->result.time));
}

static void write_json_report(const struct lesson *const *list, int count, const struct course_progress *p, FILE *out)
{
	json_t *rows = json_array();
	write_report_rows(list, count, p, add_json_row, rows);
	json_dumpf(rows, out, JSON_INDENT(1));
	fputc('\n', out);
	json_decref(rows);
}

static void write_text_row(void *ctx, const struct report_row *row)
{
	const char *name = step_result_name(&row->result);
	struct reading curve = curve_error_percent(&row->result);
	fprintf(ctx, "  %d  %-6s %s", row->number, *name ? name : "-", row->step->title);
	if (curve.valid)
		fprintf(ctx, " (curve off by %.0f %%)", curve.value);
	fputc('\n', ctx);
}

static void write_text_report(const struct lesson *const *list, int count, const struct course_progress *p, FILE *out)
{
	for (int i = 0; i < count; i++) {
		struct lesson_totals t = course_progress_count(p, list[i]);
		fprintf(out, "%s: %d of %d answered, %d right\n", list[i]->id, t.done, t.steps, t.right);
		write_report_rows(list + i, 1, p, write_text_row, out);
	}
}

static const struct {
	const char *name;
	course_report *write;
} formats[] = {{"text", write_text_report}, {"csv", write_csv_report}, {"json", write_json_report}};

course_report *course_report_find(const char *format, struct err *e)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (!strcmp(formats[i].name, format))
			return formats[i].write;
	err_set(e, ST_REQUEST, "unknown format '%.40s'; --progress prints text, csv or json", format);
	return NULL;
}
