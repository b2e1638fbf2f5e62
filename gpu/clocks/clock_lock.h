/* The front end's side of locked clocks: a process for each device holds its clock (clock_guard.h) until this process
 * gives it back or ends. */
#ifndef GPU_CLOCKS_CLOCK_LOCK_H
#define GPU_CLOCKS_CLOCK_LOCK_H

#include "gpu/backends/backend.h"

/* A clock in MHz for this device, as after --lock-clocks. False with what is wrong, or with what to do instead for a
 * device whose clock is not locked. Opens nothing. */
bool clock_lock_parse(const char *text, const char *device, unsigned *mhz, struct err *e);
/* Before a worker opens the device: it would count as a process that uses it. */
bool clock_lock_take(const char *device, unsigned mhz, struct err *e);
/* Gives all clocks back, and waits for that. False with one line if one was not given back. */
bool clock_lock_release(struct err *e);

#endif
