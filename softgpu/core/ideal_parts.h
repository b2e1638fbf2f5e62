/* Names of ideal parts, as in the name of a device. */
#ifndef SOFTGPU_CORE_IDEAL_PARTS_H
#define SOFTGPU_CORE_IDEAL_PARTS_H

#include "softgpu/core/model_config.h"

/* Parses "l1.dram" or "all" into bits per enum ideal_part. On failure returns false and writes one line to `why`. */
bool ideal_parts_parse(const char *text, uint32_t *out, char *why, size_t size);

/* Writes ",ideal=l1.dram"; returns its length, which may exceed the size. */
size_t ideal_parts_format(uint32_t parts, char *out, size_t size);

#endif
