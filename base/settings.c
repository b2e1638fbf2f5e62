#include "base/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/buf.h"
#include "base/input_file.h"
#include "base/paths.h"

#define ROW(id, name, kind, value, values, help) {name, kind, value, values, help},
static const struct setting_info rows[SETTING_COUNT] = {SETTINGS(ROW)};
#undef ROW
static char *changed[SETTING_COUNT]; /* NULL: the setting has its default */
static setting_check *checks[SETTING_COUNT];

const struct setting_info *setting_get_info(int i)
{
	return i >= 0 && i < SETTING_COUNT ? &rows[i] : NULL;
}

const char *setting_value(enum setting s)
{
	return changed[s] ? changed[s] : rows[s].value;
}

bool setting_is_on(enum setting s)
{
	return !strcmp(setting_value(s), "on");
}

int setting_int_value(enum setting s)
{
	return atoi(setting_value(s));
}

bool setting_equals(enum setting s, const char *choice)
{
	return !strcmp(setting_value(s), choice);
}

/* --- checking --- */

void setting_set_check(enum setting s, setting_check *check)
{
	checks[s] = check;
}

static bool find_setting(const char *name, enum setting *out, struct err *e)
{
	const char *names[SETTING_COUNT];
	for (int i = 0; i < SETTING_COUNT; i++) {
		names[i] = rows[i].name;
		*out = (enum setting)i;
		if (!strcmp(name, names[i]))
			return true;
	}
	const char *near = find_nearest_name(name, names, SETTING_COUNT);
	return err_set(e, ST_REQUEST, "unknown setting '%.40s'; %s%s%s`wavedeck help config` lists them", name,
		near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
}

/* `choices` is "a|b|c". */
static bool is_choice(const char *choices, const char *value)
{
	size_t n = strlen(value);
	for (const char *c = choices; n && !strchr(value, '|'); c++) {
		if (!strncmp(c, value, n) && (!c[n] || c[n] == '|'))
			return true;
		if (!(c = strchr(c, '|')))
			break;
	}
	return false;
}

static bool check_value(enum setting s, const char *value, struct err *e)
{
	const struct setting_info *r = &rows[s];
	int low = 0, high = 0;
	char *end;
	if (!*value)
		return err_set(e, ST_REQUEST, "%s needs a value: %s", r->name, r->values);
	if ((r->kind == SETTING_SWITCH || r->kind == SETTING_CHOICE) && !is_choice(r->values, value))
		return err_set(e, ST_REQUEST, "%s must be %s, not '%.40s'", r->name, r->values, value);
	if (r->kind == SETTING_NUMBER && sscanf(r->values, "%d..%d", &low, &high) == 2) {
		long v = strtol(value, &end, 10);
		if (*end || v < low || v > high)
			return err_set(
				e, ST_REQUEST, "%s must be a number in %s, not '%.40s'", r->name, r->values, value);
	}
	return !checks[s] || checks[s](value, e);
}

bool setting_set(const char *name, const char *value, enum setting *which, struct err *e)
{
	enum setting s;
	if (!find_setting(name, &s, e) || !check_value(s, value, e))
		return false;
	free(changed[s]);
	changed[s] = strcmp(value, rows[s].value) ? xstrdup(value) : NULL;
	if (which)
		*which = s;
	return true;
}

bool setting_assign(const char *text, enum setting *which, struct err *e)
{
	const char *equals = strchr(text, '=');
	if (!equals)
		return err_set(
			e, ST_REQUEST, "'%.60s' is not NAME=VALUE; write a setting as, for example, theme=light", text);
	char *name = xasprintf("%.*s", (int)(equals - text), text);
	bool ok = setting_set(name, equals + 1, which, e);
	free(name);
	return ok;
}

/* --- the user's file --- */

static bool apply_setting_line(void *ctx, char *name, char *value, struct err *e)
{
	(void)ctx;
	return setting_set(name, value, NULL, e);
}

bool settings_read(conf_error_handler *bad, void *ctx)
{
	char *path = path_user_config("config");
	bool exists = conf_read(path, apply_setting_line, NULL, bad ? bad : conf_log_error, ctx);
	free(path);
	return exists;
}

enum { SETTINGS_FILE_MAX = 1 << 20 };

static bool line_sets(const char *line, const char *name)
{
	size_t n = strlen(name);
	line += strspn(line, " \t");
	return !strncmp(line, name, n) && line[n + strspn(line + n, " \t")] == '=';
}

/* Copies the lines and replaces each line of a setting with its current value. */
static void format_settings_file(char *lines, struct buf *out)
{
	bool written[SETTING_COUNT] = {0};
	for (char *line; (line = strsep(&lines, "\n"));) {
		int s = 0;
		while (s < SETTING_COUNT && !line_sets(line, rows[s].name))
			s++;
		if (s < SETTING_COUNT && !written[s])
			buf_printf(out, "%s = %s\n", rows[s].name, setting_value((enum setting)s));
		else if (s == SETTING_COUNT && (lines || *line)) /* nothing follows the last newline */
			buf_printf(out, "%s\n", line);
		if (s < SETTING_COUNT)
			written[s] = true;
	}
	for (int s = 0; s < SETTING_COUNT; s++)
		if (changed[s] && !written[s])
			buf_printf(out, "%s = %s\n", rows[s].name, changed[s]);
}

static void write_buffer(FILE *out, const void *text)
{
	const struct buf *b = text;
	fwrite(b->data, 1, b->len, out);
}

bool settings_save(char **path, struct err *e)
{
	char *folder = path_user_config("");
	struct buf before = {0}, text = {0};
	const char *why;
	*path = path_user_config("config");
	bool ok = path_make_directories(folder, e) &&
		(input_file_read(*path, SETTINGS_FILE_MAX, &before, &why) || errno == ENOENT ||
			err_set(e, ST_FAILED, "cannot read %s: %s", *path, why));
	if (ok) {
		format_settings_file(before.data, &text);
		ok = file_write_atomic(*path, write_buffer, &text, "", e);
	}
	buf_free(&before);
	buf_free(&text);
	free(folder);
	return ok;
}
