/* `worker`: the process that gpu/controller/worker_controller.h starts and talks to, or that gpu/clocks/clock_lock.h
 * starts to hold the clock of a device. */
#include <stdlib.h>

#include "gpu/clocks/clock_guard.h"
#include "gpu/worker/worker.h"
#include "cli/cli_support.h"

int command_worker(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	const char *device = NULL, *clock = NULL;
	const struct option options[] = {
		{"--device", &device, NULL}, {"--hold-clock", &clock, NULL}, {NULL, NULL, NULL}};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	if (!device)
		err_set(&e, ST_REQUEST, "worker needs a device: wavedeck worker --device soft:mi25");
	else if (words.count)
		err_set(&e, ST_REQUEST, "unexpected argument '%s'; see `wavedeck help worker`", words.list[0]);
	free(words.list);
	if (e.text[0])
		return command_report_failure(&e);
	return clock ? clock_guard_main(device, (unsigned)strtoul(clock, NULL, 10)) : worker_main(device);
}
