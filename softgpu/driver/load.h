/* How busy the device has been in the last second of host time. */
#ifndef SOFTGPU_DRIVER_LOAD_H
#define SOFTGPU_DRIVER_LOAD_H

#include <stdbool.h>
#include <stdint.h>

/* The device worked from `start` to `end`, ns of CLOCK_MONOTONIC; later ones come later. It may go on. Device thread.
 */
void load_add(uint64_t start, uint64_t end);
void load_begin(void);      /* it works from now on; device thread */
bool load_working(void);    /* any thread */
int64_t load_percent(void); /* any thread */
void load_end(void);        /* it does not; device thread */
void load_forget(void);

#endif
