/* `exec`: any HIP program on the software GPU. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "gpu/controller/device_list.h"
#include "gpu/protocol/record.h"
#include "gpu/softgpu-link/model_table.h"
#include "gpu/softgpu-link/softenv.h"
#include "gpu/protocol/header_record.h"
#include "cli/cli_support.h"

/* What `exec` does with the program; libsoftgpu.so reads it from the environment (softgpu_env_watch). */
struct exec_options {
	const char *model;
	struct exec_watch watch;
};

/* Does not use options_parse: everything after the program's name belongs to the program. */
static char **parse_exec_arguments(int argc, char **argv, struct exec_options *o, struct err *e)
{
	int i = 1;
	for (; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--"); i++) {
		if (!strncmp(argv[i], "--model=", 8)) {
			o->model = argv[i] + 8;
		} else if (!strcmp(argv[i], "--model") && i + 1 < argc) {
			o->model = argv[++i];
		} else if (!strcmp(argv[i], "--virtual-clock")) {
			o->watch.virtual_clock = true;
		} else if (!strcmp(argv[i], "--no-progress")) {
			o->watch.no_progress = true;
		} else if (!strcmp(argv[i], "--profile")) {
			o->watch.profile = true;
		} else if (!strncmp(argv[i], "--timeline=", 11)) {
			o->watch.timeline = argv[i] + 11;
		} else if (!strcmp(argv[i], "--timeline") && i + 1 < argc) {
			o->watch.timeline = argv[++i];
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

/* HIP programs would find no GPU and not say why. Every ROCm knows the default model. */
static void warn_without_hip(const char *model)
{
	struct device_entry d = {0};
	struct soft_model list[SOFT_MODELS_MAX];
	softgpu_list_models(list);
	snprintf(d.device, sizeof d.device, "soft:%s", model);
	if (!strncmp(d.device, list[0].device, strlen(list[0].device)))
		return;
	device_probe(&d, 1);
	const char *runtime = record_get_text(device_get_versions(d.record), "runtime");
	if (*runtime)
		fprintf(stderr, "wavedeck: HIP programs find no GPU: %s: %s\n", d.device, runtime);
	json_decref(d.record);
}

int command_exec(int argc, char **argv)
{
	struct err e = {0};
	struct exec_options o = {0};
	char **program = parse_exec_arguments(argc, argv, &o, &e);
	if (!program)
		return command_report_failure(&e);
	const char *model = o.model && *o.model ? device_rest(o.model) : NULL;
	char *own = model ? NULL : softgpu_choose_model(program[0]);
	signal(SIGPIPE, SIG_DFL); /* the program gets the defaults again */
	signal(SIGXFSZ, SIG_DFL);
	if (own || (model && softgpu_check_model(model, NULL))) /* one GPU */
		warn_without_hip(own ? own : model);
	free(own);
	int status = softgpu_exec(model, &o.watch, program, &e);
	command_report_failure(&e);
	return status;
}
