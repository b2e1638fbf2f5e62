/* Parts of `devices`. */
#ifndef TUI_COMMAND_DEVICES_H
#define TUI_COMMAND_DEVICES_H

#include <stdbool.h>

/* Runs the self-test (gpu/selftest.h) and prints each result as it comes. Status 1 when one is bad. */
int command_devices_test(const char *device, bool json);

#endif
