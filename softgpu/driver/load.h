/* How busy the device has been in the last second of host time. */
#ifndef SOFTGPU_DRIVER_LOAD_H
#define SOFTGPU_DRIVER_LOAD_H

#include <stdint.h>

/* The device worked from `start` to `end`, ns of CLOCK_MONOTONIC; later ones come later. Device thread. */
void load_add(uint64_t start, uint64_t end);
int64_t load_percent(void); /* any thread */
void load_forget(void);

#endif
