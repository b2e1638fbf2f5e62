/* `open` and `export`: a recorded session in the formats of `run`. */
#include <stdlib.h>

#include "sessions/session.h"
#include "tui/command.h"
#include "tui/command_output.h"

static void report_state(const struct session *s, const char *path)
{
	if (s->torn)
		fprintf(stderr, "wavedeck: the last line of %s was cut off; the %zu point%s before it %s shown\n", path, s->point_count,
		        s->point_count == 1 ? "" : "s", s->point_count == 1 ? "is" : "are");
	if (s->bad_lines)
		fprintf(stderr, "wavedeck: %zu line%s of %s %s no record%s and left out\n", s->bad_lines, s->bad_lines == 1 ? "" : "s", path,
		        s->bad_lines == 1 ? "is" : "are", s->bad_lines == 1 ? "" : "s");
}

static int print_session(const char *path, enum format format)
{
	struct err e = {0};
	struct session *s = session_load(path, &e);
	if (!s)
		return command_fail(&e);
	report_state(s, path);
	struct output o = { format, stdout, s->header, s->points, s->point_count };
	output_print(&o);
	session_free(s);
	return ST_OK;
}

static int open_with(int argc, char **argv, const char *standard, unsigned allowed)
{
	struct err e = {0};
	struct words words;
	const char *text = standard;
	enum format format;
	const struct option options[] = { { "--format", &text, NULL }, { NULL, NULL, NULL } };
	if (!options_parse(options, argc, argv, &words, &e))
		return command_fail(&e);
	int status = ST_REQUEST;
	if (words.count != 1)
		err_set(&e, ST_REQUEST, "%s wants one session file; see `wavedeck help %s`", argv[0], argv[0]);
	else if (!text)
		err_set(&e, ST_REQUEST, "%s wants a format; add --format csv, json or gnuplot", argv[0]);
	else if (format_parse(text, allowed, &format, &e))
		status = print_session(words.list[0], format);
	free(words.list);
	return e.text[0] ? command_fail(&e) : status;
}

int command_open(int argc, char **argv)
{
	return open_with(argc, argv, "table", 1u << FORMAT_TABLE | 1u << FORMAT_CSV | 1u << FORMAT_JSON | 1u << FORMAT_PLOT);
}

int command_export(int argc, char **argv)
{
	return open_with(argc, argv, NULL, 1u << FORMAT_CSV | 1u << FORMAT_JSON | 1u << FORMAT_GNUPLOT);
}
