/* Rows as instructions of a target: their names and encodings. */
#ifndef TESTS_SOFTGPU_CORE_ROW_TARGETS_H
#define TESTS_SOFTGPU_CORE_ROW_TARGETS_H

#include <string.h>

#include "softgpu/isa/gfx11/gfx11_encodings.h"
#include "softgpu/isa/gfx9/opcode_table.h"

/* The targets whose rows are tested. gfx1100 is one in waves of 32 lanes, and one in waves of 64. */
static const enum isa_target row_targets[] = {
	ISA_GFX900, ISA_GFX906, ISA_GFX908, ISA_GFX90A, ISA_GFX1100_WAVE64, ISA_GFX1100_WAVE32};
enum { ROW_TARGETS = sizeof row_targets / sizeof *row_targets };

static inline const char *target_arch(enum isa_target target)
{
	return target & ISA_GFX11      ? "gfx1100"
		: target == ISA_GFX906 ? "gfx906"
		: target == ISA_GFX908 ? "gfx908"
		: target == ISA_GFX90A ? "gfx90a"
				       : "gfx900";
}

/* The model with the target. */
static inline const char *target_model(enum isa_target target)
{
	return target & ISA_GFX11      ? "rx7900xtx"
		: target == ISA_GFX906 ? "mi60"
		: target == ISA_GFX908 ? "mi100"
		: target == ISA_GFX90A ? "mi210"
				       : "mi25";
}

/* A load of half a register clears the other half, where registers have ECC. */
static inline bool target_clears_other_half(enum isa_target target)
{
	return target == ISA_GFX906 || target == ISA_GFX908 || target == ISA_GFX90A;
}

/* Flags for the assembler. */
static inline const char *target_flags(enum isa_target target)
{
	return target == ISA_GFX1100_WAVE64 ? "-mcpu=gfx1100 -mwavefrontsize64"
		: target & ISA_GFX11        ? "-mcpu=gfx1100"
		: target == ISA_GFX906      ? "-mcpu=gfx906"
		: target == ISA_GFX908      ? "-mcpu=gfx908"
		: target == ISA_GFX90A      ? "-mcpu=gfx90a"
					    : "-mcpu=gfx900";
}

static inline int target_lanes(enum isa_target target)
{
	return isa_is_wave32(target) ? 32 : 64;
}

static inline const char *target_vcc(enum isa_target target)
{
	return isa_is_wave32(target) ? "vcc_lo" : "vcc";
}

/* The encoding of an operation on gfx11, other than VOPD; that of row 0 if it has none. */
static inline const struct gfx11_encoding *gfx11_encoding_of(unsigned op)
{
	const struct gfx11_encoding *e;

	for (unsigned row = 1; (e = gfx11_encoding_at(row))->op != OP_INVALID; row++)
		if (e->op == op && e->enc != ENC_VOPD)
			return e;
	return gfx11_encoding_at(0);
}

static inline bool target_has_row(unsigned op, enum isa_target target)
{
	return target & ISA_GFX11 ? gfx11_encoding_of(op)->op != OP_INVALID : isa_info(op)->targets & target;
}

/* The source that is a literal; 0: none is. */
static inline unsigned row_literal_source(unsigned op)
{
	return isa_literal_source(op) ? isa_literal_source(op) : gfx11_literal_source(op);
}

/* Whether a row with a short form also has a long one. */
static inline bool row_has_long(unsigned op, enum isa_target target)
{
	return target & ISA_GFX11 ? gfx11_has_long(gfx11_encoding_of(op)) : isa_has_long(isa_info(op));
}

/* LLVM 15 does not have this row of VOP1. */
static inline bool lacks_text(unsigned op)
{
	return op == OP_v_mov_b16;
}

static inline const char *row_mnemonic(unsigned op, enum isa_target target)
{
	return target & ISA_GFX11 ? gfx11_encoding_of(op)->mnemonic : isa_info(op)->name;
}

/* Whether the names of the two forms of a row end in _e32 and _e64. */
static inline bool has_suffixes(unsigned op, enum isa_target target)
{
	const struct gfx11_encoding *e = gfx11_encoding_of(op);
	unsigned enc = target & ISA_GFX11 ? e->enc : isa_info(op)->enc;
	bool has_long = target & ISA_GFX11 ? gfx11_has_long(e) : isa_has_e32_suffix(isa_info(op));

	return (enc == ENC_VOP1 || enc == ENC_VOP2 || enc == ENC_VOPC) && has_long;
}

static inline const char *row_suffix(unsigned op, enum isa_target target, bool is_long)
{
	return !has_suffixes(op, target) ? "" : is_long ? "_e64" : "_e32";
}

#endif
