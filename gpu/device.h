/* What a measurement needs of a GPU runtime: one table of functions per runtime (HIP today). Synchronous except launch, which is
 * followed by poll. Everything is called from one thread, the one that opened the device.
 */
#ifndef GPU_DEVICE_H
#define GPU_DEVICE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "kernels/reference.h"

/* Kinds of device by the prefix of their name; `soft` runs on HIP too, with libsoftgpu below it. */
enum device_kind { DEVICE_SOFT, DEVICE_HIP, DEVICE_REPLAY, DEVICE_KINDS };

struct device_name {
	enum device_kind kind;
	const char *rest;     /* behind the prefix: the model with its constants, the index, the file; points into the name */
	int index;            /* of the GPU, for hip:N; 0 otherwise */
};
/* False with the nearest right name for anything else. */
bool device_name_parse(const char *name, struct device_name *out, struct err *e);
const char *device_kind_name(enum device_kind kind); /* "soft" */

struct device_info {
	char name[128];       /* "Radeon Instinct MI25" */
	char arch[32];        /* "gfx900", without features */
	unsigned pci_domain, pci_bus, pci_device;
	unsigned max_block_threads;
	json_t *properties, *versions; /* owned by whoever holds the structure */
};

enum poll_state { POLL_BUSY, POLL_DONE, POLL_FAILED };

struct runtime {
	/* The device number `index`, for the life of the process; NULL with the mend. */
	void *(*open)(int index, struct device_info *info, struct err *e);
	/* What takes long and is needed before the first launch (HIP compiles its copy kernels); once, after open. */
	bool (*start)(void *device, struct err *e);
	void *(*alloc)(void *device, size_t bytes, struct err *e);   /* a device pointer */
	void (*release)(void *device, void *pointer);
	bool (*write)(void *device, void *to, const void *from, size_t bytes, struct err *e);
	bool (*read)(void *device, void *to, const void *from, size_t bytes, struct err *e);
	void *(*load)(void *device, const void *image, struct err *e); /* a code object */
	void (*unload)(void *device, void *module);
	void *(*kernel)(void *device, void *module, const char *entry, struct err *e);
	/* Starts `count` launches one after the other between two events; args as in kernelParams. */
	bool (*launch)(void *device, void *kernel, const struct launch_shape *shape, unsigned lds_bytes, void **args, unsigned count, struct err *e);
	/* Whether what was launched last has ended, and its event-to-event time. Cheap; never waits. */
	enum poll_state (*poll)(void *device, double *seconds, struct err *e);
};

#endif
