/* Device memory: KFD's memory calls, and the core's page mappings.
 *
 * VRAM addresses come from this module's own allocator (small buffers from the top, large ones from the bottom, aligned
 * to 2 MiB), so caches and channels see the same addresses in every run. Host pages are committed on first access and
 * returned on free. Freed memory reads as zeros when it is allocated again, because the Linux driver clears it. */
#ifndef SOFTGPU_DRIVER_KFD_KFD_MEMORY_H
#define SOFTGPU_DRIVER_KFD_KFD_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct softgpu_device;
struct kfd_alloc_memory;

void kfd_memory_reset_in_child(void);

/* 0 or an errno. Mapping changes never wait for a running launch: they reach the core before the next packet, or when
 * the launch accesses an unmapped address. */
int kfd_memory_alloc(struct kfd_alloc_memory *args);
int kfd_memory_free(uint64_t handle);
int kfd_memory_map(uint64_t handle, struct softgpu_device *on);
int kfd_memory_unmap(uint64_t handle, struct softgpu_device *on);

/* Applies pending changes to the core. The caller holds the device lock. */
void kfd_memory_flush_mappings(void);

struct kfd_memory_usage {
	uint64_t vram_total, vram, gtt;
};
struct kfd_memory_usage kfd_memory_usage(const struct softgpu_device *d);
/* Bytes of host memory that the memory of all GPUs occupies, and the limit. Above it the device thread aborts the
 * program. */
uint64_t kfd_memory_committed_bytes(void);
uint64_t kfd_memory_budget_bytes(void);
struct kfd_mapping {
	uint64_t start, size;
	uint64_t serial;  /* no other mapping of the process has had it */
	bool may_be_code; /* memory of a GPU that it may execute */
};
/* The mapping on any GPU that contains `va`; false if none. */
bool kfd_memory_find_mapping(uint64_t va, struct kfd_mapping *out);

#endif
