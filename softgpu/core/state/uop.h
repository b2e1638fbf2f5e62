/* One decoded instruction, as the decode cache stores it. */
#ifndef SOFTGPU_CORE_STATE_UOP_H
#define SOFTGPU_CORE_STATE_UOP_H

#include <stdint.h>

#include "softgpu/isa/isa.h"

struct wave;
struct uop;
struct jit_block;
typedef void op_fn(struct wave *w, const struct uop *i);

/* Entries of the tables of operations (ops.h) after those of isa_op: the wrapper for modifiers, and VOPD. */
enum { OPS_MODIFIED = OP_COUNT, OPS_DUAL, OPS_TABLE_SIZE };

/* What the issue loop does with an instruction in addition to calling it. Other waves may observe the effects of
 * UOP_SHARED and everything after it. */
enum uop_kind {
	UOP_PLAIN,
	UOP_BRANCH,
	UOP_WAITCNT,
	UOP_SHARED,
	UOP_MEMORY,
	UOP_GLOBAL_SYNC, /* may wait for waves of other CUs, global_wave_sync.h */
	UOP_BARRIER,
	UOP_ENDPGM
};

/* Instructions that fast_issue.h can issue: those no other wave observes, and accesses to the CU's LDS. */
enum fast_class { FAST_NONE, FAST_PRIVATE, FAST_LDS };

/* The floating-point environment that an instruction needs. */
enum fp_class {
	FP_NONE,
	FP_32,       /* f32, denormals by MODE */
	FP_64,       /* f64, denormals by MODE */
	FP_16,       /* f16 computed in f32, which keeps its denormals */
	FP_TRANS_32, /* the transcendental unit ignores MODE's rounding */
	FP_TRANS_64,
	FP_TRANS_16,
	FP_FLUSH,  /* f32 that always flushes denormals */
	FP_NARROW, /* f64 to f32 */
	FP_MIX,    /* f16 and f32 mixed */
	FP_LDS,    /* LDS atomics */
	FP_MEMORY, /* memory atomics */
	FP_COUNT
};

/* The issue loop touches only the first 128 bytes. */
struct uop {
	op_fn *fn;
	uintptr_t src[3]; /* source operand: an address, or an offset from the wave's registers where rel is ~0 */
	uintptr_t rel[3];
	intptr_t dst;  /* bytes from the wave's VGPRs; from its SGPRs for scalar results */
	uint64_t hits; /* times issued in this launch */
	uint64_t pc;
	uint8_t kind, unit, fp; /* enum uop_kind, unit of isa.h, enum fp_class */
	uint8_t cost;           /* cycles until the wave's next issue */
	uint8_t busy;           /* cycles that the unit is taken; 0: handled in the wave's own instruction buffer */
	uint8_t words;
	uint8_t sources;
	uint8_t cu_local;      /* only waves of the same CU observe the effect */
	uint8_t may_run_ahead; /* may execute before its issue cycle, run_ahead.h */
	uint8_t fetch_stall;   /* crosses a fetch window: fewest cycles after the previous issue; else 0 */
	uint8_t wait_vm, wait_vs, wait_lgkm; /* s_waitcnt: outstanding accesses that it permits */
	uint8_t next_waitcnt_words;          /* size of an s_waitcnt that follows; 0: none follows */
	uint8_t fast;                        /* enum fast_class */
	uint8_t is_fetch_entry;  /* starts a line of code, or is a branch target: the wave checks the icache here */
	uint8_t valu_run;        /* number of vector ALU instructions in line from here on */
	uint8_t valu_run_cycles; /* cycles from its issue to that of the last one that can issue back to back; at most
	                          * SCHED_RING_CYCLES */
	uint8_t broadcast;       /* bit per source: an SGPR pair that a vector instruction reads in all lanes */
	uint8_t dependency;      /* bits, line_dependencies.h */
	uint16_t dst2;           /* SGPR number of the mask written; ISA_NONE: none */
	uint16_t mask_src;       /* SGPR number of the mask read; ISA_NONE: none */
	struct uop *target;      /* of a taken branch; found when it is first taken */
	uint64_t resident_in;    /* bit per instruction cache that is known to hold all of it, icache_fetch.h */
	struct jit_block *jit_block; /* host code for it and what follows in line; NULL: none */
	uint64_t constant[3];        /* scalar operands that are not registers */
	op_fn *base_fn;              /* where fn wraps modifiers, SDWA or DPP: the operation itself */
	uint16_t vgprs_needed;
	uint8_t result_slot, result_cycles; /* where wave.result_ready has its result, which takes so many cycles */
	uint8_t awaited[3], awaited_count;  /* slots of the results that it waits for */
	uint8_t awaited_early[3];           /* how many cycles before each it can issue */
	uint8_t matrix_cycles;              /* for which it takes the SIMD's matrix core; 0: it does not */
	uint8_t bank_cycles;                /* of cost: further reads of the same bank of VGPRs */
	uint8_t wait_loop;                  /* first instruction of a kernel: enum wait_loop_search, run_ahead.h */
	struct isa_inst d;
	union {
		struct lds_memo *lds;
		struct memory_memos *memory; /* access_memo.h */
		struct uop *dual;            /* the second operation of VOPD; never NULL there */
		void *memo;
	}; /* what is remembered of its last access; NULL: nothing */
} __attribute__((aligned(64)));

/* Where a branch goes when it is taken. */
static inline uint64_t uop_branch_target(const struct uop *i)
{
	return i->pc + i->words * 4 + (int64_t)i->d.imm * 4;
}

#endif
