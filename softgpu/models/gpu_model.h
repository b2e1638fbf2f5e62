/* A GPU model: one file that identifies the board and overrides constants of its family (gfx9_constants.def,
 * gfx11_constants.def).
 *
 * To add a model: write softgpu/models/NAME.c and add MODEL(NAME) to models.def.
 */
#ifndef SOFTGPU_MODELS_GPU_MODEL_H
#define SOFTGPU_MODELS_GPU_MODEL_H

#include <stdint.h>

/* Each constant has one number, whichever families have it. */
enum constant_id {
#define CONSTANT(name, ...) CONSTANT_##name,
#define SAME(...)
#define SAME_AS(...)
#include "softgpu/models/gfx9_constants.def"
#include "softgpu/models/gfx11_constants.def"
#undef CONSTANT
#undef SAME_AS
	CONSTANT_COUNT,
#define CONSTANT(...)
#define SAME_AS(name, other, ...) CONSTANT_##name = CONSTANT_##other,
#include "softgpu/models/gfx11_constants.def"
#undef CONSTANT
#undef SAME
#undef SAME_AS
};

/* What the driver reports of all GPUs of a family. */
struct gpu_family {
	const char *name; /* "gfx9" */
	enum gpu_family_id { FAMILY_GFX9, FAMILY_GFX11, FAMILY_COUNT } id;
	uint32_t wave_lanes, simds_per_cu, arrays_per_engine;
	uint32_t scratch_waves_per_cu;        /* waves of a CU that can have scratch: the maximum of the chip */
	uint32_t cus_masked_together;         /* that a CU mask enables or disables together */
	uint32_t drm_family;                  /* AMDGPU_FAMILY_... of amdgpu_drm.h */
	uint32_t mec_firmware, sdma_firmware; /* versions */
	uint32_t gws_resources;               /* barriers and semaphores of global wave sync; 0: none */
	uint32_t sdma_queues, cp_queues;      /* of a copy engine; of the command processor */
	uint32_t gb_addr_config;              /* the register GB_ADDR_CONFIG */
};
extern const struct gpu_family gpu_family_gfx9, gpu_family_gfx11;

/* Facts that the driver reports and that users cannot change. */
struct device_identity {
	const char *chip;            /* KFD's node name */
	uint32_t gfx_target_version; /* major * 10000 + minor * 100 + stepping */
	uint32_t device_id, revision, subsystem_id;
	uint32_t external_revision; /* the chip within its family: soc15.c, soc21.c of the Linux kernel */
	uint32_t capability;        /* of the KFD node, kfd_topology.h */
	uint32_t mec_firmware;      /* 0: the family's */
	uint64_t unique_id;
	const char *vbios;
	uint32_t memory_type, memory_bus_bits; /* AMDGPU_VRAM_TYPE_... of amdgpu_drm.h */
	uint32_t render_backends;
	/* MHz, lowest first; of sclk and mclk without the top level, which is a constant of the model */
	const char *sclk_levels, *mclk_levels, *socclk_levels;
	const char *pcie_levels;
	/* °C, by sensor: critical, and when the board shuts down */
	struct {
		uint32_t critical, emergency;
	} edge, junction, memory;
};
enum { VRAM_TYPE_HBM = 6, VRAM_TYPE_GDDR6 = 9 };

struct constant_override {
	int64_t value;
	const char *source; /* NULL: not overridden */
};

struct gpu_model {
	const struct gpu_family *family;
	const char *name; /* "mi25" */
	const char *arch; /* "gfx900" */
	const char *marketing;
	struct device_identity identity;
	struct constant_override overrides[CONSTANT_COUNT];
};

/* Overrides a constant of the family in the initializer of a gpu_model. */
#define SET(name, value, source) .overrides[CONSTANT_##name] = {value, source}

#endif
