/* wavedeck's entry: a command of the table, or the workbench when there is none. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/paths.h"
#include "tui/command.h"
#include "tui/screen.h"
#include "tui/script.h"

/* --- without a command --- */

static const char default_experiment[] = "range-latency";

/* `wavedeck [EXP|PATH.lua] [--device D] [--script FILE]`. The screen needs a terminal on both sides, a script none. */
static int workbench(int argc, char **argv)
{
	struct err e = {0};
	const char *device = NULL, *script = NULL, *experiment = NULL;
	struct words words;
	const struct option options[] = { { "--device", &device, NULL }, { "--script", &script, NULL }, { NULL, NULL, NULL } };
	argv[0] = "wavedeck";
	if (!options_parse(options, argc, argv, &words, &e))
		return command_fail(&e);
	if (words.count)
		experiment = words.list[0];
	if (words.count > 1 || (words.count && command_find(experiment, NULL)))
		err_set(&e, ST_REQUEST, "write the command first: wavedeck %s ...", words.count > 1 ? "run" : experiment);
	free(words.list);
	if (e.text[0])
		return command_fail(&e);
	if (device && !device_name_check(device, &e))
		return command_fail(&e);
	if (script)
		return script_main(script, device);
	if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO))
		return command_run_default(experiment ? experiment : default_experiment, device);
	return screen_main(device ? device : default_device(), experiment);
}

/* A definition's path, or the id of an experiment of the catalog. */
static bool is_experiment(const char *word)
{
	size_t n = strlen(word);
	if (n > 4 && !strcmp(word + n - 4, ".lua"))
		return true;
	struct catalog c;
	char *folder = path_catalog();
	bool found = catalog_open(folder, &c, NULL, NULL, NULL) && catalog_has(&c, word);
	catalog_free(&c);
	free(folder);
	return found;
}

static int dispatch(int argc, char **argv)
{
	struct err e = {0};
	if (argc < 2 || (argv[1][0] == '-' && strcmp(argv[1], "--help") && strcmp(argv[1], "-h") && strcmp(argv[1], "--version")))
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
	return c ? c->run(argc - 1, argv + 1) : command_fail(&e);
}

int main(int argc, char **argv)
{
	/* Characters are the user's, numbers are C's. A reader of a pipe that goes away is seen where it is written to. */
	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	signal(SIGPIPE, SIG_IGN);
	return command_finish(dispatch(argc, argv));
}
