/* KFD events: what host threads sleep on. Any thread. */
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

/* Raises every memory event: a kernel touched `va`, which is not mapped (or not for writing). */
void kfd_events_raise_memory_fault(uint64_t va, bool mapped, bool write);

#endif
