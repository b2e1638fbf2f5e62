#include "cli/validate/fitted_program.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/backends/backend.h"
#include "sessions/compare/published_sources.h"

static const struct fitted_constant fitted[] = {
#define FITTED(model, constant, program, value_before, why) {#model, #constant, program, why, value_before},
#include "softgpu/fitted_constants.def"
#undef FITTED
};
enum { FITTED_COUNT = sizeof fitted / sizeof *fitted };

/* --- names --- */
bool fitted_program_is_cited(const char *program, const char *citation)
{
	size_t n = strlen(program);
	for (const char *at = citation; *program && (at = strstr(at, program)); at++)
		if ((at == citation || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[n]))
			return true;
	return false;
}

/* Whether the constant was fitted on this program, or on one of those that begin with its name. */
static bool is_fitted_on(const struct fitted_constant *f, const char *program)
{
	return !strncmp(f->program, program, strlen(program)) && fitted_program_is_cited(program, f->program);
}

static bool is_of_model(const struct fitted_constant *f, const char *device)
{
	const char *model = device_rest(device);
	return strlen(f->model) == strcspn(model, ",") && !strncmp(f->model, model, strlen(f->model));
}

/* Two programs of a constant are one replacement. */
static bool is_repeated(int row, const char *program)
{
	for (int i = 0; i < row; i++)
		if (!strcmp(fitted[i].model, fitted[row].model) && !strcmp(fitted[i].name, fitted[row].name) &&
			is_fitted_on(&fitted[i], program))
			return true;
	return false;
}

const struct fitted_constant *fitted_program_constant(const char *program, const char *device, int i)
{
	for (int k = 0; k < FITTED_COUNT; k++)
		if (is_fitted_on(&fitted[k], program) && is_of_model(&fitted[k], device) && !is_repeated(k, program) &&
			!i--)
			return &fitted[k];
	return NULL;
}

/* --- errors --- */
static void list_programs(struct buf *out)
{
	for (int k = 0; k < FITTED_COUNT; k++) {
		bool listed = false;
		for (int i = 0; i < k; i++)
			listed = listed || !strcmp(fitted[i].program, fitted[k].program);
		if (!listed)
			buf_printf(out, "%s%s", out->len ? ", " : "", fitted[k].program);
	}
}

/* The program is not one of the device's model: it is another's, or none's. */
static bool set_program_error(const char *program, const char *device, struct err *e)
{
	const char *rest = device_rest(device);
	for (int k = 0; k < FITTED_COUNT; k++)
		if (is_fitted_on(&fitted[k], program))
			return err_set(e, ST_REQUEST, "no constant of %.*s was fitted on '%s', but some of %s were",
				(int)strcspn(rest, ","), rest, program, fitted[k].model);
	struct buf names = {0};
	list_programs(&names);
	err_set(e, ST_REQUEST, "no constant was fitted on '%.60s'; programs: %s", program, names.data);
	buf_free(&names);
	return false;
}

/* --- the device and its rows --- */
char *fitted_program_take_back(const char *program, const char *device, struct err *e)
{
	struct buf name = {0};
	const struct fitted_constant *f;
	if (!device_can(device, DEVICE_TUNABLE)) {
		err_set(e, ST_REQUEST, "--without changes constants of the software GPU; %s has none", device);
		return NULL;
	}
	if (!fitted_program_constant(program, device, 0)) {
		set_program_error(program, device, e);
		return NULL;
	}
	buf_printf(&name, "%s", device);
	for (int i = 0; (f = fitted_program_constant(program, device, i)); i++)
		buf_printf(&name, ",%s=%lld", f->name, f->before);
	return name.data;
}

bool fitted_program_keep_rows(const char *program, const char *arch, struct published *set, struct err *e)
{
	int kept = 0, fitting = 0;
	char citation[120];
	for (int i = 0; i < set->count; i++) {
		struct published_row row = set->rows[i];
		published_source_format(citation, sizeof citation, row.source);
		if (!fitted_program_is_cited(program, citation))
			continue;
		if (row.state == ROW_CALIBRATED)
			row.state = ROW_CHECKED;
		fitting += published_row_fits_arch(&row, *arch ? arch : NULL);
		set->rows[kept++] = row;
	}
	set->count = kept;
	return fitting || err_set(e, ST_REQUEST, "no published row of a %s device is of '%s'", arch, program);
}
