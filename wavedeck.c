/* The main program: connects the command line (cli) with the terminal screen (tui). */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/host/json_memory.h"
#include "base/printable_output.h"
#include "cli/frontend.h"
#include "tui/shell/bindings.h"
#include "tui/shell/main_loop.h"
#include "tui/shell/screen_script.h"
#include "tui/toolkit/theme.h"

/* --- tables for help and the manual --- */

/* The place of an action that other places of its view have too, under the same name; "" for all others. */
static const char *action_place(const struct action *k)
{
	int same = 0;
	for (size_t i = 0; i < action_count(); i++)
		same += !strcmp(action_at(i)->name, k->name);
	for (int i = 0; same > 1 && views[i]; i++)
		for (int p = 0; p < views[i]->place_count; p++)
			if (k->where == view_place_scope(views[i], p))
				return views[i]->places[p].name;
	return "";
}

static bool describe_action(int i, struct frontend_entry *out)
{
	static char help[240];
	char keys[80];
	if ((size_t)i >= action_count())
		return false;
	const struct action *k = action_at((size_t)i);
	binding_format_keys(k, k->where, 4, keys, sizeof keys);
	snprintf(out->name, sizeof out->name, *keys ? "%s (%s)" : "%s", k->name, keys);
	snprintf(help, sizeof help, "%s%s%s", action_place(k), *action_place(k) ? ": " : "", k->help);
	out->help = help;
	return true;
}

static bool describe_scope(int i, struct frontend_entry *out)
{
	const char *name = scope_name(i);
	snprintf(out->name, sizeof out->name, "%s", name ? name : "");
	out->help = "";
	return name != NULL;
}

static bool describe_role(int i, struct frontend_entry *out)
{
#define ROLE_ITEM(id, name, letter, help) {name, help},
	static const struct {
		const char *name, *help;
	} roles[] = {ROLES(ROLE_ITEM)};
#undef ROLE_ITEM
	if (i >= ROLE_COUNT)
		return false;
	snprintf(out->name, sizeof out->name, "%s", roles[i].name);
	out->help = roles[i].help;
	return true;
}

static bool describe_script_line(int i, struct frontend_entry *out)
{
	const char *arguments, *name = script_command(i, &arguments, &out->help);
	if (!name)
		return false;
	snprintf(out->name, sizeof out->name, "%s%s%s", name, *arguments ? " " : "", arguments);
	return true;
}

int main(int argc, char **argv)
{
	static const struct frontend screen = {
		.open_workbench = workbench_run,
		.run_script = script_run,
		.actions = describe_action,
		.scopes = describe_scope,
		.roles = describe_role,
		.script_lines = describe_script_line,
		.list_themes = theme_list,
		.read_theme_about = theme_read_about,
		.theme_exists = theme_exists,
		.load_keys = bindings_read,
		.load_theme = theme_load,
	};
	json_memory_reuse();
	/* The user's character set, but C's number format: sessions and CSV must not depend on the locale. */
	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	signal(SIGPIPE, SIG_IGN); /* a reader that closes the pipe is noticed where it is written to */
	signal(SIGXFSZ, SIG_IGN); /* and so is the limit of `ulimit -f` */
	printable_output_start();
	return cli_main(argc, argv, &screen);
}
