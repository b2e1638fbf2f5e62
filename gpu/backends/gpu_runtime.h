/* The functions of a GPU runtime that a measurement needs, as one table per runtime (HIP, CUDA, and AQL packets without
 * one).
 *
 * One thread calls all of them: the thread that opened the device. Every function returns at once or when its work is
 * done, except the work issued between `begin` and `end`: that runs in the background, and `poll` reports its end. */
#ifndef GPU_BACKENDS_GPU_RUNTIME_H
#define GPU_BACKENDS_GPU_RUNTIME_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "gpu/protocol/library_call.h"
#include "kernels/inspect/code_object.h"
#include "kernels/reference/reference.h"

struct device_info {
	char name[128]; /* "Radeon Instinct MI25" */
	char arch[32];  /* "gfx900", without feature flags; "sm_90" */
	unsigned pci_domain, pci_bus, pci_device;
	unsigned max_block_threads;
	json_t *properties, *versions; /* owned by the owner of this structure */
};

enum poll_state { POLL_BUSY, POLL_DONE, POLL_FAILED };

struct gpu_runtime {
	/* Opens device number `index` until the process ends. NULL with an error. */
	void *(*open)(int index, struct device_info *info, struct err *e);
	/* Slow preparation that the first launch needs (HIP compiles its copy kernels). Called once, after open. */
	bool (*start)(void *device, struct err *e);
	/* Device memory. alloc returns a device pointer; release frees it. */
	void *(*alloc)(void *device, size_t bytes, struct err *e);
	void (*release)(void *device, void *pointer);
	bool (*write)(void *device, void *to, const void *from, size_t bytes, struct err *e);
	bool (*read)(void *device, void *to, const void *from, size_t bytes, struct err *e);
	/* A code object, which stays open until unload, and a kernel in it. */
	void *(*load)(void *device, const struct code_object *object, struct err *e);
	void (*unload)(void *device, void *module);
	void *(*kernel)(void *device, void *module, const char *entry, struct err *e);
	/* Sets registers, LDS and scratch of a kernel whose code object does not say them. NULL: all of them do. */
	void (*describe)(void *device, void *kernel, struct kernel_info *info);
	/* Pinned host memory: copies from and to it need no staging buffer of the driver. */
	void *(*alloc_host)(void *device, size_t bytes, struct err *e);
	void (*release_host)(void *device, void *pointer);
	/* `begin` records the start event and `end` the stop event. Work issued between them, on streams 0 to
	 * streams - 1, runs after the first event and before the second. None of these functions waits, except a copy
	 * of memory that is not from alloc_host. */
	bool (*begin)(void *device, unsigned streams, struct err *e);
	bool (*launch)(void *device, unsigned stream, void *kernel, const struct launch_shape *shape,
		unsigned lds_bytes, void **args, struct err *e);
	/* A function of a vendor library; `args` as for launch. The first call loads the library and may wait for its
	 * own copies. library_description: the library's name and version, "" before the first call. */
	bool (*call)(void *device, unsigned stream, enum library_call call, void **args, struct err *e);
	const char *(*library_description)(enum library_call call);
	bool (*copy)(void *device, unsigned stream, bool to_device, void *on_device, void *on_host, size_t bytes,
		struct err *e);
	/* Makes `stream` wait for all work issued to stream `on` so far. */
	bool (*wait)(void *device, unsigned stream, unsigned on, struct err *e);
	bool (*end)(void *device, struct err *e);
	/* Whether the work issued last is done; if so, the time between its events. Cheap, never waits. */
	enum poll_state (*poll)(void *device, double *seconds, struct err *e);
};

#endif
