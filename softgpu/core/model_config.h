/* The hardware constants of an open device: the defaults of its model (softgpu/models), and the user's changes. */
#ifndef SOFTGPU_CORE_MODEL_CONFIG_H
#define SOFTGPU_CORE_MODEL_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "softgpu/models/gpu_model.h"

/* Limits of the simulated machine. A processor is a CU or a WGP. */
enum { MODEL_CUS_PER_ENGINE = 64, MODEL_PROCESSORS_MAX = 128 };

/* Parts without their limits (softgpu/ideal_parts.def). */
enum ideal_part {
#define IDEAL_PART(name, ...) IDEAL_##name,
#include "softgpu/ideal_parts.def"
#undef IDEAL_PART
	IDEAL_COUNT
};

struct model {
	const struct gpu_model *gpu;
	uint32_t ideal; /* bit per enum ideal_part */
	char name[16];  /* "mi25" */
	char arch[16];  /* "gfx900" */
			/* 0: the family does not have the constant */
#define CONSTANT(name, ...) int64_t name;
#define SAME(...)
#define SAME_AS(...)
#include "softgpu/models/constants.def"
#undef CONSTANT
#undef SAME
#undef SAME_AS
};

struct model_constant {
	const char *name, *unit;
	int64_t value, low, high;
	const char *source;
	const char *borrowed; /* the first model of the family, if this model has no source of its own; else NULL */
	const char *help;
};

/* With ECC of the registers (sramecc+ in the target id), a load into half a register clears the other half: LLVM's
 * GCNSubtarget.h, d16PreservesUnusedBits, which is also false for each gfx90a; Tensile joins two halves by an OR
 * (HasEccHalf). */
static inline bool model_clears_other_half(const struct model *m)
{
	return m->gpu->identity.capability & GPU_MODEL_SRAMECC;
}

static inline bool model_is_ideal(const struct model *m, enum ideal_part part)
{
	return m->ideal >> part & 1;
}

/* The i-th model, the default first; NULL after the last. */
const struct gpu_model *model_at(size_t i);

/* Fills `m` from "mi25" or "mi60,l1_bytes=65536,ideal=l1.dram,...". On failure returns false and writes one line to
 * `why`: what is wrong, and what is valid. */
bool model_parse(struct model *m, const char *text, char *why, size_t why_size);

/* The text of a model for model_parse: its name, and the constants that differ from their defaults. False: it is
 * longer. */
bool model_format(const struct model *m, char *out, size_t size);

/* Gives those constants that ideal parts make meaningless the values that cost nothing. */
void model_idealize(struct model *m);

/* The family's cus_per_processor. The simulated machine has one struct cu for these CUs (core/state/cu.h). */
uint32_t model_cus_per_processor(const struct model *m);

/* Lanes of the waves of a kernel, from kernel_code_properties of its descriptor (LLVM AMDGPU usage:
 * ENABLE_WAVEFRONT_SIZE32). */
uint32_t model_wave_lanes(const struct model *m, uint16_t properties);

/* Lists up to `max` constants; returns the number of all. The strings are static. */
size_t model_constants(const struct model *m, struct model_constant *out, size_t max);

#endif
