/* The thread that executes the packets of all queues, one at a time. Launches of different queues run one after
 * another, unless one takes so long that it may be waiting for a kernel of another queue (launch_slots.h). */
#ifndef SOFTGPU_DRIVER_QUEUES_DEVICE_THREAD_H
#define SOFTGPU_DRIVER_QUEUES_DEVICE_THREAD_H

#include <stdbool.h>

/* Starts it, if it does not run yet. Calls must not overlap. False: the system has no room for a thread. */
bool device_thread_start(void);
/* After a fork, the child has no such thread. */
void device_thread_reset_in_child(void);

#endif
