/* Loads a definition's file, derives its id from the file name, and checks it at its default points. */
#include "experiments/definition/definition.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "experiments/definition/default_values.h"
#include "experiments/definition/sweep_plan.h"

enum { FILE_LIMIT = 256 << 10 };

bool definition_read_file(const char *path, struct buf *out, struct err *e)
{
	const char *why;
	return input_file_read(path, FILE_LIMIT, out, &why) ||
		err_set(e, ST_REQUEST,
			"cannot open %s: %s; give a Lua definition of at most %d KiB, or an experiment from `wavedeck list`",
			path, why, FILE_LIMIT >> 10);
}

/* FNV-1a: the 64-bit prime of Fowler, Noll and Vo. */
uint64_t definition_update_hash(uint64_t hash, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static bool set_id_from_path(struct experiment *x, const char *path, struct err *e)
{
	const char *name = path_basename(path);
	size_t len = strlen(name);
	if (len < 5 || strcmp(name + len - 4, ".lua"))
		return err_set(e, ST_REQUEST, "%s: the name of an experiment file must end in .lua", path);
	if (len - 4 > 50 || strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") != len)
		return err_set(e, ST_REQUEST,
			"%s: the file name is the experiment's id; use at most 50 letters, digits, -, _ and .", path);
	if (strlen(path) >= sizeof x->path)
		return err_set(e, ST_REQUEST, "%s: the path is too long", path);
	snprintf(x->id, sizeof x->id, "%.*s", (int)(len - 4), name);
	snprintf(x->path, sizeof x->path, "%s", path);
	snprintf(x->chapter, sizeof x->chapter, "own");
	return true;
}

static void find_absolute_folder(const char *path, char *out, size_t size)
{
	char *real = realpath(path, NULL);
	char *slash = real ? strrchr(real, '/') : NULL;
	if (slash)
		*slash = 0;
	snprintf(out, size, "%s", real ? real : ".");
	free(real);
}

/* The reference of an edited copy is that of the original: an edited kernel is not compared with itself. */
static void find_reference_folder(const char *folder, char *out, size_t size)
{
	char *original = xasprintf("%s/" ORIGINAL_FOLDER, folder);
	snprintf(out, size, "%s", access(original, F_OK) ? folder : original);
	free(original);
}

static bool read_definition_text(struct experiment *x, const struct buf *text, struct err *e)
{
	const char *bytes = text->data ? text->data : "";
	if (!definition_read(x, bytes, text->len, e))
		return false;
	find_absolute_folder(x->path, x->lua->folder, sizeof x->lua->folder);
	find_reference_folder(x->lua->folder, x->lua->reference_folder, sizeof x->lua->reference_folder);
	return true;
}

static bool check_point_job(struct experiment *x, const double *values, struct err *e)
{
	json_t *job = experiment_build_job(x, values, false, "", true, e);
	json_decref(job);
	return job != NULL;
}

/* Jobs at the sizes that the software GPU has on the targets that parameters name. */
static bool check_reduced_targets(struct experiment *x, struct err *e)
{
	double values[PARAMS_MAX];
	for (int i = 0; i < x->param_count; i++)
		for (int t = 0; t < x->params[i].soft_on_count; t++) {
			for (int k = 0; k < x->param_count; k++)
				values[k] = param_default_value(&x->params[k], true, x->params[i].soft_on[t].arch);
			if (!check_point_job(x, values, e))
				return false;
		}
	return true;
}

/* Builds jobs for every variant and for the defaults of the software GPU, so that a broken definition is reported when
 * it is loaded, not when it is first run. */
static bool check_default_points(struct experiment *x, struct err *e)
{
	double published[PARAMS_MAX], reduced[PARAMS_MAX];
	for (int i = 0; i < x->param_count; i++) {
		published[i] = x->params[i].value;
		reduced[i] = x->params[i].soft;
	}
	if (!experiment_update_sweep(x, reduced, e) || !experiment_update_sweep(x, published, e))
		return false;
	if (x->work == WORK_DELEGATED) /* the catalog checks it when the others are loaded */
		return true;
	int variant = x->lua->variant;
	for (int i = variant < 0 ? 0 : x->params[variant].choice_count - 1; i >= 0; i--) {
		if (variant >= 0)
			published[variant] = i;
		if (!check_point_job(x, published, e))
			return false;
	}
	return check_point_job(x, reduced, e) && check_reduced_targets(x, e) &&
		definition_check_reading_names(x, reduced, e);
}

static bool check_own_presets(struct experiment *x, struct err *e)
{
	char field[40], where[700], name[40];
	struct err why;
	for (int i = 0; i < x->preset_count; i++) {
		struct plan p;
		snprintf(field, sizeof field, "presets[%d]", i + 1);
		snprintf(name, sizeof name, "@%s", x->presets[i].id);
		plan_init_default(&p, x, false, "");
		bool ok = plan_apply_preset(&p, name, &why);
		plan_free(&p);
		if (!ok)
			return err_set(e, ST_REQUEST, "%s: %s",
				definition_format_location(x, field, where, sizeof where), why.text);
	}
	return true;
}

struct experiment *experiment_load(const char *path, struct err *e)
{
	struct experiment *x = xcalloc(1, sizeof *x);
	struct buf text = {0};
	x->x = -1;
	bool ok = set_id_from_path(x, path, e) && definition_read_file(path, &text, e) &&
		read_definition_text(x, &text, e) && check_default_points(x, e) && check_own_presets(x, e);
	buf_free(&text);
	if (ok)
		return x;
	experiment_free(x);
	return NULL;
}

void experiment_free(struct experiment *x)
{
	if (!x)
		return;
	definition_free(x->lua);
	free(x->own_texts);
	free(x);
}

char *definition_format_location(const struct experiment *x, const char *field, char *out, size_t size)
{
	int line = source_line_of(x->lua->lines, field);
	if (line)
		snprintf(out, size, "%s:%d: %s", x->path, line, field);
	else
		snprintf(out, size, "%s: %s", x->path, field);
	return out;
}
