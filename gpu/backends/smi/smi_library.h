/* A vendor library that reads clocks, temperature and power.
 *
 * To add one: write gpu/backends/smi/smi_NAME.c with one `const struct smi_library smi_NAME`, and add it to the list in
 * smi.c. */
#ifndef GPU_BACKENDS_SMI_LIBRARY_H
#define GPU_BACKENDS_SMI_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/host/shared_library.h"
#include "gpu/backends/gpu_runtime.h"
#include "gpu/protocol/record.h"

struct smi_library {
	const char *name; /* "rocm-smi" */
	const char *key;  /* of its version in the device record: "rocm_smi" */
	struct shared_library library;
	/* Finds the functions, in the loaded library. False with an error: one that it needs is missing. */
	bool (*resolve)(void *handle, struct err *e);
	/* The library's version, after resolve; "" if unknown. */
	void (*version)(char *out, size_t size);
	/* Starts the library and finds the GPU by its PCI address. It may hang. */
	bool (*start)(const struct device_info *info, struct err *e);
	/* After start: the readings now, without `others`, and the version of the driver, "" if unknown. */
	struct clocks (*read)(void);
	/* After start: other processes that use the GPU; 0 also if the library cannot tell. It may be slow. */
	unsigned (*count_others)(void);
	void (*driver)(char *out, size_t size);
};

struct smi_symbol {
	const char *name;
	void *slot; /* of a function pointer */
	bool optional;
};
/* Sets all slots. False with an error that names the missing function. */
bool smi_resolve_symbols(void *handle, const struct smi_symbol *list, size_t count, const char *name, struct err *e);

#endif
