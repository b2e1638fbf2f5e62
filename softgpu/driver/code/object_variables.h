/* The variables of a code object: __device__ and __constant__ ones, constants of functions, and what lies between them.
 *
 * The compiler gives a symbol to each of them, also to those without a name in the source, so what no symbol covers is
 * filling. That holds for the sections of data. Of other sections, and of those with a symbol without a size, nothing
 * is known. */
#ifndef SOFTGPU_DRIVER_CODE_OBJECT_VARIABLES_H
#define SOFTGPU_DRIVER_CODE_OBJECT_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct object_item {
	uint64_t from, to; /* bytes from the start of the loaded image */
	char *name;        /* symbol; NULL: no variable, nothing is known */
};
/* In the order of the addresses; none overlap. */
struct object_variables {
	struct object_item *list;
	size_t count;
};

/* Reads the file of a code object. None: it is damaged, or has no table of symbols. object_variables_free in any case.
 */
void object_variables_read(const uint8_t *file, size_t bytes, struct object_variables *out);
void object_variables_free(struct object_variables *v);

enum object_place { PLACE_UNKNOWN, PLACE_VARIABLE, PLACE_FILLING };
struct object_extent {
	enum object_place place;
	uint64_t from, to;
	size_t item; /* the variable; of filling: the nearest one. Not for PLACE_UNKNOWN */
};
/* What is at an offset of the image, which has `bytes` bytes. */
struct object_extent object_variables_find(const struct object_variables *v, uint64_t bytes, uint64_t offset);

#endif
