/* What one call of kernel_build is asked for: a source, its flags, a target. */
#ifndef KERNELS_COMPILE_OBJECTS_BUILD_REQUEST_H
#define KERNELS_COMPILE_OBJECTS_BUILD_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/compile/compiler.h"
#include "kernels/compile/kernel_build.h"
#include "kernels/compile/kernel_inputs.h"

enum { DEFINES_MAX = 16 };

/* The state of one call of kernel_build; several threads may call it. */
struct build_request {
	const struct kernel_source *s;
	const struct kernel_given *given; /* NULL: searched on this machine */
	const char *arch;
	char *source, *folder, *include, *base_arch, *stem;
	bool own;                       /* the user's file, not one of the project */
	char *defines[DEFINES_MAX + 1]; /* "NAME=VALUE", "-ffast-math" */
	struct compile_task task;
	/* A compiler that does not list the files it reads: hiprtc, or one of CUDA. NULL: clang. */
	bool (*compile)(const struct compile_task *t, const char *output, struct err *e);
	struct input_places places;
	struct kernel_inputs inputs; /* of the code object, once it is known */
	uint64_t request_key, object_key;
};

/* Call build_request_close in any case. */
bool build_request_open(struct build_request *r, struct err *e);
void build_request_close(struct build_request *r);

#endif
