/* SOFTGPU_CHECK: what is checked while kernels run, a list such as "memory,race". Not set or empty: nothing. */
#ifndef SOFTGPU_DRIVER_CHECK_CHECK_MODE_H
#define SOFTGPU_DRIVER_CHECK_CHECK_MODE_H

#include <stdbool.h>
#include <stddef.h>

/* Reads such a list into enum check. Unknown words are left out; then false, and `why` names the first. */
bool check_list_read(const char *list, unsigned *out, char *why, size_t size);

/* enum check; unknown words are left out, with a warning. Any thread. */
unsigned check_mode(void);
/* Whether the program's allocations are tracked. Any thread. */
bool check_tracks_memory(void);

#endif
