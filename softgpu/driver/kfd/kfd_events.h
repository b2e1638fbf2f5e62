/* KFD events, on which host threads sleep. Any thread may call these functions. */
#ifndef SOFTGPU_DRIVER_KFD_KFD_EVENTS_H
#define SOFTGPU_DRIVER_KFD_KFD_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

struct kfd_create_event;
struct kfd_wait_events;

bool kfd_events_init(void);
/* 0 or an errno. */
int kfd_event_create(struct kfd_create_event *args);
int kfd_event_destroy(uint32_t id);
int kfd_event_set(uint32_t id);
int kfd_event_reset(uint32_t id);
int kfd_events_wait(struct kfd_wait_events *args);

/* Raises every memory event: a kernel of the GPU accessed `va`, which is not mapped (or mapped read-only). */
void kfd_events_raise_memory_fault(uint32_t gpu_id, uint64_t va, bool mapped, bool write);

#endif
