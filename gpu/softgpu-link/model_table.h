/* Models of the software GPU, their hardware constants and counters, as its library describes them. Loads the library
 * for a moment; opens no device. */
#ifndef GPU_SOFTGPU_LINK_MODEL_TABLE_H
#define GPU_SOFTGPU_LINK_MODEL_TABLE_H

#include <stddef.h>
#include <stdbool.h>

#include "base/err.h"

/* Lines of "name\tvalue\tunit\tlow\thigh\tsource\thelp" for "mi25" or "mi25,l1_bytes=65536"; the caller frees them.
 * NULL with an error. */
char *softgpu_read_model_table(const char *model, struct err *e);
/* Splits a line at the tabs, in place. The fields point into the line; missing fields are empty. */
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

/* All models, the default first. Without the library: only the device name of the default model. */
size_t softgpu_list_models(struct soft_model out[SOFT_MODELS_MAX]);
/* That of "mi25,l1_bytes=65536", in a list of all; NULL if it is unknown. */
const struct soft_model *softgpu_find_model(const char *constants, struct soft_model list[SOFT_MODELS_MAX]);
/* Whether all these counters exist (NULL-terminated); false with the nearest name. */
bool softgpu_check_counters(const char *const *names, struct err *e);

#endif
