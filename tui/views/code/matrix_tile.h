/* Where the elements of a matrix instruction are: lanes and registers of A, B and D, from semantics_mfma.h. */
#ifndef TUI_VIEWS_CODE_MATRIX_TILE_H
#define TUI_VIEWS_CODE_MATRIX_TILE_H

#include "softgpu/isa/isa.h"
#include "softgpu/isa/semantics_mfma.h"

/* The blocks of D, one below the other, are `rows` by shape->side elements. */
struct matrix_tile {
	struct isa_inst inst;
	const struct mfma_shape *shape;
	unsigned rows; /* at most 64 */
};

/* False if it is no v_mfma. */
bool matrix_tile_find(const struct isa_inst *in, struct matrix_tile *out);

/* Register (from 0, within D) and lane of an element. */
struct mfma_place matrix_tile_place(const struct matrix_tile *t, unsigned row, unsigned column);
/* The lanes that have elements of its row of A, and of its column of B: a bit each. */
uint64_t matrix_tile_lanes_of_a(const struct matrix_tile *t, unsigned row);
uint64_t matrix_tile_lanes_of_b(const struct matrix_tile *t, unsigned row, unsigned column);

/* "row 5, column 17 of block 0: lane 49, a1" */
char *matrix_tile_format_result(const struct matrix_tile *t, unsigned row, unsigned column, char *out, size_t size);
/* "row 5 of A in v1: lane 5 has k 0, lane 37 has k 1", "column 17 of B in v2: ..." */
char *matrix_tile_format_row(const struct matrix_tile *t, unsigned row, char *out, size_t size);
char *matrix_tile_format_column(const struct matrix_tile *t, unsigned row, unsigned column, char *out, size_t size);

#endif
