/* Facts that the driver reports about the cards and that users cannot change. GPUs are numbered from 0. */
#ifndef SOFTGPU_DRIVER_KFD_DEVICE_IDENTITY_H
#define SOFTGPU_DRIVER_KFD_DEVICE_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

#include "softgpu/models/gpu_model.h"

struct model;

#define KFD_GPU_ID       29287 /* KFD's id of the first GPU; any nonzero number. The others follow */
#define DRM_RENDER_MINOR 128   /* of the first GPU */
#define HWMON_NUMBER     7     /* the same */

uint32_t identity_gpu_id(unsigned gpu);
/* Bus number. Each card has a root port of its own, and three buses: a Vega card's switch takes two. */
unsigned identity_pci_bus(unsigned gpu);
unsigned identity_pci_location(unsigned gpu); /* bus << 8 | device << 3 | function */
/* Number of the device of the root port on bus 0. */
unsigned identity_root_port(unsigned gpu);
uint64_t identity_unique_id(const struct model *m, unsigned gpu);
const struct device_identity *identity_of_model(const struct model *m);
uint32_t identity_mec_firmware(const struct model *m);

#endif
