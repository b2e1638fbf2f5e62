/* Chooses what a command line runs: a command of the table, a script, or the workbench. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/fatal_signals.h"
#include "base/paths.h"
#include "base/settings.h"
#include "captures/capture_file.h"
#include "cli/captured_names.h"
#include "cli/cli_support.h"
#include "cli/frontend.h"
#include "cli/own/command_new.h"
#include "cli/own/program_sweep.h"
#include "cli/run/clock_options.h"
#include "gpu/backends/backend.h"
#include "sessions/session.h"

static const struct frontend *frontend;

const struct frontend *cli_frontend(void)
{
	return frontend;
}

/* --- without a command --- */

/* An experiment that the user's settings name goes first. */
static bool opens_where_it_was_left(const char *device)
{
	return setting_is_on(SETTING_RESTORE) && !device_can(device, DEVICE_RECORDING) &&
		setting_equals(SETTING_EXPERIMENT, setting_get_info(SETTING_EXPERIMENT)->value);
}

/* With --args, what follows the program are the ranges of a sweep: its experiment takes the program's place. */
static bool sweep_program(struct argument_list *words, const struct program_options *o, char *const **program,
	const char **device, struct err *e)
{
	if (!o->args && !o->kernel)
		return true;
	for (int i = 0; *program && (*program)[i]; i++) {
		words->list = xrealloc(words->list, (size_t)(words->count + 1) * sizeof *words->list);
		words->list[words->count++] = (*program)[i];
	}
	if (!command_resolve_program(words, o, device, e))
		return false;
	words->count = 1;
	*program = NULL;
	return !setting_equals(SETTING_WORKERS, "auto") || setting_assign("workers=1", NULL, e);
}

static int start_workbench(const char *device, const char *script, const char *experiment, char *const *program)
{
	if (script)
		return frontend->run_script(script, device, experiment, program);
	if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO))
		return command_run_default(experiment ? experiment : setting_value(SETTING_EXPERIMENT), device);
	if (!experiment && !opens_where_it_was_left(device))
		experiment = setting_value(SETTING_EXPERIMENT);
	return frontend->open_workbench(device, experiment, program);
}

/* `wavedeck [--device D] [--lock-clocks MHZ] [--script FILE] [EXP|PATH.lua|CAPTURE.wbc|PROGRAM ARGUMENTS]`. Without a
 * terminal, measures the experiment instead. `program`: NULL, or the user's program in argv, where the options end. */
static int run_workbench(int argc, char **argv, char *const *program)
{
	struct err e = {0};
	const char *device = NULL, *script = NULL, *experiment = NULL, *clock = NULL;
	struct argument_list words;
	struct program_options sweep = {0};
	const struct option options[] = {{"--device", &device, NULL}, {"--script", &script, NULL},
		{"--args", &sweep.args, NULL}, {"--kernel", &sweep.kernel, NULL}, {"--lock-clocks", &clock, NULL},
		{NULL, NULL, NULL}};
	argv[0] = "wavedeck";
	if (!options_parse(options, argc, argv, &words, &e) || !command_resolve_capture(&words, &device, &e) ||
		!sweep_program(&words, &sweep, &program, &device, &e))
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
	if (!script && program && (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO))) {
		err_set(&e, ST_REQUEST, "the workbench needs a terminal; without one: wavedeck exec --profile -- %s",
			program[0]);
		return command_report_failure(&e);
	}
	device = command_default_device(device);
	if (!command_lock_clocks(clock, &(char *){(char *)device}, 1, &e))
		return command_report_failure(&e);
	return command_give_back_clocks(start_workbench(device, script, experiment, program));
}

/* True for the path of a definition, a capture or the id of an experiment in the catalog. */
static bool names_experiment(const char *word)
{
	size_t n = strlen(word);
	if ((n > 4 && !strcmp(word + n - 4, ".lua")) || capture_is_named(word))
		return true;
	struct catalog c;
	char *folder = path_catalog();
	bool found = catalog_open(folder, &c, NULL, NULL, NULL) && catalog_contains(&c, word);
	catalog_free(&c);
	free(folder);
	return found;
}

static void explain_path(const char *path, struct err *e)
{
	if (access(path, F_OK))
		err_set(e, ST_REQUEST,
			"%.200s not found; give the path of a program, an experiment (.lua) or a capture (.wbc)", path);
	else
		err_set(e, ST_REQUEST,
			"%.200s is not a program, an experiment (.lua) or a capture (.wbc); chmod +x if it is a program",
			path);
}

/* The index of the user's program, behind options of the workbench; argc: there is none. */
static int find_program(int argc, char **argv)
{
	static const char *const with_value[] = {"--device", "--script", "--args", "--kernel", "--lock-clocks"};
	int i = 1;
	while (i < argc && argv[i][0] == '-') {
		bool takes = false;
		for (size_t k = 0; k < sizeof with_value / sizeof *with_value; k++)
			takes |= !strcmp(argv[i], with_value[k]);
		i += takes ? 2 : 1;
	}
	return i < argc && command_is_program(argv[i]) ? i : argc;
}

/* `wavedeck vadd.hip`: an experiment for the kernel, and the workbench. */
static int offer_experiment(const char *source)
{
	struct err e = {0};
	char answer[16] = "";
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
		printf("%s has the source of a kernel. Write an experiment file for it, and open that? [y/N] ", source);
		fflush(stdout);
		if (!fgets(answer, sizeof answer, stdin) || (*answer != 'y' && *answer != 'Y'))
			return ST_OK;
		char *path = new_experiment_write(source, NULL, NULL, &e);
		char *words[] = {"wavedeck", path, NULL};
		int status = path ? run_workbench(2, words, NULL) : command_report_failure(&e);
		free(path);
		return status;
	}
	err_set(&e, ST_REQUEST, "%s has the source of a kernel; write an experiment file for it: wavedeck new %s",
		source, source);
	return command_report_failure(&e);
}

static int dispatch_command(int argc, char **argv)
{
	struct err e = {0};
	int program = find_program(argc, argv);
	if (program < argc)
		return run_workbench(program, argv, argv + program);
	if (argc < 2 ||
		(argv[1][0] == '-' && strcmp(argv[1], "--help") && strcmp(argv[1], "-h") &&
			strcmp(argv[1], "--version")))
		return run_workbench(argc, argv, NULL);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return command_print_overview();
	const struct command *c = command_find(strcmp(argv[1], "--version") ? argv[1] : "version", &e);
	if (!c && names_experiment(argv[1]))
		return run_workbench(argc, argv, NULL);
	if (!c && argc == 2 && path_has_suffix(argv[1], ".wbs")) {
		char *open[] = {"open", argv[1], NULL};
		return command_find("open", NULL)->run(2, open);
	}
	if (!c && path_has_suffix(argv[1], ".hip") && !access(argv[1], R_OK))
		return offer_experiment(argv[1]);
	if (!c && strchr(argv[1], '/'))
		explain_path(argv[1], &e);
	return c ? c->run(argc - 1, argv + 1) : command_report_failure(&e);
}

/* --- settings --- */

static bool check_device_setting(const char *value, struct err *e)
{
	return !strcmp(value, "auto") || device_name_check(value, e);
}

/* Applies every --set NAME=VALUE before a "--" and removes it from the arguments. */
static bool apply_set_options(int *argc, char **argv, struct err *e)
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
				e, ST_REQUEST, "--set needs NAME=VALUE; `wavedeck help config` lists the settings");
		if (!setting_assign(joined ? argv[i] + 6 : argv[++i], NULL, e))
			return false;
	}
	while (i < *argc)
		argv[kept++] = argv[i++];
	argv[kept] = NULL;
	*argc = kept;
	return true;
}

/* Reads the user's settings and the --set options. A worker gets all it needs as arguments, and a completion has an
 * incomplete command line: both skip this. */
static bool load_configuration(int *argc, char **argv, struct err *e)
{
	if (*argc > 1 && (!strcmp(argv[1], "worker") || !strcmp(argv[1], "completion")))
		return true;
	if (*argc < 2 || strcmp(argv[1], "doctor")) /* the doctor reads them itself and reports mistakes as checks */
		settings_read(NULL, NULL);
	if (!apply_set_options(argc, argv, e))
		return false;
	if (!setting_equals(SETTING_SESSIONS, "auto"))
		session_set_default_folder(setting_value(SETTING_SESSIONS));
	return true;
}

int cli_main(int argc, char **argv, const struct frontend *f)
{
	struct err e = {0};
	frontend = f;
	if (argc < 2 || strcmp(argv[1], "worker")) /* a worker's signals belong to its backend */
		fatal_signals_catch();
	setting_set_check(SETTING_DEVICE, check_device_setting);
	setting_set_check(SETTING_WORKERS, worker_count_check);
	setting_set_check(SETTING_THEME, f->theme_exists);
	return command_finish_output(
		load_configuration(&argc, argv, &e) ? dispatch_command(argc, argv) : command_report_failure(&e));
}
