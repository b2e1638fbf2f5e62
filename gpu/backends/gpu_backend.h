/* What a measurement needs of a GPU runtime: one table of functions per runtime (HIP today). Synchronous except what
 * lies between begin and end, whose end poll tells. Everything is called from one thread, the one that opened the
 * device. */
#ifndef GPU_BACKENDS_GPU_BACKEND_H
#define GPU_BACKENDS_GPU_BACKEND_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernels/reference/reference.h"

/* Kinds of device by the prefix of their name; `soft` runs on HIP too, with libsoftgpu below it. */
enum device_kind { DEVICE_SOFT, DEVICE_HIP, DEVICE_REPLAY, DEVICE_KINDS };

struct device_name {
	enum device_kind kind;
	const char
		*rest; /* behind the prefix: the model with its constants, the index, the file; points into the name */
	int index;     /* of the GPU, for hip:N; 0 otherwise */
};
/* False with the nearest right name for anything else. */
bool device_name_parse(const char *name, struct device_name *out, struct err *e);
const char *device_kind_name(enum device_kind kind); /* "soft" */

struct device_info {
	char name[128]; /* "Radeon Instinct MI25" */
	char arch[32];  /* "gfx900", without features */
	unsigned pci_domain, pci_bus, pci_device;
	unsigned max_block_threads;
	json_t *properties, *versions; /* owned by whoever holds the structure */
};

enum poll_state { POLL_BUSY, POLL_DONE, POLL_FAILED };

enum { STREAMS_MAX = 8 };

struct gpu_backend {
	/* The device number `index`, for the life of the process; NULL with the mend. */
	void *(*open)(int index, struct device_info *info, struct err *e);
	/* What takes long and is needed before the first launch (HIP compiles its copy kernels); once, after open. */
	bool (*start)(void *device, struct err *e);
	void *(*alloc)(void *device, size_t bytes, struct err *e); /* a device pointer */
	void (*release)(void *device, void *pointer);
	bool (*write)(void *device, void *to, const void *from, size_t bytes, struct err *e);
	bool (*read)(void *device, void *to, const void *from, size_t bytes, struct err *e);
	void *(*load)(void *device, const void *image, struct err *e); /* a code object */
	void (*unload)(void *device, void *module);
	void *(*kernel)(void *device, void *module, const char *entry, struct err *e);
	/* Memory of the host that copies need not go through a buffer of the driver's for. */
	void *(*alloc_host)(void *device, size_t bytes, struct err *e);
	void (*release_host)(void *device, void *pointer);
	/* Between begin and end: what is issued on streams 0 .. streams - 1, all behind the first event and before the
	 * second. Nothing here waits, except a copy of memory that is not from alloc_host. */
	bool (*begin)(void *device, unsigned streams, struct err *e);
	bool (*launch)(void *device, unsigned stream, void *kernel, const struct launch_shape *shape,
		unsigned lds_bytes, void **args, struct err *e);
	bool (*copy)(void *device, unsigned stream, bool to_device, void *on_device, void *on_host, size_t bytes,
		struct err *e);
	bool (*wait)(void *device, unsigned stream, unsigned on,
		struct err *e); /* until what has been issued on stream `on` so far has ended */
	bool (*end)(void *device, struct err *e);
	/* Whether what was issued last has ended, and its event-to-event time. Cheap; never waits. */
	enum poll_state (*poll)(void *device, double *seconds, struct err *e);
};

#endif
