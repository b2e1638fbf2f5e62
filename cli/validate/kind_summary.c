#include "cli/validate/kind_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* --- errors --- */
static bool is_off_by_two(const struct validation_row *r)
{
	return published_is_zero(r->row) ? r->error > 0 : r->signed_error > 1 || r->signed_error < -0.5;
}

/* NULL: rows of all kinds. */
static bool is_counted_row(const struct validation_row *r, const char *kind, bool with_calibrated)
{
	return r->compared && (!kind || !strcmp(r->row->kind, kind)) &&
		(with_calibrated || r->row->state != ROW_CALIBRATED);
}

static struct error_summary summarize_errors(const struct validation *v, const char *kind, bool with_calibrated)
{
	struct error_summary s = {0};
	double *errors = xcalloc((size_t)v->row_count + 1, sizeof *errors);
	int within = 0;
	for (int i = 0; i < v->row_count; i++) {
		const struct validation_row *r = &v->rows[i];
		if (!is_counted_row(r, kind, with_calibrated))
			continue;
		errors[s.rows++] = r->error;
		within += r->error <= 0.25;
		s.off_by_two += is_off_by_two(r);
	}
	s.median = s.rows ? stats_compute(errors, s.rows).median : 0;
	s.within_25 = s.rows ? (double)within / s.rows : 0;
	free(errors);
	return s;
}

static struct kind_summary summarize_kind(const struct validation *v, const char *kind)
{
	return (struct kind_summary){
		kind ? kind : "all", summarize_errors(v, kind, true), summarize_errors(v, kind, false)};
}

int validation_summarize_kinds(const struct validation *v, struct kind_summary out[KIND_SUMMARIES_MAX])
{
	const char *kind;
	int count = 0;
	for (int i = 0; (kind = published_kind_at(i)) && count < KIND_SUMMARIES_MAX - 1; i++) {
		out[count] = summarize_kind(v, kind);
		count += out[count].all.rows > 0;
	}
	if (count)
		out[count++] = summarize_kind(v, NULL);
	return count;
}

/* --- JSON --- */
static json_t *error_summary_json(const struct error_summary *s)
{
	return json_pack("{s:i, s:o, s:o, s:i}", "rows", s->rows, "median",
		s->rows ? json_real(s->median) : json_null(), "within_25",
		s->rows ? json_real(s->within_25) : json_null(), "off_by_two", s->off_by_two);
}

json_t *kind_summaries_json(const struct kind_summary *list, int count)
{
	json_t *all = json_array();
	for (int i = 0; i < count; i++) {
		json_t *o = json_pack("{s:s}", "kind", list[i].kind), *errors = error_summary_json(&list[i].all);
		json_object_update(o, errors);
		json_decref(errors);
		json_object_set_new(o, "unfitted", error_summary_json(&list[i].unfitted));
		json_array_append_new(all, o);
	}
	return all;
}
