/* `run --each`: a sweep on each of several devices. */
#ifndef CLI_RUN_RUN_EACH_H
#define CLI_RUN_RUN_EACH_H

#include "cli/cli_support.h"

struct run_each {
	const struct argument_list *words;
	const char *const *devices; /* NULL after the last; none: all GPUs */
	const char *counters, *folder, *metric, *format, *lock_clocks, *stop;
	bool no_verify, trust, flush_l2;
};

/* Prints the table of devices, or an error, and returns the exit status. */
int command_run_each(const struct run_each *ask);

#endif
