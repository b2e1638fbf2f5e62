/* A family of instruction sets: targets that encode and print instructions the same way. Its value is in the family's
 * folder (gfx9/gfx9_family.c); target.c says which targets belong to it. */
#ifndef SOFTGPU_ISA_ISA_FAMILY_H
#define SOFTGPU_ISA_ISA_FAMILY_H

#include "softgpu/isa/isa.h"

/* A count in the immediate of s_waitcnt: its lower bits, and those above them, which may be elsewhere. All ones: do not
 * wait. */
struct isa_wait_field {
	uint8_t shift, bits, high_shift, high_bits;
};

/* The hardware register that says where a wave is: its number for s_getreg, and the first bit of each field. The slot
 * of the wave begins at bit 0. */
struct isa_place_register {
	uint8_t number, simd, processor, processor_bits, array, engine, engine_bits;
};

struct isa_family {
	const char *name; /* "gfx9": its folder, also of kernels in assembly */
	/* As the functions of isa.h, for its own targets. */
	unsigned (*decode)(const void *code, size_t avail, enum isa_target target, struct isa_inst *out);
	const char *(*mnemonic)(const struct isa_inst *in);
	size_t (*print)(const struct isa_inst *in, char *out, size_t size);
	size_t (*print_unknown)(const void *code, size_t avail, char *out, size_t size);
	struct isa_wait_field vmcnt, expcnt, lgkmcnt;
	bool counts_stores;     /* stores have a counter of their own, vscnt; else they count in vmcnt */
	bool keeps_halves;      /* every 16-bit result keeps the other half of its register; else those of some types */
	bool has_pairs;         /* two operations in one instruction, VOPD, in waves of 32 lanes */
	uint8_t sgprs;          /* operand numbers from here on are special registers */
	bool has_window_stalls; /* a single wave waits when an instruction crosses two fetch windows */
	struct isa_place_register place;
	uint64_t more_hwregs; /* bit per number of enum isa_hwreg: those that the other families do not have */
};

/* Numbers of hardware registers, for s_getreg and s_setreg. */
enum isa_hwreg {
	HWREG_MODE = 1,
	HWREG_STATUS,
	HWREG_LDS_ALLOC = 6,
	HWREG_SH_MEM_BASES = 15,
	/* not in all families */
	HWREG_FLAT_SCR_LO = 20,
	HWREG_FLAT_SCR_HI,
	HWREG_HW_ID2 = 24,
	HWREG_SHADER_CYCLES = 29
};

/* Never NULL; for 0 the family of gfx900. */
const struct isa_family *isa_family_of(enum isa_target target);

static inline unsigned isa_wait_count(struct isa_wait_field f, unsigned imm)
{
	return (imm >> f.shift & ((1u << f.bits) - 1)) | (imm >> f.high_shift & ((1u << f.high_bits) - 1)) << f.bits;
}

/* The largest count, which is the most accesses that the counter can have outstanding. */
static inline unsigned isa_wait_most(struct isa_wait_field f)
{
	return (1u << (f.bits + f.high_bits)) - 1;
}

#endif
