/* Fixed facts that identify a card. They are not tunable. */
#ifndef SOFTGPU_DRIVER_KFD_DEVICE_IDENTITY_H
#define SOFTGPU_DRIVER_KFD_DEVICE_IDENTITY_H

#include <stdint.h>

struct model;

#define KFD_GPU_ID       29287 /* KFD's id of the device; any nonzero number */
#define PCI_ADDRESS      "0000:03:00.0"
#define PCI_LOCATION     0x300 /* bus << 8 | device << 3 | function */
#define DRM_RENDER_MINOR 128

struct device_identity {
	const char *chip;     /* KFD's node name */
	uint32_t gfx_version; /* gfx_target_version: major * 10000 + minor * 100 + stepping */
	uint32_t device, revision, subsystem;
	uint32_t external_revision; /* the driver's revision number within the chip family */
	uint32_t capability;        /* of the KFD node */
	uint64_t unique;
	const char *vbios;
	uint32_t memory_bits;
	const char *sclk_levels, *mclk_levels,
		*soc_levels;     /* MHz, lowest first; the top level of sclk and mclk is the model's own clock */
	const char *link_levels; /* PCIe */
};

/* The model's row in models.def. */
const struct device_identity *identity_of_model(const struct model *m);

#endif
