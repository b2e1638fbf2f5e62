/* The functions of CUDA's driver API (libcuda) that a measurement needs, under their versioned names, loaded at run
 * time. Types and numbers: CUDA Driver API. Its headers need not be installed. */
#ifndef GPU_BACKENDS_CUDA_CUDA_DRIVER_H
#define GPU_BACKENDS_CUDA_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

typedef int cu_result;
typedef int cu_device;
typedef unsigned long long cu_pointer; /* of the device */
typedef struct CUctx_st *cu_context;
typedef struct CUmod_st *cu_module;
typedef struct CUfunc_st *cu_function;
typedef struct CUstream_st *cu_stream;
typedef struct CUevent_st *cu_event;

enum {
	CU_SUCCESS = 0,
	CU_OUT_OF_MEMORY = 2,
	CU_NO_DEVICE = 100,
	CU_INVALID_PTX = 218,
	CU_UNSUPPORTED_PTX_VERSION = 222,
	CU_NOT_READY = 600,
	CU_OUT_OF_RESOURCES = 701,
};

enum cu_attribute { /* of a device */
	CU_MAX_THREADS_PER_BLOCK = 1,
	CU_SHARED_PER_BLOCK = 8,
	CU_WARP_SIZE = 10,
	CU_REGISTERS_PER_BLOCK = 12,
	CU_CLOCK_KHZ = 13,
	CU_MULTIPROCESSORS = 16,
	CU_PCI_BUS = 33,
	CU_PCI_DEVICE = 34,
	CU_MEMORY_CLOCK_KHZ = 36,
	CU_MEMORY_BUS_BITS = 37,
	CU_L2_BYTES = 38,
	CU_THREADS_PER_MULTIPROCESSOR = 39,
	CU_PCI_DOMAIN = 50,
	CU_CAPABILITY_MAJOR = 75,
	CU_CAPABILITY_MINOR = 76,
	CU_SHARED_PER_MULTIPROCESSOR = 81,
};

enum cu_function_attribute {
	CU_FUNCTION_SHARED_BYTES = 1,
	CU_FUNCTION_LOCAL_BYTES = 3,
	CU_FUNCTION_REGISTERS = 4,
	CU_FUNCTION_MAX_DYNAMIC_SHARED = 8,
};

enum cu_jit_option { CU_JIT_MAX_REGISTERS = 0, CU_JIT_ERROR_LOG = 5, CU_JIT_ERROR_LOG_SIZE = 6, CU_JIT_LINE_INFO = 12 };
enum { CU_POINTER_MEMORY_TYPE = 2, CU_MEMORY_OF_HOST = 1, CU_WAIT_UNTIL_REACHED = 0 };
enum { CU_STREAM_NON_BLOCKING = 1, CU_EVENT_DEFAULT = 0, CU_EVENT_DISABLE_TIMING = 2 };

/* CU_FUNCTIONS(X): X(member, name in the library, parameters) */
/* clang-format off */
#define CU_FUNCTIONS(X) \
	X(init, "cuInit", (unsigned flags)) \
	X(read_version, "cuDriverGetVersion", (int *version)) \
	X(count_devices, "cuDeviceGetCount", (int *count)) \
	X(find_device, "cuDeviceGet", (cu_device *d, int index)) \
	X(read_name, "cuDeviceGetName", (char *name, int size, cu_device d)) \
	X(read_attribute, "cuDeviceGetAttribute", (int *value, int attribute, cu_device d)) \
	X(read_memory, "cuDeviceTotalMem_v2", (size_t *bytes, cu_device d)) \
	X(retain_context, "cuDevicePrimaryCtxRetain", (cu_context *c, cu_device d)) \
	X(set_context, "cuCtxSetCurrent", (cu_context c)) \
	X(read_free_memory, "cuMemGetInfo_v2", (size_t *free, size_t *total)) \
	X(alloc, "cuMemAlloc_v2", (cu_pointer *p, size_t bytes)) \
	X(free, "cuMemFree_v2", (cu_pointer p)) \
	X(alloc_host, "cuMemHostAlloc", (void **p, size_t bytes, unsigned flags)) \
	X(free_host, "cuMemFreeHost", (void *p)) \
	X(copy_to_device, "cuMemcpyHtoD_v2", (cu_pointer to, const void *from, size_t bytes)) \
	X(copy_to_host, "cuMemcpyDtoH_v2", (void *to, cu_pointer from, size_t bytes)) \
	X(copy_to_device_on, "cuMemcpyHtoDAsync_v2", (cu_pointer to, const void *from, size_t bytes, cu_stream s)) \
	X(copy_to_host_on, "cuMemcpyDtoHAsync_v2", (void *to, cu_pointer from, size_t bytes, cu_stream s)) \
	X(load_module, "cuModuleLoadDataEx", (cu_module *m, const void *image, unsigned count, int *options, void **values)) \
	X(unload_module, "cuModuleUnload", (cu_module m)) \
	X(find_function, "cuModuleGetFunction", (cu_function *f, cu_module m, const char *name)) \
	X(read_function, "cuFuncGetAttribute", (int *value, int attribute, cu_function f)) \
	X(set_function, "cuFuncSetAttribute", (cu_function f, int attribute, int value)) \
	X(launch, "cuLaunchKernel", (cu_function f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, \
		unsigned bz, unsigned shared_bytes, cu_stream s, void **args, void **extra)) \
	X(create_stream, "cuStreamCreate", (cu_stream *s, unsigned flags)) \
	X(finish_stream, "cuStreamSynchronize", (cu_stream s)) \
	X(read_pointer, "cuPointerGetAttribute", (void *value, int attribute, cu_pointer p)) \
	X(wait_event, "cuStreamWaitEvent", (cu_stream s, cu_event e, unsigned flags)) \
	X(create_event, "cuEventCreate", (cu_event *e, unsigned flags)) \
	X(record_event, "cuEventRecord", (cu_event e, cu_stream s)) \
	X(query_event, "cuEventQuery", (cu_event e)) \
	X(elapsed_ms, "cuEventElapsedTime", (float *ms, cu_event start, cu_event stop)) \
	X(describe_error, "cuGetErrorString", (cu_result r, const char **text))
/* clang-format on */

#define CU_MEMBER(member, name, parameters) cu_result(*member) parameters;
struct cuda_driver {
	CU_FUNCTIONS(CU_MEMBER)
	/* NULL in drivers before CUDA 11.7. */
	cu_result (*wait_value)(cu_stream s, cu_pointer at, unsigned value, unsigned flags);
};
#undef CU_MEMBER
extern struct cuda_driver cu;

/* Loads the library and initializes it. False with what to do. */
bool cuda_driver_load(struct err *e);
/* False with an error: "WHAT: TEXT (CUDA error N)". */
bool cuda_check(cu_result r, const char *what, struct err *e);

#endif
