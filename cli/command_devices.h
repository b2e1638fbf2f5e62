/* The self-test part of `devices`. */
#ifndef CLI_COMMAND_DEVICES_H
#define CLI_COMMAND_DEVICES_H

#include <stdbool.h>

/* Runs the self-test (gpu/controller/selftest.h) and prints each result. Returns the exit status: ST_FAILED if a result
 * is bad. */
int command_devices_test(const char *device, bool json);

#endif
