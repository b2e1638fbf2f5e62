/* Machine code of NVIDIA's targets: ptxas assembles PTX as the driver does, nvdisasm or cuobjdump lists the result.
 * They are run as programs, and are part of the CUDA toolkit ("CUDA Binary Utilities"). */
#ifndef KERNELS_INSPECT_SASS_TOOLS_H
#define KERNELS_INSPECT_SASS_TOOLS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct sass_source {
	const char *ptx;
	size_t bytes;
	const char *arch;        /* "sm_90" */
	unsigned most_registers; /* per thread; 0: as many as the target has */
};

struct sass_output {
	struct buf resources; /* what ptxas -v says about each kernel */
	struct buf listing;   /* empty without a tool that makes one, see `why` */
	const char *lister;   /* "nvdisasm"; NULL: none */
	char why[sizeof((struct err *)0)->text];
};

/* False with an error without ptxas, or if it fails. Any thread. sass_output_free. */
bool sass_run_tools(const struct sass_source *s, struct sass_output *out, struct err *e);
void sass_output_free(struct sass_output *o);

#endif
