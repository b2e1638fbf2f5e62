/* `open` and `export`: a recorded session on the screen, or in an export format. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/units.h"
#include "cli/cli_support.h"
#include "cli/frontend.h"
#include "experiments/analysis/session_extras.h"
#include "experiments/definition/program/recorded_definition.h"
#include "sessions/export/exporters.h"
#include "sessions/session.h"
#include "gpu/protocol/header_record.h"
#include "gpu/protocol/point_record.h"

static void report_damage(const struct session *s, const char *path)
{
	if (s->torn)
		command_printf_error("the last line of %s is incomplete; showing the %zu point%s before it", path,
			s->points.count, plural_s(s->points.count));
	if (s->bad_lines)
		command_printf_error("skipped %zu line%s of %s that %s not a record", s->bad_lines,
			plural_s(s->bad_lines), path, s->bad_lines == 1 ? "is" : "are");
}

static bool catalog_has(const char *experiment)
{
	struct catalog c;
	if (!command_open_catalog(&c, NULL))
		return false;
	bool found = catalog_contains(&c, experiment) && catalog_find(&c, experiment, NULL);
	catalog_free(&c);
	return found;
}

static int replay_on_screen(const char *path, const char *experiment)
{
	char *device = xasprintf("replay:%s", path);
	int status = cli_frontend()->open_workbench(device, experiment, NULL);
	free(device);
	return status;
}

/* Adds the published values if the catalog has the experiment. `path` NULL: standard output. */
static int write_session(const struct session *s, enum export_format format, const char *path, bool bare)
{
	struct err e = {0};
	struct catalog c;
	bool catalog = command_open_catalog(&c, NULL);
	struct experiment *x = catalog ? catalog_find(&c, record_get_experiment(s->header), NULL) : NULL;
	struct overlay published = {0};
	struct session_extras extras = {0};
	bool draws = exporter_at(format)->contents & EXPORT_CURVES;
	if (x)
		overlay_load(&published, x);
	struct session_output o = {format, stdout, s->header, &s->points,
		draws ? session_extras_make(&extras, s->header, &s->points, x ? &published.rows : NULL) : NULL,
		isatty(STDOUT_FILENO) ? terminal_width(80) : 80, terminal_is_ascii(), s->notes, bare, s->what_if};
	bool ok = true;
	if (path)
		ok = session_output_write(&o, path, &e);
	else
		session_output_print(&o);
	session_extras_free(&extras);
	if (x)
		overlay_free(&published);
	if (catalog)
		catalog_free(&c);
	return ok ? ST_OK : command_report_failure(&e);
}

/* `format` NULL: the screen on a terminal, the table elsewhere. */
static int open_session(const char *path, const enum export_format *format, const char *out, bool bare)
{
	struct err e = {0};
	struct session *s = session_load(path, &e);
	char own[80];
	int status = ST_OK;
	if (!s)
		return command_report_failure(&e);
	report_damage(s, path);
	const char *experiment = record_get_experiment(s->header);
	bool terminal = !format && isatty(STDOUT_FILENO) && isatty(STDIN_FILENO);
	char *of_program = terminal ? program_definition_restore(s->header, &e) : NULL;
	bool known = terminal && (of_program || catalog_has(experiment));
	if (known)
		status = replay_on_screen(path, of_program ? of_program : experiment);
	else
		status = write_session(s, format ? *format : FORMAT_TABLE, out, bare);
	if (terminal && !known)
		command_printf_error(
			"the catalog has no experiment '%s'; to open the session in the workbench, name its definition: wavedeck %s --device replay:%s",
			experiment, header_format_own_experiment(s->header, own, sizeof own), path);
	free(of_program);
	session_free(s);
	return status;
}

/* --format, else the extension of the output file. Sets *given if either selects a format. */
static bool choose_format(
	const char *name, const char *out, unsigned contents, enum export_format *format, bool *given, struct err *e)
{
	*given = name || out;
	if (name)
		return exporter_find(name, contents, format, e);
	return !out || exporter_find_for_file(out, contents, format, e);
}

static int run_open_or_export(int argc, char **argv, bool export)
{
	struct err e = {0};
	struct argument_list words;
	const char *name = NULL, *out = NULL;
	enum export_format format = FORMAT_TABLE;
	unsigned contents = export ? EXPORT_TO_FILE : EXPORT_TO_TERMINAL;
	bool bare = false;
	const struct option options[] = {{"--format", &name, NULL}, {"--no-header-comments", NULL, &bare},
		{export ? "-o" : NULL, &out, NULL}, {"--output", &out, NULL}, {NULL, NULL, NULL}};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	int status = ST_REQUEST;
	bool given;
	if (words.count != 1) {
		err_set(&e, ST_REQUEST, "%s needs one session file; see `wavedeck help %s`", argv[0], argv[0]);
	} else if (!choose_format(name, out, contents, &format, &given, &e)) {
		status = e.status;
	} else if (export && !given) {
		char *names = exporter_list_names(contents, ", ", " or ");
		err_set(&e, ST_REQUEST, "export needs a format; add --format %s", names);
		free(names);
	} else {
		status = open_session(words.list[0], given ? &format : NULL, out, bare);
	}
	free(words.list);
	return e.text[0] ? command_report_failure(&e) : status;
}

int command_open(int argc, char **argv)
{
	return run_open_or_export(argc, argv, false);
}

int command_export(int argc, char **argv)
{
	return run_open_or_export(argc, argv, true);
}
