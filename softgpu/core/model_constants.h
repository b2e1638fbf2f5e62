/* The constants of each family, with their units, ranges and sources. */
#ifndef SOFTGPU_CORE_MODEL_CONSTANTS_H
#define SOFTGPU_CORE_MODEL_CONSTANTS_H

#include "softgpu/core/model_config.h"

/* The rows of a family, in the order of its file. */
const struct constant_row *family_constants(const struct gpu_family *f, size_t *count);

int64_t *constant_in_model(struct model *m, const struct constant_row *row);

#endif
