/* The function that an interposed one stands in front of. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_INTERPOSE_H
#define SOFTGPU_DRIVER_INTERPOSE_INTERPOSE_H

#include <dlfcn.h>

#define EXPORT __attribute__((visibility("default")))
/* Looked up once per place of use; NULL when no library further down has it. */
#define REAL_FUNCTION(function)                                                     \
	({                                                                          \
		static __typeof__(&function) next_;                                 \
		if (!next_)                                                         \
			next_ = (__typeof__(&function))dlsym(RTLD_NEXT, #function); \
		next_;                                                              \
	})

#endif
