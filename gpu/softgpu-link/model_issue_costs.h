/* Issue costs of instructions, read from a model of the software GPU. For real hardware: from the model with the same
 * instruction set. */
#ifndef GPU_SOFTGPU_LINK_MODEL_ISSUE_COSTS_H
#define GPU_SOFTGPU_LINK_MODEL_ISSUE_COSTS_H

#include "kernels/inspect/instruction_costs.h"

/* `constants`: the model with its constants, "mi25,l1_latency=100"; NULL: the first model with the target `arch`.
 * `model` gets the model's name, "mi25". out->known is false if there is no such model or no library. Takes about a
 * millisecond; any thread. */
void issue_costs_from_model(const char *constants, const char *arch, struct issue_costs *out, char model[64]);

#endif
