/* Which of the processes that use a GPU are not ours. */
#ifndef GPU_BACKENDS_SMI_OTHER_PROCESSES_H
#define GPU_BACKENDS_SMI_OTHER_PROCESSES_H

#include <stddef.h>

/* Of the processes with these numbers, those that are neither this one nor its descendants, and that still exist. If
 * this one is not among them, the numbers are those of the host of a container: then all but one. */
unsigned count_other_processes(const unsigned *pids, size_t count);

#endif
