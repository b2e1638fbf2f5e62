/* `open` and `export`: a recorded session on the screen, or in the formats of `run`. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "sessions/session.h"
#include "cli/cli_support.h"
#include "sessions/export/session_output.h"
#include "tui/shell/main_loop.h"

static void report_state(const struct session *s, const char *path)
{
	if (s->torn)
		fprintf(stderr, "wavedeck: the last line of %s was cut off; the %zu point%s before it %s shown\n", path,
			s->point_count, s->point_count == 1 ? "" : "s", s->point_count == 1 ? "is" : "are");
	if (s->bad_lines)
		fprintf(stderr, "wavedeck: %zu line%s of %s %s no record%s and left out\n", s->bad_lines,
			s->bad_lines == 1 ? "" : "s", path, s->bad_lines == 1 ? "is" : "are",
			s->bad_lines == 1 ? "" : "s");
}

static bool in_catalog(const char *experiment)
{
	struct catalog c;
	if (!command_open_catalog(&c, NULL))
		return false;
	bool found = catalog_contains(&c, experiment) && catalog_find(&c, experiment, NULL);
	catalog_free(&c);
	return found;
}

static int show_on_screen(const char *path, const char *experiment)
{
	char *device = xasprintf("replay:%s", path);
	int status = workbench_run(device, experiment);
	free(device);
	return status;
}

/* With the published rows where the experiment is known here. Without a path: on standard output. */
static int put_session(const struct session *s, enum output_format format, const char *path)
{
	struct err e = {0};
	struct catalog c;
	bool catalog = command_open_catalog(&c, NULL);
	struct experiment *x = catalog ? catalog_find(&c, record_get_text(s->header, "experiment"), NULL) : NULL;
	struct overlay published = {0};
	if (x)
		overlay_load(&published, x);
	struct session_output o = {format, stdout, s->header, s->points, s->point_count, x ? &published.rows : NULL};
	bool ok = true;
	if (path)
		ok = session_output_write(&o, path, &e);
	else
		session_output_print(&o);
	if (x)
		overlay_free(&published);
	if (catalog)
		catalog_free(&c);
	return ok ? ST_OK : command_report_failure(&e);
}

/* Without a format, NULL: the screen on a terminal, the table elsewhere. */
static int open_session(const char *path, const enum output_format *format, const char *out)
{
	struct err e = {0};
	struct session *s = session_load(path, &e);
	int status = ST_OK;
	if (!s)
		return command_report_failure(&e);
	report_state(s, path);
	const char *experiment = record_get_text(s->header, "experiment");
	bool terminal = !format && isatty(STDOUT_FILENO) && isatty(STDIN_FILENO),
	     known = terminal && in_catalog(experiment);
	if (known)
		status = show_on_screen(path, experiment);
	else
		status = put_session(s, format ? *format : FORMAT_TABLE, out);
	if (terminal && !known)
		fprintf(stderr,
			"wavedeck: %s is not in the catalog; on the screen with its own file: wavedeck PATH.lua --device replay:%s\n",
			experiment, path);
	session_free(s);
	return status;
}

/* By its ending: curve.svg wants no --format. */
static const char *format_of(const char *out)
{
	const char *dot = strrchr(out, '.');
	return !dot || strchr(dot, '/') ? NULL : !strcmp(dot, ".gp") || !strcmp(dot, ".plt") ? "gnuplot" : dot + 1;
}

static int open_with(int argc, char **argv, bool export, unsigned allowed)
{
	struct err e = {0};
	struct argument_list words;
	const char *text = NULL, *out = NULL;
	enum output_format format;
	const struct option options[] = {{"--format", &text, NULL}, {export ? "-o" : NULL, &out, NULL},
		{"--output", &out, NULL}, {NULL, NULL, NULL}};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	int status = ST_REQUEST;
	if (!text && out)
		text = format_of(out);
	if (words.count != 1)
		err_set(&e, ST_REQUEST, "%s wants one session file; see `wavedeck help %s`", argv[0], argv[0]);
	else if (!text && export)
		err_set(&e, ST_REQUEST, "%s wants a format; add --format csv, json, gnuplot, svg or html", argv[0]);
	else if (!text || output_format_parse(text, allowed, &format, &e))
		status = open_session(words.list[0], text ? &format : NULL, out);
	free(words.list);
	return e.text[0] ? command_report_failure(&e) : status;
}

int command_open(int argc, char **argv)
{
	return open_with(
		argc, argv, false, 1u << FORMAT_TABLE | 1u << FORMAT_CSV | 1u << FORMAT_JSON | 1u << FORMAT_PLOT);
}

int command_export(int argc, char **argv)
{
	return open_with(argc, argv, true,
		1u << FORMAT_CSV | 1u << FORMAT_JSON | 1u << FORMAT_GNUPLOT | 1u << FORMAT_SVG | 1u << FORMAT_HTML);
}
