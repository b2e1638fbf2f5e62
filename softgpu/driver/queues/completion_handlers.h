/* Handlers that the program, mostly HIP, registers for values of signals: hsa_amd_signal_async_handler. A thread of the
 * driver calls them. The runtime's own thread spins for 200 us before each sleep, which costs more than a small kernel;
 * this one sleeps until the device stores a value. */
#ifndef SOFTGPU_DRIVER_QUEUES_COMPLETION_HANDLERS_H
#define SOFTGPU_DRIVER_QUEUES_COMPLETION_HANDLERS_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/abi/aql.h"

/* Returns true to stay registered. */
typedef bool completion_handler_fn(int64_t value, void *argument);
struct completion_handler {
	uint64_t signal; /* address of its amd_signal */
	enum hsa_signal_condition condition;
	int64_t compare;
	completion_handler_fn *function;
	void *argument;
};

/* False if there is no memory or no thread for it. */
bool completion_handlers_add(const struct completion_handler *h);
/* Forgets those of a signal; 0: all of them, and waits for the one that is running. */
void completion_handlers_drop(uint64_t signal);
/* In a forked child, which has no thread. */
void completion_handlers_reset_in_child(void);

#endif
