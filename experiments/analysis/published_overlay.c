#include "experiments/analysis/published_overlay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "base/units.h"
#include "sessions/compare/published_sources.h"

void overlay_load(struct overlay *o, struct experiment *x)
{
	char *folder = path_published();
	*o = (struct overlay){0};
	if (published_load(folder, &o->set, NULL))
		validation_make_for(&o->set, x, true, &o->rows, NULL);
	free(folder);
}

void overlay_free(struct overlay *o)
{
	validation_free(&o->rows);
	published_free(&o->set);
}

/* The software GPU measures the experiment, or this row, at another value of the parameter. */
static bool is_reduced_param(const struct validation_row *r, int param)
{
	const struct param *p = &r->x->params[param];
	char name[sizeof p->id + 2];
	snprintf(name, sizeof name, "%s=", p->id);
	const char *at = strstr(r->row->at, name);
	return p->soft != p->value || (at && (at == r->row->at || at[-1] == ' '));
}

bool overlay_row_fits(const struct validation_row *r, const double *values, int axis)
{
	for (int i = 0; i < r->x->param_count; i++)
		if (i != axis && values[i] != r->published_at[i] &&
			(!is_reduced_param(r, i) || unit_is_time(r->row->unit)))
			return false;
	return true;
}

double overlay_row_x(const struct validation_row *r, int axis)
{
	return axis < 0 ? 0 : r->published_at[axis];
}

static bool is_source_repeated(const struct validation *v, const char *arch, int row)
{
	for (int i = 0; i < row; i++)
		if (published_row_fits_arch(v->rows[i].row, arch) &&
			!strcmp(v->rows[i].row->source, v->rows[row].row->source))
			return true;
	return false;
}

int overlay_count_rows(const struct validation *v, const char *arch)
{
	int n = 0;
	for (int i = 0; i < v->row_count; i++)
		n += published_row_fits_arch(v->rows[i].row, arch);
	return n;
}

char *overlay_format_sources(const struct validation *v, const char *arch, char *out, size_t size)
{
	size_t n = 0;
	char name[96];
	const char *device = "";
	*out = 0;
	for (int i = 0; i < v->row_count && n < size; i++) {
		const struct published_row *row = v->rows[i].row;
		if (!published_row_fits_arch(row, arch) || is_source_repeated(v, arch, i))
			continue;
		n += (size_t)snprintf(out + n, size - n, "%s%s", n ? ", " : "",
			published_source_format(name, sizeof name, row->source));
		device = *device ? device : row->device;
	}
	if (*device && n < size)
		snprintf(out + n, size - n, " on a %s", device);
	return out;
}
