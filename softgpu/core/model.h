/* The constants of a device, by name. model.def holds a row each: name, unit, a default per model, range, source, help. */
#ifndef SOFTGPU_CORE_MODEL_H
#define SOFTGPU_CORE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model {
	char name[16];      /* "mi25" */
	char arch[16];      /* "gfx900" */
#define CONSTANT(name, unit, mi25, low, high, source, help) int64_t name;
#include "softgpu/model.def"
#undef CONSTANT
};

struct model_constant { const char *name, *unit; int64_t value, low, high; const char *source, *help; };

/* Fills `m` from "mi25" or "mi25,l1_bytes=65536,...". On false `why` holds one line: what is wrong and what would be right. */
bool model_parse(struct model *m, const char *text, char *why, size_t why_size);
size_t model_constants(const struct model *m, struct model_constant *out, size_t max); /* count of all */

#endif
