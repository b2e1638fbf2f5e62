/* The running device: waves, SIMDs, CUs and what they share. Private to core.
 *
 * Times are core cycles since the launch's packet arrived. The waves of a CU issue in the order of time (scheduler.h);
 * CUs run ahead of each other through what only their own waves see, and meet at memory and ends in the order of time,
 * at the same cycle by lot (issue_loop.c, event_queue.h). Waves do things before their time where nobody may tell
 * (run_ahead.h), and the host does vector instructions in line as one function (jit.h). None of it changes the time
 * that they take.
 */
#ifndef SOFTGPU_CORE_EXEC_MACHINE_H
#define SOFTGPU_CORE_EXEC_MACHINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/memory/cache_tags.h"
#include "softgpu/core/softgpu.h"
#include "softgpu/core/model_config.h"
#include "softgpu/core/timing/event_queue.h"
#include "softgpu/core/memory/vm.h"
#include "softgpu/isa/isa.h"

enum {
	LANES = 64,
	SIMDS = 4,
	MAX_WAVES_PER_SIMD = 10,
	MAX_CUS = 128,
	MAX_ENGINES = CU_MASK_ENGINES,
	MAX_VGPRS = 256,
	MAX_CHANNELS = 64,
	MAX_GROUP_WAVES = 16,
	SGPR_FILE_SIZE = 144 /* operand numbers 0 to 127, and room behind for the widest load */,
	DISPATCHER = MAX_CUS /* its number in the event queue, after the CUs' */,
	GDS_BYTES = 65536 /* Vega ISA 2.4 */,
	VM_WINDOWS = 8,
	VM_COUNT_MAX = 63,
	LGKM_COUNT_MAX = 15,
	LONG_VALU_RUN = 12, /* instructions that are worth a look at whether they issue back to back */
	DEFERRED_LDS_MAX = 64,
	DEFERRED_LOADS_MAX = 16,
	DEFERRED_LINES_MAX = 64,
	DEFERRED_BRANCHES_MAX = 64, /* what a wave has done before it issues, run_ahead.h; powers of 2 */
	SCHED_RING_CYCLES = 64,
	SCHED_SLOTS_PER_SIMD = 16, /* scheduler.h: bits of 64-bit words */
};
_Static_assert(DISPATCHER < (int)EVENT_QUEUE_MAX && (int)EVENT_QUEUE_MAX <= 1 << EVENT_ID_BITS,
	"the event queue holds every CU and the dispatcher");
#define GPR_IDX_SKIP   (1u << 31)
#define MXCSR_EMULATED (1u << 31) /* that alone does not do: the operations for any MODE are needed */
#define CYCLE_NEVER    (UINT64_MAX >> 16)
#define UNIT_FETCH     UNIT_COUNT /* of machine.fetch */

struct wave;
struct uop;
struct jit_block;
typedef void op_fn(struct wave *w, const struct uop *i);

/* What the issue loop does with an instruction, apart from calling it. From UOP_SHARED on others may see it. */
enum uop_kind { UOP_PLAIN, UOP_BRANCH, UOP_WAITCNT, UOP_SHARED, UOP_MEMORY, UOP_BARRIER, UOP_ENDPGM };

/* Whose turns fast_issue.h knows: what no other wave sees, unless it has a better way; accesses to the CU's LDS. */
enum fast_class { FAST_NONE, FAST_PRIVATE, FAST_LDS };

/* Which floating-point environment an instruction needs: f32 and f64 with MODE's denormals; halves, in floats that keep
 * theirs; the same from the transcendental unit, which has nothing of MODE's rounding; f32 that always flushes; f64 to
 * f32; halves and f32 mixed; atomics of LDS, and of memory. */
enum fp_class {
	FP_NONE,
	FP_32,
	FP_64,
	FP_16,
	FP_TRANS_32,
	FP_TRANS_64,
	FP_TRANS_16,
	FP_FLUSH,
	FP_NARROW,
	FP_MIX,
	FP_LDS,
	FP_MEMORY,
	FP_COUNT
};

/* One decoded instruction in the code cache. The first two lines of 64 bytes are what the issue loop touches. */
struct uop {
	op_fn *fn;
	uintptr_t src[3]; /* source operand: an address, or an offset from the wave's registers where rel is ~0 */
	uintptr_t rel[3];
	intptr_t dst;  /* bytes from the wave's VGPRs, or SGPRs for scalar results */
	uint64_t hits; /* times issued in this launch */
	uint64_t pc;
	uint8_t kind, unit, fp;
	uint8_t cost, busy; /* cycles of issue; that its unit takes: none in the wave's own instruction buffer */
	uint8_t words;
	uint8_t sources;
	uint8_t local; /* of what others may see: only the CU does */
	uint8_t ahead; /* what it does may be done before its time, run_ahead.h */
	uint8_t late;  /* it lies across two fetch windows: the least cycles behind the issue of the one before; else 0
	                */
	uint8_t wait_vm, wait_lgkm; /* of s_waitcnt: accesses in flight that it leaves */
	uint8_t then_words;         /* of an s_waitcnt that follows; 0: none does */
	uint8_t quick;              /* enum fast_class */
	uint8_t enters; /* it has the first byte in line of a line of code, or branches lead to it: who comes looks it
	                   up */
	uint8_t streak; /* so many instructions from here on in line are the vector ALU's */
	uint8_t row; /* cycles from its issue to that of the last of those that can go back to back; SCHED_RING_CYCLES
	              * at most
	              */
	uint8_t broadcast;          /* a bit per source: an SGPR pair that a vector instruction reads in all lanes */
	uint16_t dst2;              /* SGPR number of the mask written, ISA_NONE without */
	uint16_t mask_src;          /* SGPR number of the mask read, ISA_NONE without */
	struct uop *target;         /* of a taken branch, found when it is first taken */
	uint64_t held;              /* a bit for each instruction cache that surely holds all of it, icache_fetch.h */
	struct jit_block *compiled; /* the host's code for it and what follows in line, jit.h; NULL without */
	uint64_t constant[3];       /* scalar operands that are no register */
	op_fn *plain;               /* where fn is a wrapper for modifiers, SDWA or DPP: the operation itself */
	uint16_t vtop;              /* VGPRs the wave must have */
	struct isa_inst d;
	union {
		struct lds_memo *lds;
		struct memory_memo *memory;
		void *memo;
	}; /* what is kept of its last access; NULL where nothing is */
} __attribute__((aligned(64)));

struct workgroup;

/* A wave's counters of accesses in flight: places in a ring, waitcnt.h. */
enum waitcnt_kind { WAITCNT_LGKM, WAITCNT_VM, WAITCNT_KINDS };
struct waitcnt {
	uint8_t head, count;
};

/* What the time of an LDS instruction depends on: how long it has the banks, and how long after that it is through. */
struct lds_access {
	uint16_t cycles, behind;
};

/* The first two lines of 64 bytes are what the issue loop touches. */
struct wave {
	const struct uop *ip;
	uint64_t next; /* earliest issue of the next instruction */
	uint64_t last; /* issue of the one before */
	uint32_t *v;   /* VGPR 0, lane 0; a register is LANES dwords */
	struct machine *m;
	struct simd *simd;
	struct workgroup *group;
	uint32_t gpr_idx; /* S_SET_GPR_IDX: index and mode bits, 0 when off; and GPR_IDX_SKIP while MODE.VSKIP is set */
	struct waitcnt flight[WAITCNT_KINDS]; /* and their rings below */
	uint64_t near_bit;                    /* in inst.held, of its instruction cache; 0 behind the 64th */
	struct scalar_cache *near;            /* its CU's */
	const struct uop *wanted;             /* while ip is the machine's fetch: what it fetches */
	uint8_t *lds;
	uint32_t lds_bytes;
	uint32_t mode;
	uint16_t ahead;             /* instructions that have been done and not yet issued, run_ahead.h */
	bool in_run_ahead, refused; /* it is doing so; what it met has to wait for its time */
	uint8_t deferred_lds_head, deferred_lds_tail, deferred_loads_head, deferred_loads_tail, deferred_lines_head,
		deferred_lines_tail, deferred_branches_head, deferred_branches_tail; /* of the rings below */
	uint8_t scc, slot, index, place; /* slot of the SIMD, number in the workgroup, place by age among its SIMD's */
	uint8_t phase;                   /* barriers that it has come to, those done ahead included */
	bool may_spin, taken;            /* it has read from LDS since the last one; the branch done ahead is taken */
	const struct uop *done;          /* behind the last instruction done ahead */
	uint64_t deferred_branch_taken;  /* a ring of bits: taken */
	uint32_t mx[FP_COUNT];           /* MXCSR for each floating-point class, from MODE; and MXCSR_EMULATED */
	uint32_t s[SGPR_FILE_SIZE] __attribute__((aligned(64)));
	struct lds_access lds_access[DEFERRED_LDS_MAX]; /* rings of accesses done ahead: this, a load's lines (and
	                                            whether it is wide), the lines */
	struct deferred_load {
		uint8_t lines;
		bool wide;
	} deferred_load[DEFERRED_LOADS_MAX];
	uint64_t deferred_line[DEFERRED_LINES_MAX];
	uint64_t lgkm_due[LGKM_COUNT_MAX + 1], vm_due[VM_COUNT_MAX + 1]; /* rings of accesses in flight, waitcnt.h */
};

/* A resident workgroup. */
struct workgroup {
	uint32_t id[3];
	uint8_t waves, alive, arrived, slot;
	struct wave *wave[MAX_GROUP_WAVES];
	struct cu *cu;
	uint64_t latest;  /* the last arrival at the barrier */
	uint32_t scratch; /* its place among the workgroups that have scratch, where scratch is short */
};

struct simd {
	uint32_t count, blocked; /* resident waves, those at a barrier */
	struct wave **order;     /* oldest first: the CU's turns' */
	uint32_t used;           /* slots, a bit each */
	uint32_t cleared;        /* VGPR slots zeroed in this launch, a bit each */
	uint16_t number;
	struct cu *cu;
	uint32_t *vgprs;
	struct wave slot[MAX_WAVES_PER_SIMD];
};

/* Where the waves of a SIMD meet: one of its units. That of UNIT_FETCH is always free. */
struct issue_port {
	uint64_t free; /* from this cycle on */
	uint64_t
		tries; /* an older wave than those that wait tries next: its cycle * SCHED_SLOTS_PER_SIMD + its place */
	uint16_t waits; /* waves that have found it busy, by place */
} __attribute__((aligned(32)));

/* Which wave of a CU has the next turn, scheduler.h. Waves are bits, SCHED_SLOTS_PER_SIMD for each SIMD by age; ports
 * have as many numbers. */
struct scheduler {
	uint64_t at[SCHED_RING_CYCLES];              /* a ring of cycles: waves that may issue then */
	uint64_t some;                               /* the cycles behind the present with any */
	uint64_t now, next;                          /* the present, and the first of those; CYCLE_NEVER: none */
	uint64_t far, far_earliest;                  /* waves of later cycles, and the first of those */
	uint64_t when[SIMDS * SCHED_SLOTS_PER_SIMD]; /* theirs */
	struct wave *wave[SIMDS * SCHED_SLOTS_PER_SIMD];
	uint8_t to[SIMDS * SCHED_SLOTS_PER_SIMD];             /* the ports of their next instructions */
	struct issue_port port[SIMDS * SCHED_SLOTS_PER_SIMD]; /* of a SIMD by unit */
};

struct cu {
	struct machine *m;
	struct scheduler turns;
	struct simd simd[SIMDS];
	struct cache l1;
	struct scalar_cache *scalar;
	struct workgroup group[SIMDS * MAX_WAVES_PER_SIMD];
	uint64_t groups_used, groups_cleared; /* slots, a bit each */
	uint32_t waves;                       /* resident */
	uint32_t next_simd;
	uint64_t l1_free, lds_free;
	uint8_t *lds;
	bool touched;          /* in this launch */
	uint8_t engine, place; /* its shader engine, its number there */
};

/* What a few neighbouring CUs share: their scalar cache and their instruction cache. Code goes by its GPU address. */
struct scalar_cache {
	struct cache cache;
	uint64_t free;
	struct cache code;
	uint64_t code_miss; /* in the launch */
};

enum { MAX_BANKS = 64 /* of LDS, and of a memory channel */ };

/* A memory channel, dram.h. Times in 1/1024 cycle. */
struct dram {
	uint64_t free;             /* of its data bus */
	uint64_t refresh;          /* the next refresh is due */
	uint32_t writes;           /* lines that wait to be written */
	bool turned;               /* written since it last read: the bus need not be turned for more */
	uint32_t row[MAX_BANKS];   /* open in each bank, + 1; 0: none */
	uint64_t ready[MAX_BANKS]; /* earliest that the bank can open another */
};

/* An L2 channel and the memory channel behind it. */
struct channel {
	struct cache l2;
	uint64_t free;
	struct dram dram;
};

/* Every sum of a launch that is no instruction count; perf_counters.c names them. */
struct launch_sums {
	uint64_t waves, lds_conflict, lds_idle, l1_hit, l1_miss, l2_hit, l2_miss, l2_write, dram_read, dram_write,
		system, scalar_hit, scalar_miss, atomics;
};

/* What all waves of the running launch have in common. */
struct launch {
	const struct dispatch *d;
	struct launch_result *out;
	const struct uop *entry;
	uint64_t entry_pc;
	uint32_t rsrc1, rsrc2, properties;
	bool legacy;
	uint32_t vgprs, sgprs;          /* allocated to a wave */
	uint32_t group_bytes;           /* LDS allocated to a workgroup */
	uint32_t lds_latency_all_lanes; /* of struct lds_access, for data of all lanes */
	uint32_t waves_per_group, group_items;
	uint32_t slots; /* waves that a SIMD holds */
	uint32_t groups_per_cu;
	uint32_t private_bytes;
	uint32_t scratch_groups, scratch_busy; /* workgroups there is scratch for, those that have it; 0: no shortage */
	uint64_t *scratch_used;                /* a bit each */
	uint32_t grid[3];                      /* workgroups */
	uint32_t next[3];                      /* the next workgroup */
	uint64_t total, issued;
	uint64_t room[MAX_ENGINES]; /* CUs of each shader engine with room for a workgroup, a bit each */
	uint64_t dispatch_at;       /* earliest cycle of the next workgroup */
	bool dispatch_waits;        /* for room */
	struct repeat *repeat;      /* where the launch may repeat itself, steady_state.h; else NULL */
	uint32_t next_engine, next_cu[MAX_ENGINES];
	uint32_t (*ids)[3][LANES]; /* VGPRs 0-2 of each wave of a workgroup */
	uint64_t *exec;            /* and its EXEC, for a whole workgroup */
	uint32_t id_vgprs;
	uint32_t user[32], user_count; /* initial SGPRs before the workgroup's own */
	uint64_t end;                  /* the last thing that has happened */
	uint64_t system_epoch;         /* tells host memory's lines of this launch from older ones in L2 */
	uint64_t dram_line;            /* a line's time at a memory channel, 1/1024 cycle; so are the next */
	uint64_t dram_row, dram_turn, dram_refresh, dram_refresh_period;
};

struct decode_cache;
struct repeat;
struct jit;

enum machine_request { REQUEST_STOP = 1, REQUEST_PROGRESS = 2 /* how far the launch is */ };

struct machine {
	struct model model;
	struct vm vm;
	struct decode_cache *code;
	struct jit *streaks;
	op_fn *const *ops; /* the tables of this host's level, host_variant.h */
	void (*const *issue)(struct cu *cu);
	struct uop fetch; /* where a wave is whose next line of code has yet to come, icache_fetch.h */
	struct event_queue queue;
	struct cu *cu; /* compute_units of them */
	struct scalar_cache *scalar;
	struct channel *channel;
	uint32_t cus, scalars;
	uint32_t channels, interleave_shift, l2_shift; /* l2_shift: from lines of 64 bytes to those of L2 */
	struct launch launch;
	struct launch_sums sums;
	uint64_t launches;
	enum launch_status halt; /* not LAUNCH_OK: leave the loops */
	uint64_t pause;          /* the cycle at which to leave them for a while */
	uint32_t mxcsr;
	uint64_t mask_of; /* the EXEC that lane_mask holds, spread to lanes */
	uint32_t lane_mask[LANES] __attribute__((aligned(64)));
	uint32_t broadcast[3][2 * LANES] __attribute__((aligned(64)));
	uint32_t *vgprs; /* of the whole chip */
	size_t vgpr_bytes;
	uint64_t agprs; /* from a wave's VGPR 0 to its accumulation register 0, in dwords; 0 where there are none */
	uint8_t *lds;
	uint8_t gds[GDS_BYTES];
	_Atomic unsigned asked; /* of the launching thread by another one: enum machine_request, looked at where a wave
	                           branches or a workgroup ends */
	_Atomic uint64_t done, total;                              /* workgroups */
	_Atomic uint64_t published_cycles, published_instructions; /* when last asked to tell */
	struct vm_region window[VM_WINDOWS]; /* the mappings used last by vector accesses, by instruction */
	struct profiler *inside;             /* while somebody looks, profiler.h; else NULL */
	struct profiler
		*seen; /* what was seen in the last launch that was looked at, until the next begins; NULL without */
	_Atomic unsigned look; /* asked for from the next launch on */
	struct trace *trace;   /* the wave to follow, wave_trace.h; NULL: none */
	struct {
		bool on;
		uint32_t cu;
		uint64_t from, to;
	} span_window; /* whose spans are kept; off: all */
};

/* Whether somebody looks inside: hardly ever. */
static inline bool machine_is_profiled(const struct machine *m)
{
	return __builtin_expect(m->inside != NULL, 0);
}

static inline uint64_t wave_exec_mask(const struct wave *w)
{
	return (uint64_t)w->s[ISA_EXEC + 1] << 32 | w->s[ISA_EXEC];
}

/* Answers what `asked` says at cycle t, other than to stop. */
void machine_publish_progress(struct machine *m, uint64_t t);
static inline bool machine_has_requests(const struct machine *m)
{
	return __builtin_expect(atomic_load_explicit(&m->asked, memory_order_relaxed) != 0, 0);
}
/* Whether to stop; what else was asked has been answered then. */
static inline bool machine_poll_stop(struct machine *m, uint64_t t)
{
	if (!machine_has_requests(m))
		return false;
	machine_publish_progress(m, t);
	return atomic_load_explicit(&m->asked, memory_order_relaxed) & REQUEST_STOP;
}

/* Stops the launch with a status and a message; the first one stays. */
void machine_halt(struct wave *w, const struct uop *i, enum launch_status status, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void machine_fault(struct wave *w, const struct uop *i, uint64_t va, uint64_t bytes, bool write);

#endif
