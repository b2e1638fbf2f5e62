/* The cores of the host that this process may use. */
#ifndef BASE_HOST_USABLE_CORES_H
#define BASE_HOST_USABLE_CORES_H

#include <stddef.h>

/* The least of its affinity, the quota of its control group, and what Slurm gave its job. At least 1. */
unsigned usable_cores(void);
/* Reads the beginning of a file of the host, also where open() is replaced, as in a program under the software GPU.
 * Returns the bytes read, after which `out` has a null byte; 0: none. */
size_t read_host_text(const char *path, char *out, size_t size);

#endif
