/* Export a replacement of a library function, and call the original. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_INTERPOSE_H
#define SOFTGPU_DRIVER_INTERPOSE_INTERPOSE_H

#include <dlfcn.h>

#define EXPORT __attribute__((visibility("default")))
/* The function that the hook replaces. Looked up once per call site; NULL when no later library defines it. */
#define REAL_FUNCTION(function)                                                     \
	({                                                                          \
		static __typeof__(&function) next_;                                 \
		if (!next_)                                                         \
			next_ = (__typeof__(&function))dlsym(RTLD_NEXT, #function); \
		next_;                                                              \
	})

#endif
