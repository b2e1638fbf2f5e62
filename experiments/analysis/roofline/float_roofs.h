/* Floating-point operations of instructions, and how many of each kind a CU can do in a cycle. */
#ifndef EXPERIMENTS_ANALYSIS_FLOAT_ROOFS_H
#define EXPERIMENTS_ANALYSIS_FLOAT_ROOFS_H

/* Type of the factors, and the unit that multiplies them. */
enum float_kind {
	VECTOR_F32,
	PACKED_F32, /* v_pk_fma_f32: two at once */
	VECTOR_F16,
	VECTOR_F64,
	MATRIX_F32,
	MATRIX_F16,
	MATRIX_BF16,
	MATRIX_BF16_1K,
	MATRIX_F64,
	FLOAT_KIND_COUNT
};

/* "f16 on matrix cores" */
const char *float_kind_name(enum float_kind kind);

/* FLOPs of an instruction, over all lanes of its wave, by its text; 0: it does none. *kind is set if not. */
double instruction_flops(const char *text, unsigned lanes, enum float_kind *kind);

/* FLOPs of a CU in a cycle; 0: the target has no such instructions, or it is not known. "": a target that is not known.
 */
double float_roof(const char *arch, enum float_kind kind);

#endif
