/* Interposed functions of HIP for memory in the order of a stream. HIP takes it from pools, which reuse it without a
 * call of HSA. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "softgpu/driver/check/allocation_calls.h"
#include "softgpu/driver/check/check_mode.h"
#include "softgpu/driver/interpose/interpose.h"

typedef int malloc_async_fn(void **, size_t, void *);
typedef int malloc_from_pool_fn(void **, size_t, void *, void *);
typedef int free_async_fn(void *, void *);
EXPORT malloc_async_fn hipMallocAsync;
EXPORT malloc_from_pool_fn hipMallocFromPoolAsync;
EXPORT free_async_fn hipFreeAsync;

static void end_call(const char *how, int status, void *const *out, size_t bytes)
{
	allocation_call_end_at(how, status, status ? 0 : (uintptr_t)*out, bytes);
}

int hipMallocAsync(void **out, size_t bytes, void *stream)
{
	malloc_async_fn *next = RUNTIME_FUNCTION(hipMallocAsync);
	int status;

	if (!check_tracks_memory())
		return next(out, bytes, stream);
	allocation_call_begin();
	status = next(out, bytes, stream);
	end_call("hipMallocAsync", status, out, bytes);
	return status;
}

int hipMallocFromPoolAsync(void **out, size_t bytes, void *pool, void *stream)
{
	malloc_from_pool_fn *next = RUNTIME_FUNCTION(hipMallocFromPoolAsync);
	int status;

	if (!check_tracks_memory())
		return next(out, bytes, pool, stream);
	allocation_call_begin();
	status = next(out, bytes, pool, stream);
	end_call("hipMallocFromPoolAsync", status, out, bytes);
	return status;
}

typedef int synchronize_fn(void *);
typedef int is_capturing_fn(void *, int *);

/* Kernels before it in the stream may still use the memory, so the free waits for them. False: the stream is captured,
 * and runs later. */
static bool finish_stream(void *stream, const void *caller)
{
	is_capturing_fn *is_capturing = (is_capturing_fn *)loaded_function_find("hipStreamIsCapturing", caller);
	synchronize_fn *synchronize = (synchronize_fn *)loaded_function_find("hipStreamSynchronize", caller);
	int captures = 0;

	if (is_capturing && (is_capturing(stream, &captures) || captures))
		return false;
	return synchronize && !synchronize(stream);
}

int hipFreeAsync(void *memory, void *stream)
{
	free_async_fn *next = RUNTIME_FUNCTION(hipFreeAsync);
	int status;

	if (!check_tracks_memory() || !finish_stream(stream, __builtin_return_address(0)))
		return next(memory, stream);
	free_call_begin_now((uintptr_t)memory);
	status = next(memory, stream);
	free_call_end(status);
	return status;
}
