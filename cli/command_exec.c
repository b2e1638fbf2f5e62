/* `exec`: any HIP program on the software GPU. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "gpu/backends/backend.h"
#include "gpu/controller/device_list.h"
#include "gpu/protocol/record.h"
#include "gpu/softgpu-link/model_table.h"
#include "gpu/softgpu-link/softenv.h"
#include "gpu/protocol/header_record.h"
#include "cli/check/checked_program.h"
#include "cli/cli_support.h"

/* What `exec` does with the program; libsoftgpu.so reads it from the environment (softgpu_env_watch). A worker that
 * measures a program gives --sums. */
struct exec_options {
	const char *model;
	struct exec_watch watch;
	struct check_request check;
};

enum { THREADS_MAX = 64 /* the range of the constant `threads` */ };

static bool is_thread_count(const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);
	return end != text && !*end && n >= 1 && n <= THREADS_MAX;
}

/* What follows the program's name is the program's. NULL after --help, or with an error. */
static char **parse_exec_arguments(int argc, char **argv, struct exec_options *o, struct err *e)
{
	struct argument_list words;
	const struct option options[] = {{"--model", &o->model, NULL}, {"--timeline", &o->watch.timeline, NULL},
		{"--virtual-clock", NULL, &o->watch.virtual_clock}, {"--no-progress", NULL, &o->watch.no_progress},
		{"--profile", NULL, &o->watch.profile}, {"--threads", &o->watch.threads, NULL},
		{"--sums", &o->watch.sums, NULL}, CHECK_OPTIONS(o->check), {NULL, NULL, NULL}};
	int own = options_count_own(options, argc, argv);
	check_request_take_list(&o->check, own, argv);
	if (!options_parse(options, own, argv, &words, e))
		return NULL;
	free(words.list);
	if (o->watch.threads && !is_thread_count(o->watch.threads)) {
		err_set(e, ST_REQUEST, "--threads must be 1 to %d, not '%.40s'", THREADS_MAX, o->watch.threads);
		return NULL;
	}
	argv += own + (own < argc && !strcmp(argv[own], "--"));
	if (!*argv) {
		err_set(e, ST_REQUEST, "exec needs a program: wavedeck exec -- rocminfo");
		return NULL;
	}
	return argv;
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
	struct check_plan check = {0};
	char **program = parse_exec_arguments(argc, argv, &o, &e);
	if (!program || !check_plan_make(&o.check, &check, &e)) {
		check_plan_free(&check);
		return command_report_failure(&e);
	}
	const char *model = o.model && *o.model ? device_rest(o.model) : NULL;
	char *own = model ? NULL : softgpu_choose_model(program[0]);
	signal(SIGPIPE, SIG_DFL); /* the program gets the defaults again */
	signal(SIGXFSZ, SIG_DFL);
	if (own || (model && softgpu_check_model(model, NULL))) /* one GPU */
		warn_without_hip(own ? own : model);
	free(own);
	if (o.watch.sums) /* the result is for the process that started this one */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	int status = check.checks ? checked_program_run(&check, model, &o.watch, program, &e)
				  : softgpu_exec(model, &o.watch, program, &e);
	check_plan_free(&check);
	return *e.text ? command_report_failure(&e) : status;
}
