/* The software GPU's constants as its library describes them. Loads the library for a moment; no device is opened. */
#ifndef GPU_MODEL_TABLE_H
#define GPU_MODEL_TABLE_H

#include <stdbool.h>

#include "base/status.h"

/* Lines of "name\tvalue\tunit\tlow\thigh\tsource\thelp" for "mi25" or "mi25,l1_bytes=65536"; the caller frees. NULL with the mend. */
char *softgpu_model_table(const char *model, struct err *e);

/* Whether the software GPU has counters of these names (NULL at the end); false with the nearest one. */
bool softgpu_counters_check(const char *const *names, struct err *e);

#endif
