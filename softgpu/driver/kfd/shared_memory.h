/* Device memory that processes share (KFD's IPC calls).
 *
 * A GPU's memory is the memory file behind its render node, so another process of the same user can open it below
 * /proc/PID/fd and map the same bytes. A table at the end of the file says which ranges are shared; a handle names the
 * process, its descriptor, the entry and the entry's random key. A process that has opened a range holds a lock on
 * these bytes of the file, as long as it lives or until it closes them: the owner keeps them while there is a lock. So
 * nothing is left behind, however a process ends. */
#ifndef SOFTGPU_DRIVER_KFD_SHARED_MEMORY_H
#define SOFTGPU_DRIVER_KFD_SHARED_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct softgpu_device;

#define SHARED_HANDLE_WORDS 4

struct shared_range { /* an entry of the table */
	uint64_t key; /* 0: free */
	uint64_t offset, size;
	uint32_t flags;         /* KFD_MEMORY_... */
	uint32_t runtime_flags; /* the runtime's own, for the runtime of the process that opens it */
	uint32_t gpu;
	char model[20];
};

enum { SHARED_RANGES_MAX = 4096 };
#define SHARED_TABLE_BYTES (SHARED_RANGES_MAX * sizeof(struct shared_range))

/* Enters a range of the GPU's file and makes its handle. *entry: its number. 0 or an errno. */
int shared_memory_enter(const struct softgpu_device *d, const struct shared_range *range, uint32_t *entry);
void shared_memory_make_handle(const struct softgpu_device *d, uint32_t entry, uint32_t handle[SHARED_HANDLE_WORDS]);
/* The handle is unknown from now on. */
void shared_memory_withdraw(const struct softgpu_device *d, uint32_t entry);
/* Whether a process has opened a part of this range. */
bool shared_memory_is_used(const struct softgpu_device *d, uint64_t offset, uint64_t size);

/* Opens a range of another process. *fd is its file, whose close gives the range back. 0 or an errno, after one line on
 * standard error. */
int shared_memory_open(const uint32_t handle[SHARED_HANDLE_WORDS], struct shared_range *range, int *fd);

#endif
