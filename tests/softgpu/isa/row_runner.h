/* Runs the semantics of the rows for one lane, without the executor. */
#ifndef TESTS_SOFTGPU_ISA_ROW_RUNNER_H
#define TESTS_SOFTGPU_ISA_ROW_RUNNER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "softgpu/isa/semantics_helpers.h"
#include "tests/softgpu/isa/row_tests.h"

struct state {
	uint64_t a, b, c, d, exec, vcc;
	int scc, cin, cout, clamp, neg, lane;
	int32_t simm;
};

static inline struct quad quad_of(uint64_t v)
{
	return (struct quad){{(uint32_t)v, (uint32_t)(v >> 32), 0, 0}};
}

/* The C type of each operand type, and conversions. */
/* clang-format off */
#define TYPES(X) \
	X(B16, uint16_t, v, v) X(I16, int16_t, v, v) X(U16, uint16_t, v, v) X(B32, uint32_t, v, v) X(I32, int32_t, v, v) \
	X(U32, uint32_t, v, v) X(B64, uint64_t, v, v) X(I64, int64_t, v, v) X(U64, uint64_t, v, v) X(P16, uint32_t, v, v) \
	X(F32, float, bits_f32(v), f32_bits(v)) X(F64, double, bits_f64(v), f64_bits(v)) X(MIX, float, bits_f32(v), f32_bits(v)) \
	X(F16, float, f16_to_f32(v), f32_to_f16(v)) X(F16K, float, f16_to_f32(v), f32_to_f16(v)) X(I16K, int16_t, v, (uint16_t)v) \
	X(U16K, uint16_t, v, v) X(MASK, int, v, v) X(S32, uint32_t, v, v) X(CARRY, uint64_t, v, v) X(_, uint64_t, v, v) \
	X(SIMM16, uint64_t, v, v) X(ADDR, uint64_t, v, v) X(SBASE, uint64_t, v, v) X(SRSRC, uint64_t, v, v) \
	X(B96, uint64_t, v, v) X(B128, struct quad, quad_of(v), v.v[0]) X(ACC, uint32_t, v, v) X(ACC4, uint64_t, v, v) X(ACC16, uint64_t, v, v) X(ACC32, uint64_t, v, v) X(ACC2, uint64_t, v, v) X(ACC8, uint64_t, v, v) X(P32, uint64_t, v, v) X(B256, uint64_t, v, v) X(B512, uint64_t, v, v) \
	X(BF16, float, bf16_to_f32(v), f32_to_bf16(v)) X(MATRIX, uint64_t, v, v)
/* clang-format on */
#define X(t, ctype, in, out)                    \
	typedef ctype ct_##t;                   \
	static inline ctype get_##t(uint64_t v) \
	{                                       \
		return (ctype)(in);             \
	}                                       \
	static inline uint64_t put_##t(ctype v) \
	{                                       \
		return (uint64_t)(out);         \
	}
TYPES(X)
#undef X

typedef uint32_t __attribute__((may_alias)) dword;

static inline dword *low_half(uint64_t *v)
{
	return (dword *)v;
}

/* Statements that the executor implements do nothing here. */
#define NOTHING              ((void)0)
#define NOP                  NOTHING
#define ENDPGM               NOTHING
#define BARRIER              NOTHING
#define WAITCNT              NOTHING
#define SLEEP                NOTHING
#define SETPRIO              NOTHING
#define SENDMSG              NOTHING
#define TRAP                 NOTHING
#define SETHALT              NOTHING
#define ICACHE_INV           NOTHING
#define GETREG               NOTHING
#define SETREG               NOTHING
#define BRANCH(cond)         (D = (cond) ? 1 : 0)
#define FORK(mask, target)   NOTHING
#define JOIN                 NOTHING
#define PRIVILEGED           NOTHING
#define SETVSKIP(bit)        NOTHING
#define SETKILL              NOTHING
#define SENDMSGHALT          NOTHING
#define CANONICAL(x)         (x)
#define TAKEN(x)             (x)
#define MODE_FLUSH_IN(x)     (x)
#define MODE_FLUSH_OUT(x)    (x)
#define GETPC                NOTHING
#define SETPC                NOTHING
#define SWAPPC               NOTHING
#define CALL                 NOTHING
#define GPR_IDX_ON           NOTHING
#define GPR_IDX_OFF          NOTHING
#define GPR_IDX_IDX          NOTHING
#define GPR_IDX_MODE         NOTHING
#define MOVRELS(n)           NOTHING
#define MOVRELD(n)           NOTHING
#define READLANE             NOTHING
#define READFIRSTLANE        NOTHING
#define WRITELANE            NOTHING
#define SWAP                 NOTHING
#define MIXLO(x)             (D = (x))
#define MIXHI(x)             (D = (x))
#define SENDMSG_RTN          NOTHING
#define SET_MODE(low, n)     NOTHING
#define ILLEGAL              NOTHING
#define MOVRELSD_2           NOTHING
#define VMOVRELD             NOTHING
#define VMOVRELS             NOTHING
#define VMOVRELSD            NOTHING
#define VMOVRELSD_2          NOTHING
#define SWAPREL              NOTHING
#define PERMLANE16(x)        NOTHING
#define PERMLANE64           NOTHING
#define WMMA(f)              NOTHING
#define WMMA_16(f)           NOTHING
#define MFMA(...)            NOTHING
#define SUBVECTOR_LOOP_BEGIN NOTHING
#define SUBVECTOR_LOOP_END   NOTHING
#define SCC                  (s->scc)
#define EXEC                 (s->exec)
#define EXEC_LO              (*low_half(&s->exec))
#define SIGNED(k)            (s->neg >> (k)&1)
#define VCC                  (s->vcc)
#define CIN                  ((uint32_t)s->cin)
#define COUT                 (s->cout)
#define CLAMP                (s->clamp)
#define LANE                 (s->lane)
#define SIMM                 (s->simm)

/* Memory rows (RUN_0) are not run: they need a memory. */
#define RUN_1(name, td, s0, s1, s2, ...)        \
	static void run_##name(struct state *s) \
	{                                       \
		ct_##s0 A = get_##s0(s->a);     \
		ct_##s1 B = get_##s1(s->b);     \
		ct_##s2 C = get_##s2(s->c);     \
		ct_##td D = get_##td(s->d);     \
		(void)A, (void)B, (void)C;      \
		__VA_ARGS__;                    \
		s->d = put_##td(D);             \
	}
#define RUN_0(name, ...)                        \
	static void run_##name(struct state *s) \
	{                                       \
		(void)s;                        \
	}
#define RUN_SOP1    RUN_1
#define RUN_SOP2    RUN_1
#define RUN_SOPC    RUN_1
#define RUN_SOPK    RUN_1
#define RUN_SOPP    RUN_1
#define RUN_VOP1    RUN_1
#define RUN_VOP2    RUN_1
#define RUN_VOPC    RUN_1
#define RUN_VOP3    RUN_1
#define RUN_VOP3P   RUN_1
#define RUN_VOPD    RUN_1
#define RUN_SMEM    RUN_0
#define RUN_DS      RUN_0
#define RUN_FLAT    RUN_0
#define RUN_GLOBAL  RUN_0
#define RUN_SCRATCH RUN_0
#define RUN_MTBUF   RUN_0
#define RUN_MUBUF   RUN_0
#define RUN_MIMG    RUN_0
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
#define OP(enc, name, d, d2, s0, s1, s2, unit, rate, traits, ...) RUN_##enc(name, d, s0, s1, s2, __VA_ARGS__)
#include "softgpu/isa/operations.def"
#undef OP
#pragma GCC diagnostic pop

/* A switch, because clang-format takes a header with such a table for Objective-C. */
static inline void run_row(unsigned op, struct state *s)
{
	switch (op) {
#define OP(enc, name, ...)     \
	case OP_##name:        \
		run_##name(s); \
		return;
#include "softgpu/isa/operations.def"
#undef OP
	}
}

/* Sources, old d, carry-in or SCC before -> d, carry-out or SCC after (-1: not checked). */
struct expectation {
	unsigned op;
	uint64_t a, b, c, old;
	int in;
	uint64_t d;
	int out;
};

static bool was_run[OP_COUNT];

#define F32(x) f32_bits(x)
#define F64(x) f64_bits(x)

/* neg: a bit per source. */
static inline void check_row(const struct expectation *e, int clamp, int neg)
{
	struct state s = {.a = e->a,
		.b = e->b,
		.c = e->c,
		.d = e->old,
		.scc = e->in,
		.cin = e->in,
		.clamp = clamp,
		.simm = (int16_t)e->b,
		.exec = e->c,
		.cout = -1,
		.neg = neg};
	const struct isa_info *row = isa_info(e->op);
	bool vector = row->unit == UNIT_VALU;

	run_row(e->op, &s);
	was_run[e->op] = true;
	if (s.d != e->d || (e->out >= 0 && (vector ? s.cout : s.scc) != e->out))
		fail_msg("%s(%llx, %llx, %llx): %llx, flag %d; expected %llx, %d", row->name, (unsigned long long)e->a,
			(unsigned long long)e->b, (unsigned long long)e->c, (unsigned long long)s.d,
			vector ? s.cout : s.scc, (unsigned long long)e->d, e->out);
}

#endif
