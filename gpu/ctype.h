/* The C types that buffers and kernel arguments are declared with: size, kind, values, comparison. One table. */
#ifndef GPU_CTYPE_H
#define GPU_CTYPE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum ctype_kind { KIND_SIGNED, KIND_UNSIGNED, KIND_FLOAT };

struct ctype {
	const char *name; /* "unsigned int" */
	size_t size;      /* bytes of an element */
	size_t part;      /* bytes of a component: 4 for float4 */
	enum ctype_kind kind;
};

union scalar {
	int64_t i;
	uint64_t u;
	double d;
	float f;
	uint8_t bytes[8];
};

/* Parses a declared type: qualifiers are skipped, one or more `*` set *pointer. NULL with what would be right. */
const struct ctype *ctype_parse(const char *declared, bool *pointer, struct err *e);

/* Stores the number `v` as one component at `to`. False when it does not fit. */
bool ctype_store(const struct ctype *t, const json_t *v, void *to, struct err *e);
double ctype_value(const struct ctype *t, const void *component);
char *ctype_print(const struct ctype *t, const void *component, char *out, size_t size);

/* How far floating point may be off: a part of the wanted value, a distance, units in the last place; within any of
 * them will do. 0: not at all. */
struct tolerance {
	double relative, absolute, ulp;
};
struct comparison {
	size_t wrong, first; /* beyond the tolerance, and the first of those */
	double worst;        /* of the largest difference, as a part of what is tolerated; 0 when all are equal */
	size_t worst_at;
	size_t unequal; /* tolerated or not, but for 0 and -0, and NaNs */
	double ulps;    /* the most units in the last place between two finite floating point components */
};
/* Compares `count` components of `a` with those wanted, `b`. Integers exactly; a NaN equals a NaN. */
struct comparison ctype_compare(
	const struct ctype *t, const void *a, const void *b, size_t count, const struct tolerance *tolerance);
/* Units in the last place between two floating point components. */
double ctype_ulps(const struct ctype *t, const void *a, const void *b);

/* Fills `count` components at `to`; `from` is the index of the first one within its buffer. */
enum fill_kind { FILL_NUMBER, FILL_INDEX, FILL_RANDOM };
struct fill {
	enum fill_kind kind;
	union scalar number; /* as stored, FILL_NUMBER */
};
bool fill_parse(const struct ctype *t, const json_t *v, struct fill *out, struct err *e);
void fill_store(const struct ctype *t, const struct fill *f, void *to, size_t from, size_t count);

#endif
