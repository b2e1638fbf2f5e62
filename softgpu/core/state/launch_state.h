/* What all waves of a resident launch have in common. Their workgroups lead here (struct workgroup), so that waves of
 * several launches can be resident, of 32 and of 64 lanes too. */
#ifndef SOFTGPU_CORE_STATE_LAUNCH_STATE_H
#define SOFTGPU_CORE_STATE_LAUNCH_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/state/host_thread.h"
#include "softgpu/core/state/machine_limits.h"
#include "softgpu/core/state/uop.h"
#include "softgpu/core/softgpu.h"
#include "softgpu/core/time_types.h"

/* Registers and LDS of a launch's waves, for all CUs. */
struct launch_storage {
	uint32_t *vgprs;
	uint8_t *lds;
};

struct launch {
	struct machine *m;
	uint8_t number; /* among those that are resident */
	struct executor *executor;
	uint8_t executor_number; /* enum executor_id */
	struct launch_storage storage;
	const struct dispatch *d;
	struct launch_result *out;
	const struct uop *entry;
	uint64_t entry_pc;
	uint32_t rsrc1, rsrc2, rsrc3, properties; /* of the kernel descriptor */
	bool legacy;                              /* the descriptor is an amd_kernel_code_t */
	uint32_t lanes;                           /* of a wave */
	uint32_t address_passes;                  /* of a vector memory access through the address stage */
	uint64_t all_lanes;                       /* EXEC with all of them */
	uint32_t vgprs, sgprs;                    /* allocated to a wave */
	uint32_t vgprs_per_simd;                  /* for waves of so many lanes */
	uint32_t group_bytes;                     /* LDS allocated to a workgroup */
	uint32_t group_bytes_asked;               /* before rounding up */
	bool cu_mode;                             /* gfx11: a workgroup stays in one CU of its WGP */
	bool runs_ahead;                          /* its waves may, run_ahead.h */
	uint32_t lds_latency_all_lanes;           /* lds_access.behind of a read by all lanes */
	uint32_t waves_per_group, group_items;
	uint32_t waves_per_simd; /* that fit */
	uint32_t groups_per_cu;
	uint32_t private_bytes;
	uint32_t argument_bytes; /* with hidden ones; 0: unknown */
	uint32_t scratch_groups,
		scratch_busy;           /* workgroups that have room in scratch, and that use it; 0: enough for all */
	uint64_t *scratch_used;         /* bit per slot */
	uint32_t grid[3];               /* workgroups */
	uint32_t next[3];               /* the next workgroup */
	uint64_t total, issued;         /* workgroups */
	uint64_t free_cus[MAX_ENGINES]; /* by shader engine: CUs with room for a workgroup, a bit each */
	cycle_t dispatch_at;            /* earliest cycle of the next workgroup */
	cycle_t dispatch_event;         /* when it tries to place a workgroup next; CYCLE_NEVER: it does not */
	bool dispatch_blocked;          /* waits for room */
	struct repeat *repeat;          /* where the launch may repeat itself, steady_state.h; else NULL */
	struct sample *sample;          /* where its middle may be skipped, sampled_launch.h; else NULL */
	cycle_t skipped_cycles;         /* that do not show in `end` before the launch ends */
	uint64_t skipped_waves;
	uint32_t next_engine, next_cu[MAX_ENGINES];
	uint32_t (*ids)[3][MAX_LANES]; /* VGPRs 0-2 of each wave of a workgroup */
	uint32_t more_ids;             /* a work-item gets its x, and so many of y and z */
	uint32_t accum_offset;         /* VGPRs that its code can name: those before the accumulation registers */
	bool packed_ids;               /* in v0, 10 bits each; else in v0 to v2 */
	uint32_t user[32], user_count; /* initial SGPRs before the workgroup's own */
	uint32_t initial_sgprs;        /* of a wave, with these */
	cycle_t begin, end;            /* the arrival of its packet; the end of everything so far */
	uint64_t done;                 /* workgroups */
	uint64_t instructions_before, valu_cycles_before, waves_before; /* counted by the device before it began */
	uint64_t out_of_bounds_wave; /* the wave whose out-of-bounds access is in *out: its number in the launch */
	cycle_t out_of_bounds_until; /* after an out-of-bounds access: the last cycle of the launch; before: CYCLE_NEVER
	                              */
	struct gws_waiters {         /* waves that wait for global wave sync, by resource */
		struct wave *first, *last;
		uint32_t count;
	} gws_waiters[GWS_RESOURCES];
};

#endif
