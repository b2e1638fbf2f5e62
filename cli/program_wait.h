/* Runs a program on the software GPU as a child, and waits until it ends. */
#ifndef CLI_PROGRAM_WAIT_H
#define CLI_PROGRAM_WAIT_H

#include "base/err.h"
#include "gpu/softgpu-link/softenv.h"

/* `model` and `w` as for softgpu_exec. The program gets the terminal's Ctrl-C, and what else would end this process,
 * which then goes on with the result; afterward command_catch_interrupts is in effect. Returns the program's exit
 * status as the shell gives it, 128 and the signal's number if one ended it; -1 with an error if it cannot start. */
int program_run_and_wait(const char *model, const struct exec_watch *w, char **argv, struct err *e);

#endif
