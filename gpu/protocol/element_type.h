/* The C types that buffers and kernel arguments are declared with: size, kind, values, comparison. One table. */
#ifndef GPU_PROTOCOL_ELEMENT_TYPE_H
#define GPU_PROTOCOL_ELEMENT_TYPE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum element_kind { ELEMENT_SIGNED, ELEMENT_UNSIGNED, ELEMENT_FLOAT };

struct element_type {
	const char *name; /* "unsigned int" */
	size_t size;      /* bytes of an element */
	size_t part;      /* bytes of a component: 4 for float4 */
	enum element_kind kind;
};

/* A declared type, such as that of a kernel argument. */
struct arg_type {
	const struct element_type *type; /* with `pointer`: of what it points to */
	bool pointer;
};

union scalar {
	int64_t i;
	uint64_t u;
	double d;
	float f;
	uint8_t bytes[8];
};

/* Parses a declared type: qualifiers are skipped, one or more `*` set *pointer. NULL with what would be right. */
const struct element_type *element_type_parse(const char *declared, bool *pointer, struct err *e);

/* Stores the number `v` as one component at `to`. False when it does not fit. */
bool element_type_store(const struct element_type *t, const json_t *v, void *to, struct err *e);
double element_type_load(const struct element_type *t, const void *component);
char *element_type_print(const struct element_type *t, const void *component, char *out, size_t size);

/* How far floating point may be off: a part of the wanted value, a distance, units in the last place; within any of
 * them will do. 0: not at all. */
struct compare_tolerance {
	double relative, absolute, ulp;
};
struct compare_result {
	size_t wrong, first; /* beyond the tolerance, and the first of those */
	double worst;        /* of the largest difference, as a part of what is tolerated; 0 when all are equal */
	size_t worst_at;
	size_t unequal; /* tolerated or not, but for 0 and -0, and NaNs */
	double ulps;    /* the most units in the last place between two finite floating point components */
};
/* Compares `count` components of `a` with those wanted, `b`. Integers exactly; a NaN equals a NaN. */
struct compare_result element_type_compare(const struct element_type *t, const void *a, const void *b, size_t count,
	const struct compare_tolerance *tolerance);
/* Units in the last place between two floating point components. */
double element_type_ulps(const struct element_type *t, const void *a, const void *b);

/* Fills `count` components at `to`; `from` is the index of the first one within its buffer. */
enum fill_kind { FILL_NUMBER, FILL_INDEX, FILL_RANDOM };
struct fill_rule {
	enum fill_kind kind;
	union scalar number; /* as stored, FILL_NUMBER */
};
bool fill_parse(const struct element_type *t, const json_t *v, struct fill_rule *out, struct err *e);
void fill_store(const struct element_type *t, const struct fill_rule *f, void *to, size_t from, size_t count);

#endif
