/* The constants of a device, by name. constants.def holds a row each: name, unit, a default per model, range, source
 * per model, help; models.def the models. */
#ifndef SOFTGPU_CORE_MODEL_CONFIG_H
#define SOFTGPU_CORE_MODEL_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum model_id {
#define MODEL(name, ...) MODEL_##name,
#include "softgpu/models/models.def"
#undef MODEL
	MODEL_COUNT
};

enum { MODEL_CUS_PER_ENGINE = 64 };

struct model {
	enum model_id id;
	char name[16]; /* "mi25" */
	char arch[16]; /* "gfx900" */
#define CONSTANT(name, ...) int64_t name;
#include "softgpu/models/constants.def"
#undef CONSTANT
};

struct model_constant {
	const char *name, *unit;
	int64_t value, low, high;
	const char *source;
	bool borrowed; /* the source is MI25's: there is none of the model's own */
	const char *help;
};

/* Fills `m` from "mi25" or "mi60,l1_bytes=65536,...". On false `why` holds one line: what is wrong and what would be
 * right. */
bool model_parse(struct model *m, const char *text, char *why, size_t why_size);
struct model_name {
	const char *name, *arch, *marketing;
};
struct model_name model_name(enum model_id id);
size_t model_constants(const struct model *m, struct model_constant *out, size_t max); /* count of all */

#endif
