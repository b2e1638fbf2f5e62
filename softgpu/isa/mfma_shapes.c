/* The shapes of v_mfma, from the statements of operations.def. */
#include "softgpu/isa/isa.h"
#include "softgpu/isa/semantics_mfma.h"

/* A row's rate tells whether its statement is a shape. */
#define MFMA(elements, side, depth, blocks)          \
	{                                            \
		MFMA_##elements, side, depth, blocks \
	}
#define NO_SHAPE(...) \
	{             \
		0     \
	}
#define SHAPE_FULL      NO_SHAPE
#define SHAPE_QUARTER   NO_SHAPE
#define SHAPE_INT_MUL   NO_SHAPE
#define SHAPE_CVT       NO_SHAPE
#define SHAPE_SHIFT64   NO_SHAPE
#define SHAPE_F64_FMA   NO_SHAPE
#define SHAPE_F64_ADD   NO_SHAPE
#define SHAPE_F64_CVT   NO_SHAPE
#define SHAPE_F64_TRANS NO_SHAPE
#define SHAPE_MATRIX    NO_SHAPE
#define SHAPE_MFMA(...) __VA_ARGS__
#define SHAPE_SCALAR    NO_SHAPE
#define SHAPE_MEM       NO_SHAPE

const struct mfma_shape *isa_mfma_shape(unsigned op)
{
	static const struct mfma_shape shapes[OP_COUNT] = {
#define OP(enc, name, d, d2, s0, s1, s2, unit, rate, traits, ...) [OP_##name] = SHAPE_##rate(__VA_ARGS__),
#include "softgpu/isa/operations.def"
#undef OP
	};

	return &shapes[op < OP_COUNT ? op : OP_INVALID];
}
