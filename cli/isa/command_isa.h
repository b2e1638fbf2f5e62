/* `isa`: what its parts share. */
#ifndef CLI_ISA_COMMAND_ISA_H
#define CLI_ISA_COMMAND_ISA_H

#include <stdbool.h>

#include "experiments/definition/experiment.h"
#include "kernels/inspect/code_object.h"

/* A whole code object, or one of its kernels (`entry`), for a workgroup of `block` work-items (0: one wave). */
struct isa_request {
	const char *arch, *entry, *device, *diff;
	const char *source; /* the absolute path of the source, whose lines are printed between the code; NULL: none */
	unsigned block, dynamic_lds;
	const json_t *contract;
	bool all, renamed, want_profile, advice, arch_asked, searching; /* searching: `entry` may be in another file */
	json_t *profile;
	int shown;
};
/* Prints a kernel; `where` names its file. */
void isa_print_kernel(
	const struct code_object *o, const struct kernel_info *k, const char *where, struct isa_request *r);
struct isa_program {
	const char *path, *shown; /* the file, and how it is named in errors */
	const char *where;        /* as for isa_print_kernel; NULL: `shown` and the target */
	const char *kernel;       /* a part of its name; NULL: the table of the kernels */
};
/* `isa FILE [KERNEL]`. Without a target that was asked for, one kernel is shown for the request's if the file has code
 * for it, otherwise for the first that it has. False with one line. */
bool isa_print_program(const struct isa_program *what, struct isa_request *r, struct err *e);

struct isa_diff_options {
	const char *device, *arch;
	const char *with;  /* a choice of one of its parameters, NAME=VALUE, or "edited" */
	bool all, renamed; /* whole kernels instead of hot loops; ignore register numbers */
};
/* `isa EXP --diff WHAT`: prints the code at these values next to the other variant. False with one line. */
bool isa_print_diff(struct experiment *x, const double *values, const struct isa_diff_options *how, struct err *e);

#endif
