/* SOFTGPU_CHECK: what is checked while kernels run, a list such as "memory,race". Not set or empty: nothing. */
#ifndef SOFTGPU_DRIVER_CHECK_CHECK_MODE_H
#define SOFTGPU_DRIVER_CHECK_CHECK_MODE_H

#include <stdbool.h>

/* enum check; unknown words are left out, with a warning. Any thread. */
unsigned check_mode(void);
/* Whether the program's allocations are tracked and get addresses that lie apart. Any thread. */
bool check_tracks_memory(void);
/* Whether they are tracked: also where launches are kept, and addresses stay as they are. Any thread. */
bool check_tracks_allocations(void);

#endif
