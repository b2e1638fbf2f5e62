/* A software GPU: one device with an address space and a sequence of launches. Results and simulated cycles are exact.
 *
 * Single-threaded: one thread calls gpu_launch; any other may call gpu_stop_launch and gpu_read_progress. The same
 * launches at the same addresses give the same cycles and the same memory contents on every host.
 */
#ifndef SOFTGPU_CORE_SOFTGPU_H
#define SOFTGPU_CORE_SOFTGPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "softgpu/core/check_report.h"
#include "softgpu/core/time_types.h"

struct gpu;
struct model; /* model_config.h */

/* Whether this build has the executors of the model's waves. `make run` builds those of the default device first. */
bool gpu_is_built(const struct model *m);
/* The caller owns the result and frees it with gpu_close. The model is copied. NULL if memory runs out, or if this
 * build has no executor for the model. */
struct gpu *gpu_open(const struct model *m);
void gpu_close(struct gpu *g);
/* A device with the same model and a copy of the current address space, for a launch that overlaps one of `g`. NULL if
 * memory runs out. */
struct gpu *gpu_clone(const struct gpu *g);
const struct model *gpu_model(const struct gpu *g);

/* --- address space -------------------------------------------------------------------------------------------------
 * Maps [va, va + size) of the GPU to host memory at `host`. `phys` is the address that caches and channels see: an
 * offset in device memory, assigned by the driver, or VM_SYSTEM | offset for host memory; never a host address. All are
 * multiples of 4096. False if [va, va + size) overlaps a mapping, or memory runs out. */
#define VM_SYSTEM   (UINT64_C(1) << 46)
#define LAUNCH_PHYS (UINT64_C(1) << 44) /* as many bytes from here are for launches: no mapping is there */
enum vm_access { VM_READ = 1, VM_WRITE = 2, VM_EXEC = 4 };
bool gpu_map(struct gpu *g, uint64_t va, uint64_t size, void *host, uint64_t phys, unsigned access);
void gpu_unmap(struct gpu *g, uint64_t va, uint64_t size);
/* The mappings in the order of their addresses: fills up to max, returns the number of all. Between launches. */
struct gpu_mapping {
	uint64_t va, size;
	uint8_t *host;
	uint64_t phys;
	unsigned access;
};
size_t gpu_list_mappings(const struct gpu *g, struct gpu_mapping *out, size_t max);
/* Sets a function to call before an address counts as unmapped: the program may have requested mappings, and passed
 * their addresses to the kernel, while the launch runs. */
void gpu_set_unmapped_hook(struct gpu *g, void (*hook)(void));

/* Host pointer for [va, va + size); NULL unless one mapping contains all of it and permits the access. */
void *gpu_host_pointer(struct gpu *g, uint64_t va, uint64_t size, unsigned access);

/* --- bounded buffers ---
 * Addresses that reach a buffer and nothing else: each slot has a range of addresses of its own, in which only the
 * buffer's bytes are mapped, to the same memory. An access of a kernel to other bytes of the slot ends the launch with
 * LAUNCH_OUT_OF_BOUNDS. Caches and channels see the buffer's own address, so cycles are the same. */
enum { GPU_BOUNDED_SLOTS = 64 };
/* The address in `slot` for a buffer at `va`; it has the same low 32 bits. */
uint64_t gpu_bounded_address(unsigned slot, uint64_t va);
bool gpu_bounded_slot_contains(unsigned slot, uint64_t address);
/* False if the bytes are not in one mapping, if the slot is in use, or memory runs out. Unmap it with gpu_unmap. */
bool gpu_map_bounded(struct gpu *g, unsigned slot, uint64_t va, uint64_t bytes);

/* --- launches --- */
/* The CUs that may receive workgroups: per shader engine, a bit per CU. Not `limited`: all. */
enum { CU_MASK_ENGINES = 16 };
struct cu_mask {
	bool limited;
	uint64_t engine[CU_MASK_ENGINES];
};

/* Counters of global wave sync. Launches of a queue share them; a kernel of its own initializes them (ds_gws_init). */
enum { GWS_RESOURCES = 64 }; /* RDNA3.5 ISA 13.4.4; gds.gws_size in gfx_v9_0.c of the Linux kernel */
struct gws_resources {
	uint16_t counter[GWS_RESOURCES];
};

/* What a kernel does to memory, if the caller knows it: a fill with a pattern, or a copy. Work-item (x, y, z) below
 * `items` writes `bytes` bytes at to + x * bytes + y * to_pitch[0] + z * to_pitch[1], and a copy reads as many at
 * `from` likewise. All waves with such work-items only run the same instructions. What other work-items do is not
 * known. */
enum { BULK_MOVE_BYTES = 16 };
struct bulk_move {
	uint32_t bytes; /* at most BULK_MOVE_BYTES; 0: what the kernel does is not known */
	bool copies;
	uint64_t to, from;
	uint64_t items[3];
	uint64_t to_pitch[2], from_pitch[2];
	uint8_t pattern[BULK_MOVE_BYTES];
};

struct dispatch { /* fields of the AQL packet; the grid is in work-items */
	uint16_t workgroup[3];
	uint32_t grid[3];
	uint32_t private_bytes; /* per work-item */
	uint32_t group_bytes;   /* LDS */
	uint64_t kernel_object; /* address of a kernel descriptor, or of an amd_kernel_code_t if `legacy` */
	bool legacy;
	uint64_t kernarg;
	uint64_t packet_va; /* initial value of the dispatch pointer SGPRs */
	uint64_t queue_va;
	uint64_t dispatch_id;
	uint32_t scratch_srd[4];
	uint64_t scratch_base; /* flat scratch */
	uint32_t scratch_wave_bytes;
	uint32_t scratch_waves; /* waves that have scratch at the same time; 0: all that fit on the GPU */
	uint64_t shared_aperture, private_aperture; /* upper halves used by flat addressing */
	struct cu_mask cus;                         /* CU mask of the queue */
	uint8_t priority;                           /* of the queue; higher ones place workgroups first */
	struct bulk_move move;                      /* core/fast/sampled_launch.h */
	struct gws_resources *gws;                  /* of the queue; NULL: its kernels cannot use global wave sync */
	void (*interrupt)(
		uint32_t data); /* called by s_sendmsg(MSG_INTERRUPT) with the low 24 bits of M0; may be NULL */
	cycle_t start_cycle;    /* core cycles of the device before the launch: start value of s_memtime */
	ns_t start_ns;          /* time of the device before the launch: start value of s_memrealtime */
};

enum launch_status {
	LAUNCH_OK,
	LAUNCH_MEMORY_FAULT,
	LAUNCH_ILLEGAL,
	LAUNCH_TRAP,
	LAUNCH_STOPPED,
	LAUNCH_BAD_PACKET,
	LAUNCH_OUT_OF_BOUNDS
};
struct launch_result {
	enum launch_status status;
	cycle_t cycles;               /* core cycles from the arrival of the packet to the last acknowledged store */
	uint64_t ps;                  /* duration in ps (core_clock.h) */
	cycle_t valu_cycles;          /* busy cycles of the vector ALUs, summed over SIMDs */
	uint64_t waves, instructions; /* wave instructions issued */
	uint64_t added_waves, added_instructions; /* those of them that count for no launch that ended before */
	/* LAUNCH_MEMORY_FAULT and LAUNCH_OUT_OF_BOUNDS: the first access of the instruction that is not permitted */
	uint64_t fault_va, fault_bytes;
	unsigned fault_access;   /* VM_READ, VM_WRITE, or both: atomic */
	uint32_t fault_group[3]; /* the workgroup, and the work-item in it */
	uint32_t fault_item[3];
	uint64_t pc;       /* address of the instruction that stopped the kernel */
	int64_t pc_offset; /* the same from the kernel's first instruction */
	char message[256]; /* one line: what stopped the kernel, and where */
};
enum launch_status gpu_launch(struct gpu *g, const struct dispatch *d, struct launch_result *out);

/* The same in parts: begin, run until gpu_run_until returns true, end. Pauses change neither results nor cycles. `d`
 * and `out` must stay valid until the end. `out` names the launch.
 *
 * A launch that begins while others are resident begins at the cycle that has been reached, and shares the CUs with
 * them: the dispatcher takes a workgroup of each in turn, those of higher priority first. Waves, instructions and busy
 * cycles that were counted while launches overlapped count for each of them, and they have no profile. A memory fault
 * of one ends all; after an illegal instruction or a trap, the others go on. */
/* False: as many are resident as can be. */
bool gpu_begin_launch(struct gpu *g, const struct dispatch *d, struct launch_result *out);
/* Runs up to cycle `until`, to the end of a launch, or to a pause of the launch's own; true: a launch has ended. Cycles
 * count from the begin of the first one. Nothing of the cycle that is reached has been simulated. */
bool gpu_run_until(struct gpu *g, cycle_t until);
/* The same for so many cycles more than have been reached. */
bool gpu_run_on(struct gpu *g, cycle_t cycles);
/* What has been reached: the cycle, and the time since the first one began (core_clock.h), 0 without timing. */
cycle_t gpu_reached_cycle(const struct gpu *g);
uint64_t gpu_reached_ps(const struct gpu *g);
/* From here on, each workgroup of the resident launches is simulated: none repeats itself (core/fast/steady_state.h) or
 * is left out (core/fast/sampled_launch.h), which moves the clock past the next pause. */
void gpu_end_shortcuts(struct gpu *g);
/* Whether nothing is left to do for it, also because of an error or a deadlock. */
bool gpu_launch_has_ended(const struct gpu *g, const struct launch_result *out);
enum launch_status gpu_end_launch(struct gpu *g, struct launch_result *out);
/* Ends one launch in the middle, with LAUNCH_STOPPED: its waves are gone, and the others go on. Then gpu_end_launch. */
void gpu_abandon_launch(struct gpu *g, struct launch_result *out);

/* Empties all caches, as before the first launch. Between launches; launching thread only. */
void gpu_clear_caches(struct gpu *g);
void gpu_clear_l2(struct gpu *g); /* only the L2 cache */

/* Stops the running launch soon, with LAUNCH_STOPPED. Any thread; async-signal-safe. */
void gpu_stop_launch(struct gpu *g);
/* Progress of the running (or last) launch: workgroups done and in total; core cycles and wave instructions as of the
 * previous call, 0 at first. Any thread; call it a few times per second. */
struct gpu_progress {
	uint64_t done, total, cycles, instructions;
	bool answered; /* the launch has counted since the previous call */
};
void gpu_read_progress(struct gpu *g, struct gpu_progress *out);

/* Counters of the last finished launch with their rocprofiler names, summed over the device. Fills up to max, returns
 * the number of all. The strings are static. Launching thread only. */
struct gpu_counter {
	const char *name, *unit, *help;
	uint64_t value;
};
size_t gpu_read_counters(const struct gpu *g, struct gpu_counter *out, size_t max);
/* All counters, with value 0. Needs no device. */
size_t gpu_list_counters(struct gpu_counter *out, size_t max);

/* Profiling, see probe.h. gpu_set_profiling (any thread) takes SOFTGPU_PROFILE_* and applies from the next launch on.
 * The others return results of the last launch; launching thread only. */
struct softgpu_cycles;
struct softgpu_instruction;
struct softgpu_span;
struct softgpu_set;
void gpu_set_profiling(struct gpu *g, unsigned what);
size_t gpu_read_breakdown(const struct gpu *g, struct softgpu_cycles *out, size_t max);
size_t gpu_read_profile(const struct gpu *g, struct softgpu_instruction *out, size_t max);
size_t gpu_read_timeline(const struct gpu *g, struct softgpu_span *out, size_t max, uint64_t *dropped);
size_t gpu_read_cache_sets(const struct gpu *g, struct softgpu_set *out, size_t max);
struct softgpu_follow;
struct softgpu_window;
struct softgpu_trace;
bool gpu_trace_wave(struct gpu *g,
	const struct softgpu_follow
		*what); /* from the next launch on; do not call during a launch. False if memory runs out */
void gpu_set_timeline_window(struct gpu *g, const struct softgpu_window *what);
const struct softgpu_trace *gpu_read_trace(const struct gpu *g); /* valid until the next launch begins */
cycle_t gpu_read_timeline_bucket(const struct gpu *g);
size_t gpu_read_waves_per_cu(const struct gpu *g, uint32_t *out, size_t max);

/* Checks (check_report.h): enum check bits, from the next launch on that begins on an idle device; 0: none. `find` says
 * what a kernel may access; NULL: not known. False: out of memory. The reports are those of the last launch that began
 * so; fills up to max, returns the number of all. Launching thread only. */
bool gpu_set_checks(struct gpu *g, unsigned checks, check_find_fn *find);
/* Something other than a kernel wrote there (CHECK_INIT). Between launches; launching thread only. */
void gpu_define_memory(struct gpu *g, uint64_t va, uint64_t bytes);
/* The host reads there (CHECK_INIT): what kernels stored that is undefined, and that was not read yet. A report has the
 * number of the launch that stored it, the first work-item, and the number of dwords. At most max; returns how many. As
 * above. */
size_t gpu_take_undefined(struct gpu *g, uint64_t va, uint64_t bytes, struct check_report *out, size_t max);
/* Whether memory of the host is mapped there. */
bool gpu_is_host_memory(struct gpu *g, uint64_t va);
/* The number that these reports give for the next launch; after gpu_set_checks. */
void gpu_number_launch(struct gpu *g, uint64_t number);
/* Whether the last launch stored something that may be reported so. */
bool gpu_left_undefined(const struct gpu *g);
size_t gpu_read_check_reports(const struct gpu *g, struct check_report *out, size_t max);
/* What that launch did wrong at further places, for which a report was left out: accesses of a work-item. */
uint64_t gpu_count_unreported_accesses(const struct gpu *g);

#endif
