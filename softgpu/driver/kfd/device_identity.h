/* Facts that the driver reports about the card and that users cannot change. */
#ifndef SOFTGPU_DRIVER_KFD_DEVICE_IDENTITY_H
#define SOFTGPU_DRIVER_KFD_DEVICE_IDENTITY_H

#include "softgpu/models/gpu_model.h"

struct model;

/* The same for all models */
#define KFD_GPU_ID       29287 /* KFD's id of the device; any nonzero number */
#define PCI_ADDRESS      "0000:03:00.0"
#define PCI_LOCATION     0x300 /* bus << 8 | device << 3 | function */
#define DRM_RENDER_MINOR 128

const struct device_identity *identity_of_model(const struct model *m);
uint32_t identity_mec_firmware(const struct model *m);

#endif
