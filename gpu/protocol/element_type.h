/* The C types of buffers and kernel arguments: size, kind, values, comparison, fills. */
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

/* Parses a declared type. Qualifiers are skipped; one or more `*` set *pointer. NULL with an error for an unknown type.
 */
const struct element_type *element_type_parse(const char *declared, bool *pointer, struct err *e);

/* Stores the number `v` as one component at `to`. False with an error if it does not fit. */
bool element_type_store(const struct element_type *t, const json_t *v, void *to, struct err *e);
/* The same for a value that is converted as C does: to the nearest float, and modulo 2^bits. */
void element_type_store_float(const struct element_type *t, double v, void *to);
void element_type_store_integer(const struct element_type *t, int64_t v, void *to);
/* One component as a double, as the bits of an integer, and as text. */
double element_type_load(const struct element_type *t, const void *component);
int64_t element_type_load_integer(const struct element_type *t, const void *component);
char *element_type_print(const struct element_type *t, const void *component, char *out, size_t size);

/* The tolerance for floating point: relative to the expected value, absolute, in units in the last place. One of them
 * is enough; 0 tolerates nothing. */
struct compare_tolerance {
	double relative, absolute, ulp;
};
struct compare_result {
	size_t wrong, first; /* components outside the tolerance, and the index of the first of them */
	double worst;        /* the largest difference divided by the tolerance; 0 if all are equal */
	size_t worst_at;
	size_t unequal; /* within the tolerance or not; 0 equals -0, and a NaN equals a NaN */
	double ulps;    /* the largest difference of two finite components in units in the last place */
};
/* Compares `count` components of `a` with the expected ones, `b`. Integers must be equal; a NaN equals a NaN. */
struct compare_result element_type_compare(const struct element_type *t, const void *a, const void *b, size_t count,
	const struct compare_tolerance *tolerance);
/* The first component from `from` on that is outside the tolerance; `count` if there is none. */
size_t element_type_find_wrong(const struct element_type *t, const void *a, const void *b, size_t from, size_t count,
	const struct compare_tolerance *tolerance);
/* The difference of two floating point components in units in the last place. */
double element_type_ulps(const struct element_type *t, const void *a, const void *b);

/* FILL_CHASE: the buffer is divided into lines of a stride. The first component of each line is the byte offset of the
 * line to read next, in one random cycle of all lines; the others are 0. FILL_ADDRESSES: instead of the offset, each
 * line begins with the address of the next one, in 8 bytes. */
enum fill_kind { FILL_NUMBER, FILL_INDEX, FILL_RANDOM, FILL_CHASE, FILL_ADDRESSES };
struct fill_rule {
	enum fill_kind kind;
	union scalar number;  /* FILL_NUMBER: as stored */
	size_t stride, lines; /* FILL_CHASE, FILL_ADDRESSES: components of a line, lines of the buffer */
	uint64_t base;        /* FILL_ADDRESSES: the buffer's address; with 0 the addresses are offsets */
};
/* The fill of a buffer of `count` components. A missing or null `v` fills with 0. */
bool fill_parse(const struct element_type *t, const json_t *v, size_t count, struct fill_rule *out, struct err *e);
/* Fills `count` components at `to`; `from` is the index of the first one within its buffer. */
void fill_store(const struct element_type *t, const struct fill_rule *f, void *to, size_t from, size_t count);

#endif
