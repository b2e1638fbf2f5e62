/* The code model of a kernel for NVIDIA's targets, from what the tools of the CUDA toolkit print. */
#ifndef EXPERIMENTS_ANALYSIS_LISTED_CODE_MODEL_SASS_H
#define EXPERIMENTS_ANALYSIS_LISTED_CODE_MODEL_SASS_H

#include "experiments/analysis/code_model.h"

/* Sets resources, instructions, hot loop and source lines of a model of a PTX text, or why they are not known. */
void code_model_read_sass(struct code_model *m, const struct code_object *o);

#endif
