/* Where exports go. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/paths.h"
#include "tui/lab/files/curve_files.h"

char *path_from_user(const char *text)
{
	const char *home = path_home();
	if (!strncmp(text, "~/", 2) && home)
		return xasprintf("%s%s", home, text + 1);
	char *here = *text == '/' ? NULL : getcwd(NULL, 0);
	char *path = here ? xasprintf("%s/%s", here, text) : xstrdup(text);
	free(here);
	return path;
}

static char *path_for_people(const char *path)
{
	char *text = path_from_user(path);
	path_abbreviate_home(text);
	return text;
}

char *export_suggest_path(const struct app *a, const char *name)
{
	char *path = a->export_folder[0] ? xasprintf("%s/%s", a->export_folder, name) : xstrdup(name),
	     *text = path_for_people(path);
	free(path);
	return text;
}

void export_report(struct app *a, const char *path, bool ok, const struct err *e)
{
	if (!ok) {
		app_show_message(a, ROLE_BAD, "%s", e->text);
		return;
	}
	char *text = path_for_people(path), *full = path_from_user(path);
	snprintf(a->export_folder, sizeof a->export_folder, "%.*s", (int)(path_basename(full) - 1 - full), full);
	app_show_message(a, ROLE_OK, "written to %s", text);
	free(text);
	free(full);
}
