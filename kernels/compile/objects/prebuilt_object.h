/* Code objects that the build of wavedeck has compiled. */
#ifndef KERNELS_COMPILE_OBJECTS_PREBUILT_OBJECT_H
#define KERNELS_COMPILE_OBJECTS_PREBUILT_OBJECT_H

#include "kernels/compile/objects/build_request.h"

/* NULL: none. The caller frees it. */
char *prebuilt_object_path(struct build_request *r);
bool prebuilt_object_find(struct build_request *r, struct kernel_build *out);

#endif
