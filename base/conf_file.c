#include "base/conf_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/log.h"

static char *trim(char *text)
{
	text += strspn(text, " \t");
	size_t n = strlen(text);
	while (n && strchr(" \t\r\n", text[n - 1]))
		text[--n] = 0;
	return text;
}

static void tell(const char *path, int line, const char *what, conf_error_handler *bad, void *bad_ctx)
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

static FILE *open_file(const char *path, struct err *e)
{
	struct stat st;
	FILE *in = fopen(path, "re");
	if (in && !fstat(fileno(in), &st) && S_ISREG(st.st_mode))
		return in;
	err_set(e, ST_REQUEST, "cannot be read: %s", in ? "it is no file" : strerror(errno));
	if (in)
		fclose(in);
	return NULL;
}

bool conf_read(const char *path, conf_line_handler *take, void *ctx, conf_error_handler *bad, void *bad_ctx)
{
	struct err e = {.text = ""};
	char *line = NULL;
	size_t size = 0;
	FILE *in = open_file(path, &e);
	if (!in) {
		if (errno != ENOENT)
			tell(path, 0, e.text, bad, bad_ctx);
		return errno != ENOENT;
	}
	for (int n = 1; getline(&line, &size, in) >= 0; n++) {
		char *name = trim(line);
		if (!*name || *name == '#')
			continue;
		char *equals = strchr(name + 1, '='); /* the key = has its own line: "= = zoom" */
		if (equals)
			*equals++ = 0;
		if (!take(ctx, trim(name), equals ? trim(equals) : name + strlen(name), &e))
			tell(path, n, e.text, bad, bad_ctx);
	}
	free(line);
	fclose(in);
	return true;
}
