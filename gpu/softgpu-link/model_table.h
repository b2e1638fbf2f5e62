/* The software GPU's models and their constants as its library describes them. Loads the library for a moment; no
 * device is opened. */
#ifndef GPU_SOFTGPU_LINK_MODEL_TABLE_H
#define GPU_SOFTGPU_LINK_MODEL_TABLE_H

#include <stddef.h>
#include <stdbool.h>

#include "base/err.h"

/* Lines of "name\tvalue\tunit\tlow\thigh\tsource\thelp" for "mi25" or "mi25,l1_bytes=65536"; the caller frees. NULL
 * with the mend. */
char *softgpu_read_model_table(const char *model, struct err *e);
/* Cuts one of its lines at the tabs; the fields point into it, and those that are missing are empty. */
enum constant_field {
	CONSTANT_NAME,
	CONSTANT_VALUE,
	CONSTANT_UNIT,
	CONSTANT_LOW,
	CONSTANT_HIGH,
	CONSTANT_SOURCE,
	CONSTANT_HELP,
	CONSTANT_FIELDS
};
void softgpu_split_constant(char *line, char *field[CONSTANT_FIELDS]);

struct soft_model {
	char device[24], arch[16], name[64];
}; /* "soft:mi25", "gfx900", "AMD Radeon Instinct MI25" */
enum { SOFT_MODELS_MAX = 16 };

/* The models there are, the default first. Without the library it is that one alone, by its device name. */
size_t softgpu_list_models(struct soft_model out[SOFT_MODELS_MAX]);
/* "soft:mi25, soft:mi60, ..." */
void softgpu_join_model_names(char *out, size_t size);
/* Whether the software GPU has counters of these names (NULL at the end); false with the nearest one. */
bool softgpu_check_counters(const char *const *names, struct err *e);

#endif
