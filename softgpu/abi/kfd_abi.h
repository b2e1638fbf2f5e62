/* The part of KFD's kernel interface that the device implements: layouts and numbers of linux/kfd_ioctl.h,
 * version 1.11. They are repeated here because Debian ships that header without the DRM headers that it includes. "in"
 * and "out" are from the caller's point of view. */
#ifndef SOFTGPU_ABI_KFD_ABI_H
#define SOFTGPU_ABI_KFD_ABI_H

#include <stdint.h>

#define KFD_MAJOR      1
#define KFD_MINOR      11
#define KFD_IOCTL_TYPE 'K'

struct kfd_version {
	uint32_t major, minor;
};

enum kfd_queue_type { KFD_QUEUE_COMPUTE, KFD_QUEUE_SDMA, KFD_QUEUE_AQL };
#define KFD_MIN_RING_BYTES 1024
#define KFD_TOP_PERCENTAGE 100
#define KFD_TOP_PRIORITY   15

struct kfd_create_queue {
	uint64_t ring, write_pointer, read_pointer; /* in */
	uint64_t doorbell_offset;                   /* out */
	uint32_t ring_bytes, gpu_id, type, percentage, priority;
	uint32_t queue_id; /* out */
	uint64_t eop_buffer, eop_bytes, save_area;
	uint32_t save_bytes, control_stack_bytes;
};

struct kfd_destroy_queue {
	uint32_t queue_id, pad;
};
struct kfd_update_queue {
	uint64_t ring;
	uint32_t queue_id, ring_bytes, percentage, priority;
};
#define KFD_CU_MASK_BITS 1024 /* kfd_ioctl_set_cu_mask in the Linux kernel */
struct kfd_cu_mask {
	uint32_t queue_id, count;
	uint64_t bits;
};
struct kfd_queue_gws {
	uint32_t queue_id, count; /* in */
	uint32_t first, pad;      /* out */
};
struct kfd_clock_counters {
	uint64_t gpu, cpu, system, system_hz;
	uint32_t gpu_id, pad;
};

struct kfd_aperture {
	uint64_t lds_base, lds_limit, scratch_base, scratch_limit, gpuvm_base, gpuvm_limit;
	uint32_t gpu_id, pad;
};
struct kfd_apertures {
	struct kfd_aperture nodes[7];
	uint32_t count, pad;
};
struct kfd_apertures_new {
	uint64_t nodes;
	uint32_t count, pad;
};

#define KFD_EVENT_LIMIT 4096
enum kfd_event_type { KFD_EVENT_SIGNAL = 0, KFD_EVENT_DEBUG = 5, KFD_EVENT_MEMORY = 8 };

struct kfd_create_event {
	uint64_t page_offset;            /* out */
	uint32_t trigger_data;           /* out */
	uint32_t type, auto_reset, node; /* in */
	uint32_t event_id, slot;         /* out */
};
struct kfd_event_id {
	uint32_t event_id, pad;
};

struct kfd_memory_fault {
	uint32_t not_present, read_only, no_execute, imprecise;
	uint64_t va;
	uint32_t gpu_id, error_type;
};
struct kfd_event_data {
	struct kfd_memory_fault fault;
	uint64_t extension;
	uint32_t event_id, pad;
};

enum kfd_wait_result { KFD_WAIT_COMPLETE, KFD_WAIT_TIMEOUT };
#define KFD_WAIT_FOREVER UINT32_MAX
struct kfd_wait_events {
	uint64_t events;
	uint32_t count, all, timeout_ms, result;
};

struct kfd_tile_config {
	uint64_t tiles, macro_tiles;
	uint32_t tile_count, macro_tile_count, gpu_id, gb_addr_config, banks, ranks;
};
struct kfd_acquire_vm {
	uint32_t drm_fd, gpu_id;
};

enum kfd_memory_flag {
	KFD_MEMORY_VRAM = 1 << 0,
	KFD_MEMORY_GTT = 1 << 1,
	KFD_MEMORY_USER = 1 << 2,
	KFD_MEMORY_DOORBELL = 1 << 3,
	KFD_MEMORY_REMAP = 1 << 4,
	KFD_MEMORY_PUBLIC = 1 << 29, /* the host may map it */
	KFD_MEMORY_EXECUTABLE = 1 << 30,
};
#define KFD_MEMORY_WRITABLE (UINT32_C(1) << 31)

struct kfd_alloc_memory {
	uint64_t va, size;
	uint64_t handle;      /* out */
	uint64_t mmap_offset; /* in for KFD_MEMORY_USER: the host address; out for the others */
	uint32_t gpu_id, flags;
};
struct kfd_free_memory {
	uint64_t handle;
};
struct kfd_map_memory {
	uint64_t handle, devices;
	uint32_t count, done;
}; /* also for unmapping */
/* Numbers 0x80 and 0x81 are those of AMD's driver package; the Linux kernel lacks them. */
struct kfd_ipc_export {
	uint64_t handle;
	uint32_t share_handle[4]; /* out */
	uint32_t gpu_id, flags;
};
struct kfd_ipc_import {
	uint64_t handle; /* out */
	uint64_t va;
	uint64_t mmap_offset; /* out */
	uint32_t share_handle[4];
	uint32_t gpu_id;
	uint32_t flags; /* out */
};
struct kfd_smi_events {
	uint32_t gpu_id, fd;
}; /* in, out */
struct kfd_available_memory {
	uint64_t bytes; /* out */
	uint32_t gpu_id, pad;
};
struct kfd_xnack {
	int32_t enabled;
}; /* in and out; a negative value only queries */

_Static_assert(sizeof(struct kfd_create_queue) == 88, "CREATE_QUEUE");
_Static_assert(sizeof(struct kfd_cu_mask) == 16, "SET_CU_MASK");
_Static_assert(sizeof(struct kfd_queue_gws) == 16, "ALLOC_QUEUE_GWS");
_Static_assert(sizeof(struct kfd_event_data) == 48, "event data");
_Static_assert(sizeof(struct kfd_alloc_memory) == 40, "ALLOC_MEMORY_OF_GPU");
_Static_assert(sizeof(struct kfd_ipc_export) == 32, "IPC_EXPORT_HANDLE");
_Static_assert(sizeof(struct kfd_ipc_import) == 48, "IPC_IMPORT_HANDLE");
_Static_assert(sizeof(struct kfd_apertures) == 400, "GET_PROCESS_APERTURES");
_Static_assert(sizeof(struct kfd_tile_config) == 40, "GET_TILE_CONFIG");

#endif
