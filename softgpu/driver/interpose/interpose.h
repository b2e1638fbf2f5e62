/* Export a replacement of a library function, and call the original. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_INTERPOSE_H
#define SOFTGPU_DRIVER_INTERPOSE_INTERPOSE_H

#include <dlfcn.h>

#include "softgpu/driver/interpose/loaded_function.h"

#define EXPORT __attribute__((visibility("default")))
/* The function that the hook replaces, of the C library or one that the program is linked with. Looked up once per call
 * site; NULL when no later library defines it. */
#define REAL_FUNCTION(function)                                                     \
	({                                                                          \
		static __typeof__(&function) next_;                                 \
		if (!next_)                                                         \
			next_ = (__typeof__(&function))dlsym(RTLD_NEXT, #function); \
		next_;                                                              \
	})
/* The function that the hook replaces, of a ROCm library, which programs also load by themselves. In the hook itself:
 * whose function it is depends on the hook's caller. */
#define RUNTIME_FUNCTION(function)                                                                              \
	({                                                                                                      \
		static __thread struct loaded_function last_;                                                   \
		(__typeof__(&function))loaded_function_require(&last_, #function, __builtin_return_address(0)); \
	})

#endif
