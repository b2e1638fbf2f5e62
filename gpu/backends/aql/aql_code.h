/* A code object in a GPU's memory. */
#ifndef GPU_BACKENDS_AQL_AQL_CODE_H
#define GPU_BACKENDS_AQL_AQL_CODE_H

#include "gpu/backends/aql/aql_device.h"
#include "kernels/inspect/code_object.h"

/* The address at which the object's address 0 is loaded. NULL with an error; aql_device_free. */
uint8_t *aql_code_load(struct aql_device *d, const struct code_object *object, struct err *e);

#endif
