/* The source lines of the profiled kernel, for the inspector. */
#ifndef TUI_VIEWS_INSPECTOR_STEP_SOURCE_H
#define TUI_VIEWS_INSPECTOR_STEP_SOURCE_H

#include "experiments/analysis/code_model.h"

/* The source line of the instruction `offset` bytes after the entry, without its indentation; *line gets its number.
 * NULL: no line table, no source, or assembly, which is the instruction itself. The text belongs to the model. */
const char *step_source_find(const struct code_model *m, int64_t offset, int *line);

#endif
