/* The part of the code model for AMD's targets that this project does not decode. */
#ifndef EXPERIMENTS_ANALYSIS_LISTED_CODE_MODEL_OBJDUMP_H
#define EXPERIMENTS_ANALYSIS_LISTED_CODE_MODEL_OBJDUMP_H

#include "experiments/analysis/code_model.h"

/* Sets the lines, or why there are none. */
void code_model_read_objdump(struct code_model *m, const struct code_object *o);

#endif
