#include "tui/views/code/matrix_tile.h"

#include <stdio.h>

#include "softgpu/isa/register_effects.h"

enum { LANES = 64 };

bool matrix_tile_find(const struct isa_inst *in, struct matrix_tile *out)
{
	const struct mfma_shape *s = isa_mfma_shape(in->op);
	if (!s->side)
		return false;
	*out = (struct matrix_tile){*in, s, (unsigned)s->side * s->blocks};
	return true;
}

struct mfma_place matrix_tile_place(const struct matrix_tile *t, unsigned row, unsigned column)
{
	struct mfma_place p = mfma_result_place(t->shape, row / t->shape->side, row % t->shape->side);
	p.lane += column;
	return p;
}

/* Elements of a row of A, or of a column of B, that a lane has. */
static unsigned elements_of_lane(const struct matrix_tile *t)
{
	return t->shape->depth * t->rows / LANES;
}

/* The row of A, counted through the blocks, that is multiplied for a row of D. */
static unsigned row_of_a(const struct matrix_tile *t, unsigned row)
{
	const unsigned side = t->shape->side;
	return mfma_source_block(t->shape, row / side, t->inst.cbsz, t->inst.abid) * side + row % side;
}

static unsigned column_of_b(const struct matrix_tile *t, unsigned row, unsigned column)
{
	return row / t->shape->side * t->shape->side + column;
}

uint64_t matrix_tile_lanes_of_a(const struct matrix_tile *t, unsigned row)
{
	uint64_t lanes = 0;
	for (unsigned lane = row_of_a(t, row); lane < LANES; lane += t->rows)
		lanes |= UINT64_C(1) << lane;
	return lanes;
}

uint64_t matrix_tile_lanes_of_b(const struct matrix_tile *t, unsigned row, unsigned column)
{
	uint64_t lanes = 0;
	for (unsigned lane = column_of_b(t, row, column); lane < LANES; lane += t->rows)
		lanes |= UINT64_C(1) << mfma_source_lane(lane, t->inst.blgp);
	return lanes;
}

/* --- texts --- */
char *matrix_tile_format_result(const struct matrix_tile *t, unsigned row, unsigned column, char *out, size_t size)
{
	char name[32];
	const struct mfma_place p = matrix_tile_place(t, row, column);
	snprintf(out, size, "row %u, column %u of block %u: lane %u, %s", row % t->shape->side, column,
		row / t->shape->side, p.lane,
		isa_span_text(
			(struct isa_span){(uint16_t)(t->inst.dst + p.number), 1}, t->inst.target, name, sizeof name));
	return out;
}

static const char *name_source(const struct matrix_tile *t, unsigned k, char *out, size_t size)
{
	const unsigned dwords = isa_operand_dwords(t->inst.target, isa_info(t->inst.op)->src[k]);
	return isa_span_text((struct isa_span){t->inst.src[k], (uint16_t)dwords}, t->inst.target, out, size);
}

/* Appends the elements that each lane has: first, first + rows and so on, or the lanes that blgp replaces them by. */
static void append_lanes(const struct matrix_tile *t, unsigned first, unsigned blgp, char *out, size_t size, size_t n)
{
	const unsigned each = elements_of_lane(t);
	unsigned k = 0;
	for (unsigned lane = first; lane < LANES && n < size; lane += t->rows, k += each) {
		n += (size_t)snprintf(
			out + n, size - n, "%slane %u has k %u", k ? ", " : " ", mfma_source_lane(lane, blgp), k);
		if (each > 1 && n < size)
			n += (size_t)snprintf(out + n, size - n, "..%u", k + each - 1);
	}
}

char *matrix_tile_format_row(const struct matrix_tile *t, unsigned row, char *out, size_t size)
{
	char name[32];
	const unsigned at = row_of_a(t, row);
	const int n =
		snprintf(out, size, "row %u of A in %s:", at % t->shape->side, name_source(t, 0, name, sizeof name));
	append_lanes(t, at, 0, out, size, (size_t)n);
	return out;
}

char *matrix_tile_format_column(const struct matrix_tile *t, unsigned row, unsigned column, char *out, size_t size)
{
	char name[32];
	const int n = snprintf(out, size, "column %u of B in %s:", column, name_source(t, 1, name, sizeof name));
	append_lanes(t, column_of_b(t, row, column), t->inst.blgp, out, size, (size_t)n);
	return out;
}
