#include "sessions/compare/published_rows.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/input_file.h"
#include "base/units.h"

enum { FIELDS = 13, LINE_MAX_BYTES = 1200 };

static const char header[] = "params,at,work,metric,unit,value,other,rounding,clock_mhz,kind,state,source,unexplained";
static const char *const kinds[] = {
#define PUBLISHED_KIND(name) name,
#include "sessions/compare/published_kinds.def"
#undef PUBLISHED_KIND
	NULL};
static const char *const states[] = {"calibrated", "checked", "blind", NULL}; /* in the order of enum row_state */

struct reader {
	struct published *out;
	const char *path;
	char experiment[64];
	int line, first_note;      /* index of this file's first note */
	char **keys;               /* of this file's notes */
	char arch[16], device[64]; /* of the rows below */
	bool has_header;
	struct err *e;
};

static bool report_line_error(const struct reader *r, const char *what, const char *text)
{
	return err_set(r->e, ST_REQUEST, "%s:%d: %s '%.80s'", r->path, r->line, what, text);
}

/* --- fields --- */
/* Splits the line at its commas, except in quoted fields; returns the number of fields. */
static int split_fields(char *line, char *fields[FIELDS])
{
	int count = 0;
	for (char *from = line;; from++) {
		char *end = *from == '"' ? strchr(from + 1, '"') : NULL;
		char *field = end ? from + 1 : from;
		if (end)
			*end++ = 0;
		else
			end = from + strcspn(from, ",");
		if (count < FIELDS)
			fields[count] = field;
		count++;
		if (*end != ',')
			return count;
		*end = 0;
		from = end;
	}
}

static bool copy_field(const struct reader *r, char *to, size_t size, const char *text)
{
	if (strlen(text) >= size)
		return report_line_error(r, "too long:", text);
	strcpy(to, text);
	return true;
}

static bool parse_number_field(const struct reader *r, const char *text, double *out)
{
	char *end;
	*out = number_parse(text, &end);
	return (*text && !*end && isfinite(*out)) || report_line_error(r, "not a number:", text);
}

/* The index of a word in a list. */
static bool parse_word_field(const struct reader *r, const char *text, const char *const *words, int *out)
{
	int i = name_list_index(text, words);
	*out = i < 0 ? 0 : i;
	return i >= 0 || report_line_error(r, "unknown word", text);
}

static bool find_note_text(const struct reader *r, const char *key, const char **out)
{
	*out = NULL;
	if (!*key)
		return true;
	for (int i = r->first_note; i < r->out->note_count; i++)
		if (!strcmp(r->keys[i - r->first_note], key))
			*out = r->out->notes[i];
	return *out || report_line_error(r, "no earlier note has the key", key);
}

/* --- lines --- */
static bool parse_other_value(const struct reader *r, const char *text, struct published_row *row)
{
	row->other = row->value;
	if (*text && !parse_number_field(r, text, &row->other))
		return false;
	if (*text && row->other == row->value)
		return report_line_error(r, "the other value is the same:", text);
	row->low = fmin(row->value, row->other);
	row->high = fmax(row->value, row->other);
	return true;
}

static bool parse_row(const struct reader *r, char *line, struct published_row *row)
{
	static const char *const roundings[] = {"none", "truncate", "round", NULL};
	char *f[FIELDS];
	int rounding, kind, state;
	if (split_fields(line, f) != FIELDS)
		return report_line_error(r, "wrong number of fields:", line);
	if (!parse_word_field(r, f[7], roundings, &rounding) || !parse_word_field(r, f[9], kinds, &kind) ||
		!parse_word_field(r, f[10], states, &state))
		return false;
	row->rounding = (enum rounding)rounding;
	row->kind = kinds[kind];
	row->state = (enum row_state)state;
	row->line = r->line;
	snprintf(row->experiment, sizeof row->experiment, "%s", r->experiment);
	snprintf(row->arch, sizeof row->arch, "%s", r->arch);
	snprintf(row->device, sizeof row->device, "%s", r->device);
	if (*f[1] && !*f[2])
		return report_line_error(r, "'at' needs 'work', which scales the time:", f[1]);
	return copy_field(r, row->params, sizeof row->params, f[0]) && copy_field(r, row->at, sizeof row->at, f[1]) &&
		copy_field(r, row->work, sizeof row->work, f[2]) &&
		copy_field(r, row->metric, sizeof row->metric, f[3]) &&
		copy_field(r, row->unit, sizeof row->unit, f[4]) && parse_number_field(r, f[5], &row->value) &&
		parse_other_value(r, f[6], row) && (!*f[8] || parse_number_field(r, f[8], &row->clock_mhz)) &&
		copy_field(r, row->source, sizeof row->source, f[11]) &&
		(*f[11] || report_line_error(r, "missing source of", row->metric)) &&
		find_note_text(r, f[12], &row->unexplained);
}

static bool append_row(const struct reader *r, char *line)
{
	struct published *p = r->out;
	p->rows = xrealloc(p->rows, (size_t)(p->count + 1) * sizeof *p->rows);
	p->rows[p->count] = (struct published_row){0};
	return parse_row(r, line, &p->rows[p->count]) && ++p->count;
}

/* "! KEY: TEXT" */
static bool append_note(struct reader *r, const char *line)
{
	struct published *p = r->out;
	const char *key = line + 1 + strspn(line + 1, " "), *colon = strstr(key, ": ");
	if (!colon)
		return report_line_error(r, "a note must be '! KEY: TEXT', not", line);
	int mine = p->note_count - r->first_note;
	r->keys = xrealloc(r->keys, (size_t)(mine + 1) * sizeof *r->keys);
	r->keys[mine] = xasprintf("%.*s", (int)(colon - key), key);
	p->notes = xrealloc(p->notes, (size_t)(p->note_count + 1) * sizeof *p->notes);
	p->notes[p->note_count++] = xstrdup(colon + 2);
	return true;
}

/* "@ ARCH: NAME" */
static bool set_row_device(struct reader *r, const char *line)
{
	const char *arch = line + 1 + strspn(line + 1, " "), *colon = strstr(arch, ": ");
	if (!colon || strncmp(arch, "gfx", 3))
		return report_line_error(r, "a device must be '@ gfx900: NAME', not", line);
	if ((size_t)(colon - arch) >= sizeof r->arch)
		return report_line_error(r, "too long:", arch);
	snprintf(r->arch, sizeof r->arch, "%.*s", (int)(colon - arch), arch);
	return copy_field(r, r->device, sizeof r->device, colon + 2);
}

static bool parse_published_line(struct reader *r, char *line)
{
	size_t n = strlen(line);
	if (n == LINE_MAX_BYTES - 1 && line[n - 1] != '\n')
		return report_line_error(r, "line too long:", line);
	line[strcspn(line, "\r\n")] = 0;
	if (!*line || *line == '#')
		return true;
	if (*line == '!')
		return append_note(r, line);
	if (*line == '@')
		return set_row_device(r, line);
	if (r->has_header)
		return append_row(r, line);
	r->has_header = !strcmp(line, header);
	return r->has_header || report_line_error(r, "wrong header line:", line);
}

static bool read_published_file(struct published *out, const char *path, const char *name, struct err *e)
{
	struct reader r = {.out = out, .path = path, .first_note = out->note_count, .e = e};
	char line[LINE_MAX_BYTES];
	bool ok = true;
	snprintf(r.experiment, sizeof r.experiment, "%.*s", (int)(strlen(name) - 4), name);
	const char *why;
	int fd = input_file_open(path, &why);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "re");
	if (!f)
		return err_set(e, ST_REQUEST, "cannot read %s: %s; reinstall wavedeck", path, why);
	while (ok && fgets(line, sizeof line, f)) {
		r.line++;
		ok = parse_published_line(&r, line);
	}
	if (ferror(f))
		ok = err_set(e, ST_REQUEST, "cannot read %s: %s; reinstall wavedeck", path, strerror(errno));
	fclose(f);
	for (int i = r.first_note; i < out->note_count; i++)
		free(r.keys[i - r.first_note]);
	free(r.keys);
	return ok;
}

/* --- the folder --- */
static int is_csv_file(const struct dirent *d)
{
	size_t n = strlen(d->d_name);
	return d->d_name[0] != '.' && n > 4 && !strcmp(d->d_name + n - 4, ".csv");
}

bool published_load(const char *folder, struct published *out, struct err *e)
{
	struct dirent **names;
	bool ok = true;
	*out = (struct published){0};
	int count = scandir(folder, &names, is_csv_file, alphasort);
	if (count < 0)
		return err_set(e, ST_REQUEST,
			"cannot read the published values in %s: %s; run from the source tree or reinstall wavedeck",
			folder, strerror(errno));
	for (int i = 0; i < count; i++) {
		char *path = xasprintf("%s/%s", folder, names[i]->d_name);
		ok = ok && read_published_file(out, path, names[i]->d_name, e);
		free(path);
		free(names[i]);
	}
	free(names);
	if (!ok)
		published_free(out);
	return ok;
}

void published_free(struct published *p)
{
	for (int i = 0; i < p->note_count; i++)
		free(p->notes[i]);
	free(p->notes);
	free(p->rows);
	*p = (struct published){0};
}

bool published_row_fits_arch(const struct published_row *row, const char *arch)
{
	return !arch || !*row->arch || !strcmp(row->arch, arch);
}

/* --- a row --- */
const char *published_kind_at(int i)
{
	return kinds[i];
}

const char *published_state_name(enum row_state state)
{
	return states[state];
}

bool published_is_interval(const struct published_row *row)
{
	return row->low < row->high;
}

bool published_is_zero(const struct published_row *row)
{
	return row->low == 0 && row->high == 0;
}

char *published_format_value(char *out, size_t size, const struct published_row *row)
{
	char low[40], high[40];
	number_format_exact(low, sizeof low, row->low);
	number_format_exact(high, sizeof high, row->high);
	snprintf(out, size, "%s%s%s", low, published_is_interval(row) ? " to " : "",
		published_is_interval(row) ? high : "");
	return out;
}

/* --- comparing --- */
double published_round_like_source(const struct published_row *row, double measured)
{
	switch (row->rounding) {
	case ROUNDING_TRUNCATE: return trunc(measured);
	case ROUNDING_ROUND: return floor(measured + 0.5);
	default: return measured;
	}
}

double published_relative_error(const struct published_row *row, double measured)
{
	double rounded = published_round_like_source(row, measured);
	double nearest = fmin(fmax(rounded, row->low), row->high), off = rounded - nearest;
	if (nearest != 0)
		return off / fabs(nearest);
	return off == 0 ? 0 : copysign(1, off);
}
