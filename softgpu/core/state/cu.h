/* A compute unit: its SIMDs, scheduler and caches. */
#ifndef SOFTGPU_CORE_STATE_CU_H
#define SOFTGPU_CORE_STATE_CU_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/state/host_lines.h"
#include "softgpu/core/state/machine_limits.h"
#include "softgpu/core/state/wave.h"
#include "softgpu/core/state/cache_tags.h"
#include "softgpu/core/time_types.h"

/* store_stops.h */
enum { STORE_STOPS_MAX = 512 /* a store in a cycle, for longer than l2_stop_cycles and a window */ };
struct store_stops {
	struct store_stop {
		cycle_t at, until;
	} stop[STORE_STOPS_MAX]; /* a ring */
	uint16_t head, tail;
};

/* What the SIMDs of a CU share for vector memory. A WGP of gfx11 has two CUs. */
struct cu_memory {
	struct cache l1;       /* gfx11: L0 */
	struct cache utcl1;    /* gfx9: translations, by page */
	cycle_t l1_free;       /* when L1's address stage is free */
	cycle_t request_free;  /* when it can send the next request to L2 */
	cycle_t lds_free;      /* when the banks of its LDS are free */
	cycle_t lds_path_free; /* when the path of its SIMDs to LDS is free, which may be the other CU's LDS */
	uint32_t last_simd;    /* whose access L1's address stage accepted last */
	struct store_stops stops;
};

/* The cache that the WGPs of a shader array share on gfx11 (AMD: GL1). Banks are selected by line. */
enum { GL1_BANKS_MAX = 64 };
struct shader_array {
	struct cluster *cluster;
	struct cache l1;
	cycle_t bank_free[GL1_BANKS_MAX];
} OF_ONE_THREAD;

struct simd {
	uint32_t count, at_barrier;                                   /* resident waves */
	struct wave **by_age;                                         /* oldest first; part of the CU's scheduler */
	uint32_t used_slots;                                          /* bit per slot */
	uint32_t used_rows[LAUNCHES_MAX], cleared_rows[LAUNCHES_MAX]; /* of a launch's registers, a bit each */
	uint16_t number;
	cycle_t matrix_core_free; /* gfx908: when it can begin the next product */
	struct cu *cu;
	struct cu_memory *memory;
	struct wave slot[MAX_WAVES_PER_SIMD];
};

/* The issue port of one unit of a SIMD, for which its waves compete. The port of UNIT_FETCH is always free. */
struct issue_port {
	cycle_t free_at;
	uint64_t claim;   /* the oldest competing wave tries next: cycle * SCHED_SLOTS_PER_SIMD + its age */
	uint16_t waiting; /* waves that found it busy, bit per age */
} __attribute__((aligned(32)));

/* Selects the wave of a CU that issues next, scheduler.h. A wave is a bit: SCHED_SLOTS_PER_SIMD for each SIMD, by age.
 * Ports are numbered the same way, by unit. */
struct scheduler {
	uint64_t ring[SCHED_RING_CYCLES];              /* by cycle: waves that may issue then */
	uint64_t ring_busy;                            /* bit per cycle after `now` with any */
	cycle_t now, next;                             /* next: the first of these; CYCLE_NEVER: none */
	uint64_t far;                                  /* waves that may issue after the ring's last cycle */
	cycle_t far_earliest;                          /* the first of them */
	cycle_t wake_at[SIMDS * SCHED_SLOTS_PER_SIMD]; /* when, for each of them */
	struct wave *wave[SIMDS * SCHED_SLOTS_PER_SIMD];
	uint8_t port_of[SIMDS * SCHED_SLOTS_PER_SIMD]; /* the port that the wave's next instruction needs */
	struct issue_port port[SIMDS * SCHED_SLOTS_PER_SIMD];
};

/* What a launch has of a CU: workgroups, whose LDS is that of their slot. */
struct cu_share {
	struct workgroup group[SIMDS * MAX_WAVES_PER_SIMD];
	uint64_t used, cleared; /* bit per slot; cleared: its LDS was zeroed in this launch */
	uint32_t count;         /* of those that are used */
};

struct cu {
	struct machine *m;
	struct scheduler scheduler;
	struct simd simd[SIMDS];
	struct cu_memory memory[CUS_OF_WGP]; /* gfx9 uses the first */
	struct shader_array *array;          /* NULL: gfx9 */
	struct sqc *sqc;
	struct cluster *cluster;
	struct event_queue *events; /* where its event is: its cluster's while windows run, else the machine's */
	uint32_t memo, memo_epoch;  /* which memos its waves use: while windows run, its cluster's, of this launch */
	uint32_t waiting;           /* waves that wait for a time that is not known yet */
	bool defers;                /* in this window, accesses to lines with these bits: deferred_access.h */
	uint64_t deferred_lines[4];
	cycle_t scalar_free;                 /* when its way from the scalar cache is free */
	struct cu_share share[LAUNCHES_MAX]; /* of each launch */
	uint32_t waves;                      /* resident */
	uint32_t freed;                      /* workgroups that have ended, whose room is not free yet */
	uint32_t next_simd;
	bool touched;          /* since the first of the resident launches began */
	uint8_t engine, index; /* its shader engine, and its number there */
};

/* The caches that a few neighboring CUs share (AMD: SQC). Code is tagged by GPU address. */
struct sqc {
	struct cache data; /* scalar data cache */
	cycle_t data_free; /* when its way to the CUs is free */
	struct cache code; /* instruction cache */
	struct cluster *cluster;
	uint64_t code_misses; /* in this launch */
	uint64_t evictions;   /* of lines of code, ever */
} OF_ONE_THREAD;

#endif
