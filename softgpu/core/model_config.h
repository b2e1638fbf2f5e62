/* The hardware constants of an open device: the defaults of its model (softgpu/models), and the user's changes. */
#ifndef SOFTGPU_CORE_MODEL_CONFIG_H
#define SOFTGPU_CORE_MODEL_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "softgpu/models/gpu_model.h"

enum { MODEL_CUS_PER_ENGINE = 64 };

struct model {
	const struct gpu_model *gpu;
	char name[16]; /* "mi25" */
	char arch[16]; /* "gfx900" */
#define CONSTANT(name, ...) int64_t name;
#include "softgpu/models/gfx9_constants.def"
#undef CONSTANT
};

struct model_constant {
	const char *name, *unit;
	int64_t value, low, high;
	const char *source;
	bool borrowed; /* from MI25: the model has no source of its own */
	const char *help;
};

/* The i-th model, the default first; NULL after the last. */
const struct gpu_model *model_at(size_t i);

/* Fills `m` from "mi25" or "mi60,l1_bytes=65536,...". On failure returns false and writes one line to `why`: what is
 * wrong, and what is valid. */
bool model_parse(struct model *m, const char *text, char *why, size_t why_size);

/* Lists up to `max` constants; returns the number of all. The strings are static. */
size_t model_constants(const struct model *m, struct model_constant *out, size_t max);

#endif
