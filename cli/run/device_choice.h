/* The devices that a command line names with --device, which may be repeated. */
#ifndef CLI_RUN_DEVICE_CHOICE_H
#define CLI_RUN_DEVICE_CHOICE_H

#include "base/err.h"
#include "gpu/backends/backend.h"

enum { CHOICE_MAX = 64 };

struct device_choice {
	char *names[CHOICE_MAX];
	int count;
};

/* `named`: NULL after the last. "hip:*" means all devices of this backend that the machine has. Without any name: all
 * GPUs of the machine if `all`, otherwise the default device. Checks the names. Freed by device_choice_free, even on
 * failure. */
bool device_choice_make(struct device_choice *c, const char *const *named, bool all, struct err *e);
void device_choice_free(struct device_choice *c);

#endif
