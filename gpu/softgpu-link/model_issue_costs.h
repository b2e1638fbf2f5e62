/* What instructions cost a wave, from the software GPU's models: of the device itself, or for silicon of the model with
 * the same instruction set. */
#ifndef GPU_SOFTGPU_LINK_MODEL_ISSUE_COSTS_H
#define GPU_SOFTGPU_LINK_MODEL_ISSUE_COSTS_H

#include "kernels/inspect/instruction_costs.h"

/* `device`: its name, "soft:mi25,l1_latency=100" or "hip:0"; `arch`: its target. `model` gets the name of the model
 * asked, "mi25". Not known (out->known false) where there is no such model or no library. Takes about a millisecond;
 * any thread. */
void issue_costs_from_model(const char *device, const char *arch, struct issue_costs *out, char model[64]);

#endif
