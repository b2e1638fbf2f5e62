/* A GPU model: one file that identifies the board and overrides constants of its family (gfx9_constants.def,
 * gfx11_constants.def). Its target says what its shader cores have, and belongs to a family (gfx9_hardware.c,
 * gfx11_hardware.c).
 *
 * To add a model: write softgpu/models/NAME.c and add MODEL(NAME) to models.def.
 */
#ifndef SOFTGPU_MODELS_GPU_MODEL_H
#define SOFTGPU_MODELS_GPU_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each constant has one number, whichever families have it. */
enum constant_id {
#define CONSTANT(name, ...) CONSTANT_##name,
#define SAME(...)
#define SAME_AS(...)
#include "softgpu/models/constants.def"
#undef CONSTANT
#undef SAME_AS
	CONSTANT_COUNT,
#define CONSTANT(...)
#define SAME_AS(name, other, ...) CONSTANT_##name = CONSTANT_##other,
#include "softgpu/models/constants.def"
#undef CONSTANT
#undef SAME
#undef SAME_AS
};

/* A constant of a family. */
struct constant_row {
	const char *name, *unit;
	int64_t value, low, high; /* value: the default */
	const char *source, *help;
	enum constant_id id;
};

/* What all GPUs of a family have in common, and what the driver reports of them. */
struct gpu_family {
	const char *name;                     /* "gfx9" */
	const struct constant_row *constants; /* in the order of its file */
	size_t constant_count;
	uint32_t wave_lanes; /* lanes of a SIMD. 32: a bit of the kernel descriptor chooses waves of 32 or 64 */
	uint32_t simds_per_cu, arrays_per_engine;
	uint32_t cus_per_processor; /* CUs that share LDS and the caches of code and scalars, and that a CU mask enables
	                               or disables together: a WGP has two (pqm_update_mqd in the Linux kernel) */
	uint32_t sgprs_of_wave;     /* 0: the kernel descriptor says */
	/* The register COMPUTE_TMPRING_SIZE: the scratch of a wave in units of so many bytes, in so many bits; the
	 * number of waves is that of a shader engine, or of all */
	uint32_t tmpring_unit_bytes, tmpring_size_bits;
	bool tmpring_of_engine;
	uint32_t cache_line_bytes;            /* of L1 and L2, as KFD reports it */
	uint32_t drm_family;                  /* AMDGPU_FAMILY_... of amdgpu_drm.h */
	uint32_t mec_firmware, sdma_firmware; /* versions */
	uint32_t gws_resources;               /* barriers and semaphores of global wave sync; 0: none */
	uint32_t sdma_queues, cp_queues;      /* of a copy engine; of the command processor */
	uint32_t gb_addr_config;              /* the register GB_ADDR_CONFIG */
};

/* What may differ between the targets of a family. */
struct gpu_target {
	const char *name; /* "gfx900", a target of softgpu/isa */
	const struct gpu_family *family;
	uint32_t wave_slots;       /* of a SIMD */
	bool accumulation_vgprs;   /* as many accumulation registers as VGPRs, in a file of their own, or: */
	bool unified_vgprs;        /* the accumulation registers of a wave follow its VGPRs in one file */
	bool packed_work_item_ids; /* v0 has x, y and z, 10 bits each; else v0 to v2 */
	bool architected_scratch;  /* a hardware register has the address of a wave's scratch; else SGPRs do */
	uint32_t reference_mhz;    /* of the clock that s_memrealtime reads */
};

/* Waves of a CU that can have scratch: the maximum of the chip. */
static inline uint64_t gpu_scratch_waves_of_cu(const struct gpu_target *t)
{
	return (uint64_t)t->wave_slots * t->family->simds_per_cu;
}

/* HSA_CAP_SRAM_EDCSUPPORTED of the Linux kernel's kfd_topology.h: the registers and LDS have ECC. */
#define GPU_MODEL_SRAMECC 0x4000000u

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
	const struct gpu_target *target;
	const char *name; /* "mi25" */
	const char *marketing;
	struct device_identity identity;
	struct constant_override overrides[CONSTANT_COUNT];
};

/* Overrides a constant of the family in the initializer of a gpu_model. */
#define SET(name, value, source) .overrides[CONSTANT_##name] = {value, source}

#endif
