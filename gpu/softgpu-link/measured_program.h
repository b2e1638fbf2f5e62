/* Runs the user's program on the software GPU for the sums of its kernels' launches. Its output is not shown. */
#ifndef GPU_SOFTGPU_LINK_MEASURED_PROGRAM_H
#define GPU_SOFTGPU_LINK_MEASURED_PROGRAM_H

#include "base/err.h"
#include "gpu/softgpu-link/kernel_totals.h"

struct measured_program {
	const char *model;  /* "mi25,l1_bytes=65536" */
	const char *folder; /* in which it runs */
	char *const *argv;  /* ends with NULL; argv[0] is an absolute path */
	bool profile;       /* cycles by stall reason, too */
	bool (*cancelled)(void *ctx);
	void *ctx;
};

/* *out must be freed in any case. False with an error, which has the program's exit status and the last line of its
 * standard error, and ST_INTERRUPTED if it was canceled: then it has been killed, with what it has started. */
bool measured_program_run(const struct measured_program *p, struct kernel_totals *out, struct err *e);
/* Kills the running program with what it has started. Any thread. False: none runs. */
bool measured_program_kill(void);

#endif
