/* A GPU model: one file that identifies the board and overrides constants of its family (gfx9_constants.def).
 *
 * To add a model: write softgpu/models/NAME.c and add MODEL(NAME) to models.def.
 */
#ifndef SOFTGPU_MODELS_GPU_MODEL_H
#define SOFTGPU_MODELS_GPU_MODEL_H

#include <stdint.h>

enum constant_id {
#define CONSTANT(name, ...) CONSTANT_##name,
#include "softgpu/models/gfx9_constants.def"
#undef CONSTANT
	CONSTANT_COUNT
};

/* Facts that the driver reports and that users cannot change. */
struct device_identity {
	const char *chip;            /* KFD's node name */
	uint32_t gfx_target_version; /* major * 10000 + minor * 100 + stepping */
	uint32_t device_id, revision, subsystem_id;
	uint32_t external_revision; /* the chip within its family, soc15.c */
	uint32_t capability;        /* of the KFD node, kfd_topology.h */
	uint64_t unique_id;
	const char *vbios;
	uint32_t memory_bus_bits;
	/* MHz, lowest first; of sclk and mclk without the top level, which is a constant of the model */
	const char *sclk_levels, *mclk_levels, *socclk_levels;
	const char *pcie_levels;
};

struct constant_override {
	int64_t value;
	const char *source; /* NULL: not overridden */
};

struct gpu_model {
	const char *name; /* "mi25" */
	const char *arch; /* "gfx900" */
	const char *marketing;
	struct device_identity identity;
	struct constant_override overrides[CONSTANT_COUNT];
};

/* Overrides a constant of the family in the initializer of a gpu_model. */
#define SET(name, value, source) .overrides[CONSTANT_##name] = {value, source}

#endif
