#include "cli/own/native_question.h"

#include <stdio.h>
#include <unistd.h>

#include "base/paths.h"
#include "cli/cli_support.h"
#include "experiments/definition/native_permission.h"

static bool ask_for_native(const struct experiment *x, const char *text)
{
	char answer[16] = "";
	int lines = 0;
	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	progress_clear();
	fprintf(stderr,
		"wavedeck: %s runs native code of %s (%d lines), outside of the sandbox and with your rights [y/N] ",
		path_basename(x->path), x->native, lines);
	fflush(stderr);
	return fgets(answer, sizeof answer, stdin) && (*answer == 'y' || *answer == 'Y');
}

static bool decide_native(const struct experiment *x, const char *text, bool trust, struct err *e)
{
	bool terminal = isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
	if (trust || (terminal && ask_for_native(x, text)))
		return native_source_allow(x->native, text, e);
	return err_set(e, ST_REQUEST,
		terminal ? "%s runs native code of %s, which you have not allowed; --no-verify measures without it"
			 : "%s runs native code of %s; --trust allows it, --no-verify measures without it",
		path_basename(x->path), x->native);
}

bool command_allow_native(const struct experiment *x, bool trust, struct err *e)
{
	struct buf text = {0};
	if (!*x->native)
		return true;
	bool ok = native_source_read(x, &text, e) &&
		(native_source_is_allowed(x->native, text.data) || decide_native(x, text.data, trust, e));
	buf_free(&text);
	return ok;
}
