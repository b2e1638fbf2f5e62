/* Device memory: what KFD's memory calls hand out, and the core's view of it.
 *
 * VRAM addresses come from an allocator of our own (small pieces from the top, large ones from the bottom at 2 MiB), so
 * that caches and channels see the same addresses in every run. Host pages are committed as they are touched and given
 * back when freed; freed memory reads as zeros when allocated again, as the driver clears it.
 */
#ifndef SOFTGPU_DRIVER_KFD_KFD_MEMORY_H
#define SOFTGPU_DRIVER_KFD_KFD_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct softgpu_device;
struct kfd_alloc_memory;

bool kfd_memory_init(struct softgpu_device *d);
void kfd_memory_reset_in_child(void);

/* 0 or an errno. Mapping changes never wait for a running launch: they reach the core before the next packet, or when
 * the launch misses them. */
int kfd_memory_alloc(struct kfd_alloc_memory *args);
int kfd_memory_free(uint64_t handle);
int kfd_memory_map(uint64_t handle);
int kfd_memory_unmap(uint64_t handle);

/* Hands pending changes to the core. Caller holds the device lock. */
void kfd_memory_flush_mappings(void);

struct kfd_memory_usage {
	uint64_t vram_total, vram, gtt;
};
struct kfd_memory_usage kfd_memory_usage(void);
/* Host bytes the device's memory really takes, and the most it may. Over it the device thread stops the program. */
uint64_t kfd_memory_committed_bytes(void);
uint64_t kfd_memory_budget_bytes(void);
/* Start and size of the mapping that holds `va`; false when none does. */
bool kfd_memory_find_mapping(uint64_t va, uint64_t *start, uint64_t *size);

#endif
