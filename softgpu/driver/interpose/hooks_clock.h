/* What other hooks need to know about the threads that hooks_clock.c marks. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_HOOKS_CLOCK_H
#define SOFTGPU_DRIVER_INTERPOSE_HOOKS_CLOCK_H

#include <stdbool.h>

/* The calling thread is the runtime's event thread and runs a handler of HIP. It observes what no thread of the program
 * has waited for. */
bool hooks_in_completion_handler(void);

#endif
