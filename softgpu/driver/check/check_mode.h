/* SOFTGPU_CHECK: what is checked while kernels run, a list such as "memory,leak". Not set or empty: nothing. */
#ifndef SOFTGPU_DRIVER_CHECK_CHECK_MODE_H
#define SOFTGPU_DRIVER_CHECK_CHECK_MODE_H

#include <stdbool.h>

/* Whether the program's allocations are tracked: the list has "memory" or "leak". Any thread. */
bool check_tracks_memory(void);

#endif
