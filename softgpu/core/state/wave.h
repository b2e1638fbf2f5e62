/* A wave and its workgroup. */
#ifndef SOFTGPU_CORE_STATE_WAVE_H
#define SOFTGPU_CORE_STATE_WAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/state/machine_limits.h"
#include "softgpu/core/state/uop.h"
#include "softgpu/core/time_types.h"

#define GPR_IDX_SKIP (1u << 31) /* in wave.gpr_idx: MODE.VSKIP is set */
#define MXCSR_EMULATED                                                                                 \
	(1u << 31) /* in wave.mxcsr: the host's modes alone cannot do what MODE says; use ops_any_mode \
	            */

struct cu_memory;
struct group_check;
struct launch;
struct workgroup;

/* The counters of a wave's outstanding accesses: positions in a ring, waitcnt.h. gfx11 counts stores in VS, gfx9 in VM.
 */
enum waitcnt_kind { WAITCNT_LGKM, WAITCNT_VM, WAITCNT_VS, WAITCNT_KINDS };
struct waitcnt {
	uint8_t head, count;
};

/* What determines the time of an LDS access: cycles that it occupies the banks, and from then until its completion. */
struct lds_access {
	uint16_t cycles, behind;
};

/* The issue loop touches mainly the first 128 bytes. */
struct wave {
	const struct uop *ip;
	cycle_t next; /* earliest issue of the next instruction */
	cycle_t last; /* issue of the previous one */
	uint32_t *v;  /* VGPR 0, lane 0; a register is launch.lanes dwords */
	struct machine *m;
	struct simd *simd;
	struct workgroup *group;
	struct launch *launch;                 /* its workgroup's */
	uint32_t gpr_idx;                      /* S_SET_GPR_IDX: index and mode bits, 0 when off; and GPR_IDX_SKIP */
	struct waitcnt waitcnt[WAITCNT_KINDS]; /* their rings are below */
	uint64_t sqc_bit;                      /* of its instruction cache in uop.resident_in; 0 from the 65th on */
	struct sqc *sqc;                       /* its CU's */
	const struct uop *fetch_target;        /* while ip is machine.fetch: the instruction being fetched */
	uint8_t *lds;
	struct cu_memory *lds_memory; /* of the CU that has its LDS */
	uint32_t lds_bytes;
	uint32_t mode;
	uint32_t deferred_in,
		held_in;        /* without timing: windows in which it deferred an access that returns, and waited */
	uint16_t ahead;         /* instructions executed but not yet issued, run_ahead.h */
	bool in_run_ahead;      /* executing ahead now */
	bool vgprs_released;    /* gfx11: by message DEALLOC_VGPRS; its end waits for nothing */
	bool run_ahead_blocked; /* reached an instruction that must wait for its issue cycle */
	uint8_t deferred_lds_head, deferred_lds_tail, deferred_loads_head, deferred_loads_tail, deferred_lines_head,
		deferred_lines_tail, deferred_branches_head, deferred_branches_tail; /* of the rings below */
	uint8_t scc;
	uint8_t slot;                   /* of the SIMD */
	uint8_t row;                    /* of its launch's registers of the SIMD */
	uint8_t index;                  /* number in the workgroup */
	uint8_t age;                    /* position among the waves of its SIMD, oldest first */
	uint8_t barrier_phase;          /* barriers reached, including those executed ahead */
	bool branch_taken;              /* by the branch executed ahead */
	const struct uop *ahead_end;    /* the instruction after the last one executed ahead */
	uint64_t deferred_branch_taken; /* ring of bits */
	uint64_t flat_scratch;          /* gfx11: address of its scratch */
	uint32_t mxcsr[FP_COUNT];       /* by floating-point class, from MODE; and MXCSR_EMULATED */
	uint32_t s[SGPR_FILE_SIZE] __attribute__((aligned(64)));
	struct lds_access lds_access[DEFERRED_LDS_MAX]; /* rings of deferred accesses: LDS, loads, lines of the loads */
	struct deferred_load {
		uint8_t lines;
		bool wide;
		uint16_t cycles;
	} deferred_load[DEFERRED_LOADS_MAX];
	struct deferred_line {
		uint64_t line : 48;
		uint64_t cycle : 16;
	} deferred_line[DEFERRED_LINES_MAX];
	cycle_t due[WAITCNT_KINDS][WAITCNT_RING]; /* rings of completion times, waitcnt.h */
	cycle_t result_ready[RESULT_SLOTS];       /* when results are ready, line_dependencies.h */
	struct wave *gws_next;                    /* while it waits for global wave sync: who waits next */
};

/* A resident workgroup. */
struct workgroup {
	uint32_t id[3];
	uint8_t waves, alive, arrived, slot; /* arrived: waves at the barrier */
	struct wave *wave[MAX_GROUP_WAVES];
	struct cu *cu;
	struct launch *launch;
	cycle_t latest;            /* last arrival at the barrier */
	uint32_t scratch_slot;     /* where scratch is short */
	struct group_check *check; /* what checks know of it, checker.h; NULL: it is not checked */
};

#endif
