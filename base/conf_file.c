#include "base/conf_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/log.h"

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

static FILE *open_conf_file(const char *path, struct err *e)
{
	struct stat st;
	FILE *in = fopen(path, "re");
	if (in && !fstat(fileno(in), &st) && S_ISREG(st.st_mode))
		return in;
	err_set(e, ST_REQUEST, "cannot read the file: %s", in ? "not a regular file" : strerror(errno));
	if (in)
		fclose(in);
	return NULL;
}

bool conf_read(const char *path, conf_line_handler *take, void *ctx, conf_error_handler *bad, void *bad_ctx)
{
	struct err e = {.text = ""};
	char *line = NULL;
	size_t size = 0;
	FILE *in = open_conf_file(path, &e);
	if (!in) {
		if (errno != ENOENT)
			report_conf_mistake(path, 0, e.text, bad, bad_ctx);
		return errno != ENOENT;
	}
	for (int n = 1; getline(&line, &size, in) >= 0; n++) {
		char *name = trim_blanks(line);
		if (!*name || *name == '#')
			continue;
		char *equals = strchr(name + 1, '='); /* the key "=" can be a name: "= = zoom" */
		if (equals)
			*equals++ = 0;
		if (!take(ctx, trim_blanks(name), equals ? trim_blanks(equals) : name + strlen(name), &e))
			report_conf_mistake(path, n, e.text, bad, bad_ctx);
	}
	free(line);
	fclose(in);
	return true;
}
