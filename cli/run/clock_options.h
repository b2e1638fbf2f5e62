/* --lock-clocks MHZ: the clock of the devices is locked while something is measured. */
#ifndef CLI_RUN_CLOCK_OPTIONS_H
#define CLI_RUN_CLOCK_OPTIONS_H

#include "base/err.h"

#define CLOCK_OPTION_HELP                                                                                            \
	"  --lock-clocks MHZ     lock the clock of a GPU of NVIDIA while it is measured; needs root, and no other\n" \
	"                        program may use the GPU (docs/devices.md)\n"

/* Checks the text for each device, before anything is done. */
bool command_check_clocks(const char *text, char *const *devices, int count, struct err *e);
/* Locks the clock of each device, before their workers start. `text`: NULL locks none. */
bool command_lock_clocks(const char *text, char *const *devices, int count, struct err *e);
/* At the end, when no worker is left. Prints what was not given back. Returns the exit status: `status`, or a failure.
 */
int command_give_back_clocks(int status);

#endif
