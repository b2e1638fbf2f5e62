/* What all waves of the running launch have in common. */
#ifndef SOFTGPU_CORE_STATE_LAUNCH_STATE_H
#define SOFTGPU_CORE_STATE_LAUNCH_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/state/machine_limits.h"
#include "softgpu/core/state/uop.h"
#include "softgpu/core/softgpu.h"
#include "softgpu/core/time_types.h"

/* Sums over the launch, apart from instruction counts; perf_counters.c names them. */
struct launch_sums {
	uint64_t waves, lds_conflict, lds_idle, l1_hit, l1_miss, l2_hit, l2_miss, l2_write, dram_read, dram_write,
		system, scalar_hit, scalar_miss, atomics;
};

struct launch {
	const struct dispatch *d;
	struct launch_result *out;
	const struct uop *entry;
	uint64_t entry_pc;
	uint32_t rsrc1, rsrc2, properties; /* of the kernel descriptor */
	bool legacy;                       /* the descriptor is an amd_kernel_code_t */
	uint32_t lanes;                    /* of a wave */
	uint32_t address_passes;           /* of a vector memory access through the address stage */
	uint64_t all_lanes;                /* EXEC with all of them */
	uint32_t vgprs, sgprs;             /* allocated to a wave */
	uint32_t vgprs_per_simd;           /* for waves of so many lanes */
	uint32_t group_bytes;              /* LDS allocated to a workgroup */
	bool cu_mode;                      /* gfx11: a workgroup stays in one CU of its WGP */
	bool runs_ahead;                   /* its waves may, run_ahead.h */
	uint32_t lds_latency_all_lanes;    /* lds_access.behind of a read by all lanes */
	uint32_t waves_per_group, group_items;
	uint32_t waves_per_simd; /* that fit */
	uint32_t groups_per_cu;
	uint32_t private_bytes;
	uint32_t scratch_groups,
		scratch_busy;           /* workgroups that have room in scratch, and that use it; 0: enough for all */
	uint64_t *scratch_used;         /* bit per slot */
	uint32_t grid[3];               /* workgroups */
	uint32_t next[3];               /* the next workgroup */
	uint64_t total, issued;         /* workgroups */
	uint64_t free_cus[MAX_ENGINES]; /* by shader engine: CUs with room for a workgroup, a bit each */
	cycle_t dispatch_at;            /* earliest cycle of the next workgroup */
	bool dispatch_blocked;          /* waits for room */
	struct repeat *repeat;          /* where the launch may repeat itself, steady_state.h; else NULL */
	struct sample *sample;          /* where its middle may be skipped, sampled_launch.h; else NULL */
	cycle_t skipped_cycles;         /* that do not show in `end` before the launch ends */
	uint64_t skipped_waves;
	uint32_t next_engine, next_cu[MAX_ENGINES];
	uint32_t (*ids)[3][MAX_LANES]; /* VGPRs 0-2 of each wave of a workgroup */
	uint64_t *exec;                /* EXEC of each wave, for a whole workgroup */
	uint32_t more_ids;             /* a work-item gets its x, and so many of y and z */
	bool packed_ids;               /* in v0, 10 bits each; else in v0 to v2 */
	uint32_t user[32], user_count; /* initial SGPRs before the workgroup's own */
	cycle_t end;                   /* of everything so far */
	uint64_t out_of_bounds_wave;   /* the wave whose out-of-bounds access is in *out: its number in the launch */
	cycle_t out_of_bounds_until; /* after an out-of-bounds access: the last cycle of the launch; before: CYCLE_NEVER
	                              */
	uint64_t host_epoch;         /* marks the launch's lines of host memory in L2; older ones do not hit */
	uint32_t gws_waiting;        /* waves that wait for global wave sync; in all, and by resource */
	struct gws_waiters {
		struct wave *first, *last;
		uint32_t count;
	} gws_waiters[GWS_RESOURCES];
	/* 1/1024 cycle: a line's transfer from L3, from DRAM, a bank's row cycle, the bus turnaround, a refresh, and
	 * between refreshes */
	uint64_t l3_line, dram_line, dram_row, dram_turnaround, dram_refresh, dram_refresh_period;
};

#endif
