#include "sessions/compare/accuracy_table.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/input_file.h"

static bool report_accuracy_error(const char *path, const char *what, struct err *e)
{
	return err_set(e, ST_REQUEST, "%s: %s; share/accuracy/README.md says how to write it again", path, what);
}

static const char *find_kind(const char *name)
{
	const char *kind = NULL;
	for (int i = 0; name && (kind = published_kind_at(i)) && strcmp(kind, name);)
		i++;
	return kind;
}

/* --- a file --- */
static void append_accuracy(struct accuracy_table *t, const struct accuracy *row)
{
	t->rows = xrealloc(t->rows, (size_t)(t->count + 1) * sizeof *t->rows);
	t->rows[t->count++] = *row;
}

/* An element of "kinds". That of all kinds together, and those of which each row was fitted to, are left out. */
static bool read_kind(struct accuracy_table *t, const char *device, const json_t *o, const char *path, struct err *e)
{
	const char *name = json_string_value(json_object_get(o, "kind"));
	const json_t *unfitted = json_object_get(o, "unfitted"), *rows = json_object_get(unfitted, "rows"),
		     *median = json_object_get(unfitted, "median");
	struct accuracy row = {.kind = find_kind(name), .rows = (int)json_integer_value(rows)};
	bool is_all = name && !strcmp(name, "all");
	if (!row.kind && !is_all)
		return report_accuracy_error(path, "an element of 'kinds' has no known kind", e);
	if (!json_is_integer(rows) || row.rows < 0 || (row.rows && !json_is_number(median)))
		return report_accuracy_error(path, "a kind has no number of rows, or no median of them", e);
	row.median = json_number_value(median);
	if (row.rows && row.median < 0)
		return report_accuracy_error(path, "a median is below 0", e);
	snprintf(row.device, sizeof row.device, "%s", device);
	if (row.rows && !is_all)
		append_accuracy(t, &row);
	return true;
}

static bool read_accuracy_json(struct accuracy_table *t, const json_t *o, const char *path, struct err *e)
{
	const char *device = json_string_value(json_object_get(o, "measured_on"));
	const json_t *kinds = json_object_get(o, "kinds"), *kind;
	size_t i;
	if (!device || strlen(device) >= sizeof t->rows->device || strchr(device, ','))
		return report_accuracy_error(path, "'measured_on' is not a model, such as soft:mi25", e);
	if (!json_is_array(kinds))
		return report_accuracy_error(path, "it has no list 'kinds'", e);
	json_array_foreach(kinds, i, kind)
	{
		if (!read_kind(t, device, kind, path, e))
			return false;
	}
	return true;
}

static bool read_accuracy_file(struct accuracy_table *t, const char *path, struct err *e)
{
	enum { LIMIT = 1 << 20 };
	struct buf text = {0};
	const char *why;
	if (!input_file_read(path, LIMIT, &text, &why)) {
		buf_free(&text);
		return err_set(e, ST_REQUEST, "cannot read %s: %s; reinstall wavedeck", path, why);
	}
	json_error_t error;
	json_t *o = json_loadb(text.data, text.len, JSON_REJECT_DUPLICATES, &error);
	bool ok = o ? read_accuracy_json(t, o, path, e) : report_accuracy_error(path, error.text, e);
	json_decref(o);
	buf_free(&text);
	return ok;
}

/* --- the folder --- */
static int is_json_file(const struct dirent *d)
{
	size_t n = strlen(d->d_name);
	return d->d_name[0] != '.' && n > 5 && !strcmp(d->d_name + n - 5, ".json");
}

bool accuracy_load(const char *folder, struct accuracy_table *out, struct err *e)
{
	struct dirent **names;
	bool ok = true;
	*out = (struct accuracy_table){0};
	int count = scandir(folder, &names, is_json_file, alphasort);
	if (count < 0 && errno == ENOENT) /* a program without its share/ still measures */
		return true;
	if (count < 0)
		return err_set(e, ST_REQUEST, "cannot read %s: %s; reinstall wavedeck", folder, strerror(errno));
	for (int i = 0; i < count; i++) {
		char *path = xasprintf("%s/%s", folder, names[i]->d_name);
		ok = ok && read_accuracy_file(out, path, e);
		free(path);
		free(names[i]);
	}
	free(names);
	if (!ok)
		accuracy_free(out);
	return ok;
}

bool accuracy_fits_experiment(const struct accuracy *a, const struct published *set, const char *experiment)
{
	for (int i = 0; i < set->count; i++)
		if (!strcmp(set->rows[i].experiment, experiment) && !strcmp(set->rows[i].kind, a->kind))
			return strcmp(a->kind, "count") != 0;
	return false;
}

void accuracy_free(struct accuracy_table *t)
{
	free(t->rows);
	*t = (struct accuracy_table){0};
}
