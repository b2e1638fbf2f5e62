/* `exec`: any HIP program on the software GPU. */
#include <signal.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "gpu/softgpu-link/softenv.h"
#include "cli/cli_support.h"

/* Does not use options_parse: everything after the program's name belongs to the program. */
static char **parse_exec_arguments(int argc, char **argv, const char **model, struct err *e)
{
	int i = 1;
	for (; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--"); i++) {
		if (!strncmp(argv[i], "--model=", 8)) {
			*model = argv[i] + 8;
		} else if (!strcmp(argv[i], "--model") && i + 1 < argc) {
			*model = argv[++i];
		} else if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			command_print_usage(command_find("exec", NULL), stdout);
			return NULL;
		} else {
			err_set(e, ST_REQUEST,
				"unknown option %s of exec; write wavedeck exec [--model mi25] -- PROGRAM", argv[i]);
			return NULL;
		}
	}
	if (i < argc && !strcmp(argv[i], "--"))
		i++;
	if (i >= argc) {
		err_set(e, ST_REQUEST, "exec needs a program: wavedeck exec -- rocminfo");
		return NULL;
	}
	return argv + i;
}

int command_exec(int argc, char **argv)
{
	struct err e = {0};
	const char *model = "mi25";
	char **program = parse_exec_arguments(argc, argv, &model, &e);
	if (!program)
		return command_report_failure(&e);
	model = device_rest(model);
	signal(SIGPIPE, SIG_DFL); /* the program gets the defaults again */
	signal(SIGXFSZ, SIG_DFL);
	int status = softgpu_exec(model, program, &e);
	command_report_failure(&e);
	return status;
}
