/* Tells the runtime's calls from the program's by their return address. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_RUNTIME_CALLERS_H
#define SOFTGPU_DRIVER_INTERPOSE_RUNTIME_CALLERS_H

#include <stdint.h>

enum caller {
	CALLER_PROGRAM, /* and its libraries */
	CALLER_HIP,
	CALLER_RUNTIME /* what is below HIP, and this library */
};

/* Finds the libraries that are loaded now. Meant for the start, and when the runtime opens the device. */
void runtime_callers_find(void);
enum caller runtime_caller_of(uintptr_t return_address);

#define CALLER() runtime_caller_of((uintptr_t)__builtin_return_address(0))

#endif
