/* The GPU code in a program or library, and the models that it fits: in .hip_fatbin, a bundle for each source file
 * that was compiled. */
#ifndef SOFTGPU_DRIVER_TARGETS_DEVICE_CODE_H
#define SOFTGPU_DRIVER_TARGETS_DEVICE_CODE_H

#include <stdbool.h>
#include <stddef.h>

struct gpu_model;

enum { CODE_MODELS_MAX = 32 };
struct device_code {
	unsigned bundles;               /* with code for a GPU */
	unsigned fits[CODE_MODELS_MAX]; /* how many of them have code for each model, in the order of model_at */
	bool compressed;                /* there are others, whose targets are not known */
	char targets[160];              /* of all bundles: "gfx803, gfx906:xnack+" */
};

/* Adds what is in the file. Nothing if it is not an ELF file of the host, or cannot be read. */
void device_code_add_file(struct device_code *c, const char *path);
/* The first model for which all bundles have code, or else one of them; -1: none. */
int device_code_choose(const struct device_code *c);
unsigned device_code_fits(const struct device_code *c, const struct gpu_model *m);
/* Whether HIP runs code for a target id on the model: "gfx908:sramecc+:xnack-". */
bool device_code_target_fits(const char *target, const struct gpu_model *m);

#endif
