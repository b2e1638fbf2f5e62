/* wavedeck's entry: a command of the table, or the workbench when there is none. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/paths.h"
#include "sessions/session.h"
#include "gpu/backends/backend.h"
#include "cli/cli_support.h"
#include "tui/shell/main_loop.h"
#include "tui/shell/screen_script.h"
#include "base/settings.h"

/* --- without a command --- */

/* `wavedeck [EXP|PATH.lua] [--device D] [--script FILE]`. The screen needs a terminal on both sides, a script none. */
static int workbench(int argc, char **argv)
{
	struct err e = {0};
	const char *device = NULL, *script = NULL, *experiment = NULL;
	struct argument_list words;
	const struct option options[] = {{"--device", &device, NULL}, {"--script", &script, NULL}, {NULL, NULL, NULL}};
	argv[0] = "wavedeck";
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	if (words.count)
		experiment = words.list[0];
	if (words.count > 1 || (words.count && command_find(experiment, NULL)))
		err_set(&e, ST_REQUEST, "write the command first: wavedeck %s ...",
			words.count > 1 ? "run" : experiment);
	free(words.list);
	if (e.text[0])
		return command_report_failure(&e);
	if (device && !device_name_check(device, &e))
		return command_report_failure(&e);
	if (script)
		return script_run(script, command_default_device(device));
	experiment = experiment ? experiment : setting_value(SETTING_EXPERIMENT);
	if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO))
		return command_run_default(experiment, device);
	return workbench_run(command_default_device(device), experiment);
}

/* A definition's path, or the id of an experiment of the catalog. */
static bool is_experiment(const char *word)
{
	size_t n = strlen(word);
	if (n > 4 && !strcmp(word + n - 4, ".lua"))
		return true;
	struct catalog c;
	char *folder = path_catalog();
	bool found = catalog_open(folder, &c, NULL, NULL, NULL) && catalog_contains(&c, word);
	catalog_free(&c);
	free(folder);
	return found;
}

static int dispatch(int argc, char **argv)
{
	struct err e = {0};
	if (argc < 2 ||
		(argv[1][0] == '-' && strcmp(argv[1], "--help") && strcmp(argv[1], "-h") &&
			strcmp(argv[1], "--version")))
		return workbench(argc, argv);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return command_help_all();
	if (!strcmp(argv[1], "--version")) {
		printf("wavedeck %s\n", WAVEDECK_VERSION);
		return ST_OK;
	}
	const struct command *c = command_find(argv[1], &e);
	if (!c && is_experiment(argv[1]))
		return workbench(argc, argv);
	return c ? c->run(argc - 1, argv + 1) : command_report_failure(&e);
}

/* Takes every --set NAME=VALUE in front of a "--" out of the words. */
static bool take_settings(int *argc, char **argv, struct err *e)
{
	int kept = 1, i = 1;
	for (; i < *argc && strcmp(argv[i], "--"); i++) {
		bool joined = !strncmp(argv[i], "--set=", 6);
		if (!joined && strcmp(argv[i], "--set")) {
			argv[kept++] = argv[i];
			continue;
		}
		if (!joined && i + 1 >= *argc)
			return err_set(
				e, ST_REQUEST, "--set wants NAME=VALUE; `wavedeck help config` lists the settings");
		if (!setting_assign(joined ? argv[i] + 6 : argv[++i], NULL, e))
			return false;
	}
	while (i < *argc)
		argv[kept++] = argv[i++];
	argv[kept] = NULL;
	*argc = kept;
	return true;
}

/* The person's files; a worker is told all it needs, and a completion has half a line. */
static bool take_configuration(int *argc, char **argv, struct err *e)
{
	if (*argc > 1 && (!strcmp(argv[1], "worker") || !strcmp(argv[1], "completion")))
		return true;
	if (*argc < 2 || strcmp(argv[1], "doctor")) /* that one tells mistakes in its own way */
		settings_read(NULL, NULL);
	if (!take_settings(argc, argv, e))
		return false;
	if (!setting_equals(SETTING_SESSIONS, "auto"))
		session_set_default_folder(setting_value(SETTING_SESSIONS));
	return true;
}

int main(int argc, char **argv)
{
	struct err e = {0};
	/* Characters are the user's, numbers are C's. A reader of a pipe that goes away is seen where it is written to.
	 */
	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	signal(SIGPIPE, SIG_IGN);
	return command_finish_output(
		take_configuration(&argc, argv, &e) ? dispatch(argc, argv) : command_report_failure(&e));
}
