/* Interposed functions of HIP that allocate and free memory: which of the runtime's allocations are the program's
 * (allocation_calls.h). */
#include <stdbool.h>
#include <stdint.h>

#include "softgpu/driver/check/allocation_calls.h"
#include "softgpu/driver/check/check_mode.h"
#include "softgpu/driver/interpose/interpose.h"

/* Their arguments are integers, pointers, and structures that are passed on the stack, of 64 bytes at most. What the
 * stack has behind them is copied, too. */
struct stack_arguments {
	uint64_t word[10];
};
typedef int hip_fn(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, struct stack_arguments);

#define ALLOCATES(name) EXPORT hip_fn name;
#define FREES(name)     EXPORT hip_fn name;
#include "softgpu/driver/check/allocation_functions.def"
#undef ALLOCATES
#undef FREES

#define ALLOCATES(name)                                                                                            \
	int name(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, struct stack_arguments s) \
	{                                                                                                          \
		hip_fn *next = RUNTIME_FUNCTION(name);                                                             \
		int status;                                                                                        \
                                                                                                                   \
		if (!check_tracks_allocations())                                                                   \
			return next(a, b, c, d, e, f, s);                                                          \
		allocation_call_begin();                                                                           \
		status = next(a, b, c, d, e, f, s);                                                                \
		allocation_call_end(#name, status);                                                                \
		return status;                                                                                     \
	}
#define FREES(name)                                                                                                \
	int name(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, struct stack_arguments s) \
	{                                                                                                          \
		hip_fn *next = RUNTIME_FUNCTION(name);                                                             \
		int status;                                                                                        \
                                                                                                                   \
		if (!check_tracks_allocations())                                                                   \
			return next(a, b, c, d, e, f, s);                                                          \
		free_call_begin(a);                                                                                \
		status = next(a, b, c, d, e, f, s);                                                                \
		free_call_end(status);                                                                             \
		return status;                                                                                     \
	}
#include "softgpu/driver/check/allocation_functions.def"
