#include "base/conf_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/input_file.h"
#include "base/log.h"

enum { CONF_LINE_MAX = 4096 };

static char *trim_blanks(char *text)
{
	text += strspn(text, " \t");
	size_t n = strlen(text);
	while (n && strchr(" \t\r\n", text[n - 1]))
		text[--n] = 0;
	return text;
}

static void report_conf_mistake(const char *path, int line, const char *what, conf_error_handler *bad, void *bad_ctx)
{
	char *text = line ? xasprintf("%s:%d: %s", path, line, what) : xasprintf("%s: %s", path, what);
	if (bad)
		bad(bad_ctx, text);
	free(text);
}

void conf_log_error(void *ctx, const char *line)
{
	(void)ctx;
	log_printf(LOG_WARNING, "%s", line);
}

static void take_conf_line(const char *path, const struct text_line *line, conf_line_handler *take, void *ctx,
	conf_error_handler *bad, void *bad_ctx)
{
	struct err e = {.text = ""};
	char *name = trim_blanks(line->text);
	if (line->too_long)
		report_conf_mistake(path, line->number, "the line is too long; split or remove it", bad, bad_ctx);
	if (!*name || *name == '#')
		return;
	char *equals = strchr(name + 1, '='); /* the key "=" can be a name: "= = zoom" */
	if (equals)
		*equals++ = 0;
	if (!take(ctx, trim_blanks(name), equals ? trim_blanks(equals) : name + strlen(name), &e))
		report_conf_mistake(path, line->number, e.text, bad, bad_ctx);
}

bool conf_read(const char *path, conf_line_handler *take, void *ctx, conf_error_handler *bad, void *bad_ctx)
{
	struct text_line line;
	const char *why;
	int fd = input_file_open(path, &why);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) /* it cannot exist there */
		return false;
	if (fd < 0) {
		char *text = xasprintf("cannot read the file: %s", why);
		report_conf_mistake(path, 0, text, bad, bad_ctx);
		free(text);
		return true;
	}
	struct line_reader *lines = line_reader_new(fd, CONF_LINE_MAX);
	while (line_reader_next(lines, &line))
		take_conf_line(path, &line, take, ctx, bad, bad_ctx);
	if (line_reader_error(lines))
		report_conf_mistake(path, 0, strerror(line_reader_error(lines)), bad, bad_ctx);
	line_reader_free(lines);
	return true;
}
