/* The instruction sets: a decoder and a printer that matches llvm-objdump.
 *
 * A family of targets has a folder: gfx9/, gfx11/. operations.def holds one row per operation; this header expands it
 * into enum isa_op. Families share operations; each encodes them in its own way. All functions are pure: no state, no
 * allocation, safe from any thread. Sources for encodings: AMD "Vega" Instruction Set Architecture
 * Reference Guide (2020), chapter 13, AMD "RDNA3" Instruction Set Architecture Reference Guide (2023), chapter 15, and
 * LLVM's AMDGPU usage pages.
 */
#ifndef SOFTGPU_ISA_ISA_H
#define SOFTGPU_ISA_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Instruction sets. They are bits because a row may be valid on several; target.c says which targets have them. The
 * wave size of gfx11 belongs to the kernel; it determines the width of lane masks. */
enum isa_target {
	ISA_GFX900 = 1,
	ISA_GFX906 = 2,
	ISA_GFX908 = 4,
	ISA_GFX1100_WAVE32 = 8,
	ISA_GFX1100_WAVE64 = 16,
	ISA_GFX90A = 32,
	ISA_BEFORE_GFX90A = ISA_GFX900 | ISA_GFX906 | ISA_GFX908, /* gfx90a dropped it */
	ISA_GFX908_UP = ISA_GFX908 | ISA_GFX90A,
	ISA_GFX906_UP = ISA_GFX906 | ISA_GFX908_UP,
	ISA_GFX9 = ISA_GFX900 | ISA_GFX906_UP,
	ISA_GFX11 = ISA_GFX1100_WAVE32 | ISA_GFX1100_WAVE64,
	ISA_WAVE32 = ISA_GFX1100_WAVE32 /* those of waves of 32 lanes */
};

enum isa_enc {
	ENC_SOP1,
	ENC_SOP2,
	ENC_SOPK,
	ENC_SOPC,
	ENC_SOPP,
	ENC_SMEM,
	ENC_VOP1,
	ENC_VOP2,
	ENC_VOPC,
	ENC_VOP3,
	ENC_VOP3P,
	ENC_DS,
	ENC_FLAT,
	ENC_GLOBAL,
	ENC_SCRATCH,
	ENC_MTBUF,
	ENC_MUBUF,
	ENC_MIMG,
	ENC_VOPD, /* gfx11: two operations, which issue together */
	ENC_COUNT
};

/* The unit that executes an instruction. */
enum isa_unit {
	UNIT_SALU,
	UNIT_VALU,
	UNIT_SMEM,
	UNIT_VMEM,
	UNIT_FLAT,
	UNIT_LDS,
	UNIT_BRANCH,
	UNIT_INTERNAL,
	UNIT_COUNT
};

/* Issue-rate classes. Their cycles are model constants, because they differ between GPUs. */
enum isa_rate {
	RATE_FULL,    /* simple 32-bit */
	RATE_QUARTER, /* transcendental */
	RATE_INT_MUL, /* 32-bit integer multiply */
	RATE_CVT,     /* conversion of f32 to or from f16 and 32-bit integers: also quarter rate, but rounded by MODE */
	RATE_SHIFT64, /* 64-bit shift or integer compare, swap */
	RATE_F64_FMA, /* f64 mul, fma, div_fmas, trig */
	RATE_F64_ADD, /* f64 add, compare, min, max, round */
	RATE_F64_CVT, /* conversion to or from f64 */
	RATE_F64_TRANS, /* f64 rcp, rsq, sqrt */
	RATE_MATRIX,    /* 16 x 16 x 16 multiply-add of gfx11 */
	RATE_MFMA,      /* matrix core of gfx908 */
	RATE_SCALAR,    /* scalar unit */
	RATE_MEM,       /* memory and LDS issue */
	RATE_COUNT
};

/* Operand numbers are the 9-bit source space of gfx9, also for destinations. gfx11 exchanges the numbers of M0 and
 * NULL; its decoder translates. */
enum {
	ISA_SGPR0 = 0,
	ISA_FLAT_SCRATCH = 102,
	ISA_XNACK_MASK = 104,
	ISA_VCC = 106,
	ISA_TTMP0 = 108,
	ISA_M0 = 124,
	ISA_NULL, /* gfx11: reads as 0, discards what is written */
	ISA_EXEC = 126,
	ISA_INT0 = 128, /* 128 is 0, 129..192 are 1..64, 193..208 are -1..-16 */
	ISA_SHARED_BASE = 235,
	ISA_SHARED_LIMIT,
	ISA_PRIVATE_BASE,
	ISA_PRIVATE_LIMIT,
	ISA_POPS_EXITING_WAVE_ID,
	ISA_F_HALF = 240, /* 0.5 -0.5 1 -1 2 -2 4 -4 1/(2*pi) */
	ISA_VCCZ = 251,
	ISA_EXECZ = 252,
	ISA_SCC = 253,
	ISA_LDS_DIRECT = 254,
	ISA_LITERAL = 255,
	ISA_VGPR0 = 256,
	ISA_AGPR0 = 512 /* accumulation registers of gfx908 and gfx90a */,
	ISA_NONE = 0xffff
};

/* Operand types, for the columns d to s2 of operations.def. `_` means no operand. The type determines the width in
 * dwords. */
enum isa_type {
	T__,
	T_B16,
	T_I16,
	T_U16,
	T_F16,
	T_B32,
	T_I32,
	T_U32,
	T_F32,
	T_B64,
	T_I64,
	T_U64,
	T_F64,
	T_B96,
	T_B128,
	T_B256,
	T_B512,
	T_P16 /* packed pair of 16-bit */,
	T_CARRY /* lane mask: VCC in the short encodings, any SGPR pair in VOP3B */,
	T_MASK /* lane mask written by compares */,
	T_ADDR /* vector address of a memory instruction, 1 or 2 dwords by segment */,
	T_SBASE /* SGPR pair of an SMEM address */,
	T_SRSRC /* 4 SGPRs of a buffer descriptor */,
	T_SIMM16,
	T_F16K,
	T_I16K,
	T_U16K,
	T_B16K /* destinations that keep the register's other half */,
	T_P32 /* gfx90a: packed pair of f32 */,
	T_ACC /* one of gfx908's accumulation registers */,
	T_ACC4,
	T_ACC16,
	T_ACC32 /* so many of them in a row; as a source also a constant; on gfx90a also VGPRs */,
	T_ACC2,
	T_ACC8 /* the same, of f64 in pairs */,
	T_S32 /* SGPR destination of a vector instruction */,
	T_EXEC /* as d2: the mask is written to EXEC too (v_cmpx) */,
	T_MIX /* f32, or a half of the register: v_mad_mix */,
	T_OFF2 /* as d2 of DS: two 8-bit offsets, imm and offset1, instead of one */,
	T_BF16 /* bfloat16 */,
	T_MATRIX /* gfx11: 16 x 16 elements, spread over the wave's lanes; 4 dwords in wave64 */,
	T_COUNT
};

/* What a row's semantics use beyond its operand columns; the traits column of operations.def combines these bits. */
enum isa_trait {
	READS_SCC = 1,
	WRITES_SCC = 2,
	READS_VCC = 4, /* VCC without an operand field: s_cbranch_vccz, the carry-in of v_div_fmas */
	READS_EXEC = 8,
	WRITES_EXEC = 16,
	READS_M0 = 32,
	READS_D = 64,       /* the old value of the destination is an input, or a part of it stays */
	WRITES_S0 = 128,    /* source 0 is also written: v_swap */
	IGNORES_EXEC = 256, /* a vector row that selects its lane itself: v_readlane, v_writelane */
	CLASS_TEST = 512,   /* examines the bits of A: denormals are not flushed, B is a set of classes */
	PACKED_F16 = 1024,  /* the P16 operands are halves, which have signs and denormals */
	LDS_MOVE = 2048,    /* loads or stores LDS, or moves data across lanes: LDS rows that are not atomic */
	LDS_F32_ATOMIC = 4096,
	FLOAT_ATOMIC = 8192, /* other atomics of floats */
	VMEM_ATOMIC = 16384, /* FLAT, GLOBAL, MUBUF, MIMG: an atomic, which returns the old value if glc is set */
	GATHERS = 32768      /* MIMG: returns one component of four texels */
};

enum isa_form { FORM_PLAIN, FORM_SDWA, FORM_DPP, FORM_DPP8 };
enum isa_flag {
	FLAG_GLC = 1,
	FLAG_SLC = 2,
	FLAG_NV = 4,
	FLAG_LDS = 8,
	FLAG_TFE = 16,
	FLAG_OFFEN = 32,
	FLAG_IDXEN = 64,
	FLAG_GDS = 128,
	FLAG_SADDR = 256 /* FLAT: src[2] is an SGPR base; SMEM: soffset_en */,
	FLAG_IMM = 512 /* SMEM: offset is immediate */,
	FLAG_DLC = 1024 /* gfx11 */,
	/* MIMG */
	FLAG_UNORM = 2048, /* coordinates are in texels */
	FLAG_DA = 4096,    /* the address has an array index */
	FLAG_LWE = 8192,
	FLAG_A16 = 16384, /* 16-bit address components, two per register */
	FLAG_D16 = 32768  /* 16-bit data components, two per register */
};

/* The operands of an image sample in addition to the coordinates (Vega ISA 8.2.4), and gather4. */
enum isa_image_sample {
	SAMPLE_COMPARE = 1,
	SAMPLE_DERIVATIVES = 2,
	SAMPLE_LOD = 4,
	SAMPLE_BIAS = 8,
	SAMPLE_CLAMP = 16, /* a lower limit of the level */
	SAMPLE_OFFSET = 32,
	SAMPLE_GATHER = 64
};

enum isa_op {
	OP_INVALID = 0,
#define OP(enc, name, ...) OP_##name,
#include "softgpu/isa/operations.def"
#undef OP
	OP_COUNT
};

/* The second operation of VOPD. Its src[2] is the old destination of v_dual_fmac. A literal is that of the instruction.
 */
struct isa_dual {
	uint16_t op; /* OP_INVALID: none */
	uint16_t row, dst, src[3];
};

struct isa_inst {
	uint16_t op;     /* enum isa_op */
	uint16_t row;    /* gfx11: of its table of encodings */
	uint16_t target; /* enum isa_target: the one it was decoded for */
	uint8_t enc;     /* the encoding found: ENC_VOP3 for a VOP2 row in its long form */
	uint8_t form;    /* enum isa_form */
	uint8_t size;    /* bytes: 4, 8 or 12 */
	uint8_t clamp, omod;
	uint8_t neg, abs; /* a bit per source; neg has no effect on an integer source (v_ldexp, v_pk_add_i16) */
	uint8_t op_sel, op_sel_hi, neg_hi; /* a bit per source; op_sel bit 3 is the destination */
	uint8_t cbsz, abid, blgp;          /* v_mfma: which blocks of A and lanes of B are read, semantics_mfma.h */
	uint16_t flags;                    /* enum isa_flag */
	uint16_t dst;                      /* operand number; ISA_NONE: none */
	uint16_t dst2;                     /* carry-out; ISA_EXEC for v_cmpx */
	uint16_t src[3];  /* FLAT: address, data, saddr. DS: address, data0, data1. MUBUF, MTBUF: vaddr, srsrc, soffset;
	                     data in dst (loads) or data. MIMG: the first address register, the image's descriptor, the
	                     sampler's; data as in MUBUF. SMEM: sbase, soffset, data of a store or an atomic; for
	                     s_atc_probe the operation number is in offset1 */
	uint16_t data;    /* store data VGPR of MUBUF, MTBUF and MIMG, ISA_NONE otherwise */
	uint32_t literal; /* when a source is ISA_LITERAL */
	int32_t imm;     /* SIMM16, sign-extended where the instruction requires it; memory offset; DS offset0 or 16-bit
	                    offset; dmask of MIMG */
	uint8_t offset1; /* DS instructions with two offsets */
	uint8_t format;  /* MTBUF; gfx9: the data format, and from bit 4 on the number format; gfx11: BUF_FMT_* */
	uint8_t dst_sel, dst_unused, src_sel[2], sext; /* SDWA, sext a bit per source */
	uint16_t dpp_ctrl;
	uint8_t row_mask, bank_mask, bound_ctrl;
	uint8_t fetch_inactive; /* DPP of gfx11 */
	uint32_t dpp8;          /* lane selectors, 3 bits per lane of a group of 8 */
	struct isa_dual dual;
};

struct isa_info {
	const char *name;
	uint16_t targets;          /* that have it; of an operation of gfx9 only those of gfx9 */
	uint16_t code;             /* on these */
	uint16_t traits;           /* enum isa_trait */
	uint8_t enc;               /* the encoding in the family that defines the row */
	uint8_t unit, rate;        /* enum isa_unit, enum isa_rate */
	uint8_t dst, dst2, src[3]; /* enum isa_type */
};

/* Never NULL. Row 0 is "invalid". */
const struct isa_info *isa_info(unsigned op);
unsigned isa_type_dwords(enum isa_type t);
/* Dwords of an operand: lane masks have a bit per lane, and matrices are spread over the lanes. */
unsigned isa_operand_dwords(enum isa_target target, enum isa_type type);
/* Data registers of a MIMG instruction: those of the components in dmask, and one for TFE. */
unsigned isa_image_data_dwords(const struct isa_inst *in);
/* Whether operands of this type have 16 bits. */
bool isa_is_half(enum isa_type type);

/* Whether it is a buffer instruction, with a descriptor in src[1]. */
static inline bool isa_is_buffer(unsigned enc)
{
	return enc == ENC_MTBUF || enc == ENC_MUBUF;
}

/* Whether a buffer instruction converts its data from or to a format. */
static inline bool isa_converts_format(unsigned op)
{
	return op >= OP_tbuffer_load_format_x && op <= OP_buffer_store_format_d16_hi_x;
}

/* Whether it is a ds_gws instruction, which has no form without gds. */
bool isa_is_global_wave_sync(unsigned op);

/* Decodes one instruction at `code`; `avail` bytes may be read. Returns its size in bytes, or 0 if the words are not a
 * known instruction of this target (out->op is then OP_INVALID). */
unsigned isa_decode(const void *code, size_t avail, enum isa_target target, struct isa_inst *out);

/* The mnemonic on the target that the instruction was decoded for, without a suffix such as _e32. */
const char *isa_mnemonic(const struct isa_inst *in);

/* The second operation of VOPD as an instruction of its own, which has no text. */
struct isa_inst isa_second_operation(const struct isa_inst *in);
/* Whether VOPD has the operation. */
bool isa_has_dual_form(unsigned op);

/* The text that llvm-objdump-15 prints, without address and comment. `pc` is the address of the instruction. Returns
 * the length; always terminates the text. */
size_t isa_print(const struct isa_inst *in, uint64_t pc, char *out, size_t size);

/* Describes the unknown instruction at `code` for a message, for example "VOP3 opcode 0x1f3". */
size_t isa_print_unknown(const void *code, size_t avail, enum isa_target target, char *out, size_t size);

/* Whether lane masks are 32 bits wide. */
static inline bool isa_is_wave32(enum isa_target t)
{
	return t & ISA_WAVE32;
}

/* The name of the i-th target, "gfx900"; NULL after the last. */
const char *isa_target_name(size_t i);
/* The instruction set of a target, in waves of 32 lanes if it has them; 0: unknown. */
enum isa_target isa_target_by_name(const char *name);
/* The target's name by the flags of an ELF file of code for it; NULL: unknown. */
const char *isa_target_name_of_elf(uint32_t e_flags);
/* The same for waves of 32 or 64 lanes; gfx9 has only 64. */
enum isa_target isa_target_of_wave_size(enum isa_target t, unsigned lanes);

#endif
