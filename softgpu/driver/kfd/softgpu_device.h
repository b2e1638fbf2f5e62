/* The GPUs as opened by this process: their files, their memory and the lock that protects the core.
 *
 * Device files are memory files, so every mmap of the libraries works in the real kernel. The file behind a GPU's
 * render node is its memory itself: VRAM from offset 0, host memory that the GPUs can access (GTT) from GTT_OFFSET. */
#ifndef SOFTGPU_DRIVER_KFD_SOFTGPU_DEVICE_H
#define SOFTGPU_DRIVER_KFD_SOFTGPU_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/softgpu.h"
#include "softgpu/core/model_config.h"
#include "softgpu/core/time_types.h"
#include "softgpu/driver/kfd/va_allocator.h"
#include "softgpu/driver/queues/launch_slots.h"
#include "softgpu/driver/time/virtual_clock.h"

/* The render node of GPU i is DEVICE_FILE_RENDER + i. */
enum device_file { DEVICE_FILE_NONE, DEVICE_FILE_KFD, DEVICE_FILE_RENDER };

#define GTT_OFFSET (UINT64_C(1) << 38)
#define GTT_BYTES  (UINT64_C(1) << 38)
/* Then which ranges other processes may open (shared_memory.h). */
#define SHARED_TABLE_OFFSET (GTT_OFFSET + GTT_BYTES)
#define DEVICE_MEMORY_NAME  "softgpu-memory"
/* A GPU's doorbells in the kfd file. libhsakmt ORs the queue's offset into the low 32 bits, which must be 0. */
#define DOORBELL_OFFSET(gpu) ((UINT64_C(1) + (gpu)) << 32)
#define DOORBELL_BYTES       8192
#define HDP_REMAP_OFFSET     UINT64_C(0x80000) /* the remapped HDP flush registers; writes to them have no effect */

#define LDS_APERTURE     UINT64_C(0x1000000000000)
#define SCRATCH_APERTURE UINT64_C(0x2000000000000)

struct gpu_memory { /* of one GPU, for kfd_memory.c */
	struct va_allocator vram, gtt;
	uint64_t vram_total, vram_used, gtt_used;
};

struct resident_kernels { /* of one GPU, for resident_kernels.c */
	unsigned count;
	bool overlapped; /* since the first one began, there were several */
	ns_t begin_ns;   /* device time when the first one began, and the cycle of the core clock */
	cycle_t begin_cycle;
	cycle_t clock_at; /* the GPU's clock is that of this cycle since then */
	ns_t host_ns;     /* time of the simulation since then */
};

struct softgpu_device { /* one GPU */
	unsigned index;
	uint32_t gpu_id; /* KFD's */
	struct model model;
	struct gpu *gpu; /* call only under device_lock */
	int render;
	uint8_t *memory; /* the render file, GTT_OFFSET + GTT_BYTES mapped */
	uint64_t *doorbells;
	struct virtual_clock clock;
	ns_t latest_ns, compute_free_ns; /* queue_clock.h: of all queues; when the last kernel ends */
	struct gpu_memory space;
	struct launch_slot slots[LAUNCH_SLOTS];
	struct resident_kernels kernels;
	struct gws_resources gws; /* of this process; kernels initialize them */
};

/* The first GPU, or NULL while the device is not open. Does not open it. After fork, the child has no open device. */
struct softgpu_device *device_get(void);
/* GPU `i`, or the one with KFD's id; NULL if there is none, or the device is not open. */
struct softgpu_device *device_at(unsigned i);
struct softgpu_device *device_find(uint32_t gpu_id);
/* A new descriptor of a device file. Opens all GPUs on first use. -1 with errno. */
int device_open_file(enum device_file file, int flags);
enum device_file device_file_from_fd(int fd);

/* Launches and mapping changes run under this lock. The device thread lets other threads in between packets. */
void device_lock(void);
bool device_trylock(void);
bool device_lock_timed(ns_t ns); /* false on timeout */
void device_unlock(void);
/* Device thread: as device_lock, but lets waiting threads go first. */
void device_lock_yielding(void);

#endif
