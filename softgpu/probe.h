/* Observations that real hardware does not offer: exact times, counters, stalls, timelines.
 *
 * libsoftgpu.so exports these functions and programs find them with dlsym, so nothing links against the software GPU. A
 * program that finds none of them runs on real hardware. Functions may be called from any thread unless stated
 * otherwise. */
#ifndef SOFTGPU_PROBE_H
#define SOFTGPU_PROBE_H

#include <stddef.h>
#include <stdint.h>

/* 2: profiling; 3: exact time of a launch; 4: time and instructions of the running launch, sequences; 5: tracing one
 * wave; 6: bounded buffers; 7: the same state before each point; 8: waiting, one of several GPUs; 9: captured
 * launches; 10: allocations; 11: checks; 12: matrix cores; 13: flushing L2. */
#define SOFTGPU_PROBE_VERSION 13

/* `launches` is the number of finished launches. The other fields are about the running launch: workgroups, and wave
 * instructions and virtual time as of the previous call (0 at first). Meant to be polled a few times per second. */
struct softgpu_progress {
	uint64_t launches, workgroups_done, workgroups, instructions, ns;
};

/* The last finished launch. */
struct softgpu_launch {
	uint32_t size;             /* size of this structure in the caller's version; set it before the call */
	int32_t status;            /* enum launch_status of core/softgpu.h: 0 means success */
	uint64_t cycles;           /* core clock */
	uint64_t start_ns, end_ns; /* virtual time */
	uint64_t waves, instructions;
	char kernel[128];
	char message[256]; /* why it failed; empty on success */
	uint64_t ps;       /* duration in picoseconds: the core clock drops under load (version 3) */
};

/* A counter with its rocprofiler name. Values are sums over the device for the last finished launch. */
struct softgpu_counter {
	const char *name;
	const char *unit;
	const char *help;
	uint64_t value;
};

/* --- profiling (version 2) --- */
/* Costs nothing until requested. Launches that start afterwards are slower to simulate but take the same number of
 * cycles. */
enum {
	SOFTGPU_PROFILE_CYCLES = 1 /* the cycle breakdown and the per-instruction profile */,
	SOFTGPU_PROFILE_WAVES = 2 /* the timeline */,
	SOFTGPU_PROFILE_SETS = 4
};

enum {
#define STALL_REASON(id, ...) SOFTGPU_##id,
#include "softgpu/stall_reasons.def"
#undef STALL_REASON
	SOFTGPU_STALL_REASONS
};

/* The cycle breakdown: the launch's cycles along its critical path, which is the wave that finished last, before it the
 * wave whose end made room for it, and so on. The parts sum to the launch's cycles. The names are constants:
 * "CYCLES_DRAM". */
struct softgpu_cycles {
	const char *name, *help;
	uint64_t cycles;
};

/* Profile of an instruction, summed over all waves. */
struct softgpu_instruction {
	int64_t offset;                        /* bytes from the kernel's first instruction */
	uint64_t count;                        /* times issued */
	uint64_t issue;                        /* cycles */
	uint64_t stall[SOFTGPU_STALL_REASONS]; /* cycles; a stall is charged to the waiting instruction */
	char text[96];
};

/* A part of a wave's timeline, from cycle `start` to `end`: the wave issued the instruction at `offset`, or it stalled
 * at it. A wave's spans follow each other without gaps from its creation to the end of its last store. */
struct softgpu_span {
	uint64_t start, end;
	int64_t offset;
	uint32_t wave; /* from 0, in order of creation */
	uint16_t cu;
	uint8_t simd, slot; /* index in the CU, index in the SIMD */
	uint8_t cause;      /* stall reason: SOFTGPU_... */
	uint8_t issue;      /* 1: issued, 0: stalled */
	uint32_t issued;    /* instructions that the wave issued at its start, or in it if spans were merged */
};

/* A cache set that was used: hits, misses and evicted lines. `cache` is "L1" (instance: CU), "L2" (instance: channel)
 * or "scalar". For "LDS" (instance: CU, set: bank), hits are the dwords that the bank served, and misses the cycles
 * that others had to wait for the bank. */
struct softgpu_set {
	const char *cache;
	uint32_t instance, set;
	uint64_t hits, misses, evictions;
};

/* --- tracing one wave (version 5) --- */
/* Works in any profiled launch, whatever else is profiled. */

/* Limits the timeline to one CU (or SOFTGPU_EVERY_CU) and to the spans between two cycles. Spans in the window are
 * never dropped: if there are too many, they are merged into buckets that show the wave's most frequent state
 * (softgpu_grain). With `size` 0: all spans, at most the first million. */
#define SOFTGPU_EVERY_CU UINT32_MAX
struct softgpu_window {
	uint32_t size;
	uint32_t cu;
	uint64_t from, to;
};

/* Traces wave `wave` (in order of creation) from step `from` on. Steps are issued instructions, from 0. With `offset`
 * >= 0, the trace starts when the wave issues the instruction at that offset for the `nth` time (from 0) at step `from`
 * or later, and not before cycle `cycle`. Traces at most `steps` steps, up to SOFTGPU_STEPS.
 *
 * With `watch`, also the SOFTGPU_WATCHED_DWORDS dwords from `watched` on: an address as the kernel uses it, or a byte
 * of the workgroup's LDS. */
enum { SOFTGPU_WATCH_NOTHING, SOFTGPU_WATCH_MEMORY, SOFTGPU_WATCH_LDS, SOFTGPU_WATCHED_DWORDS = 64 };
enum {
	SOFTGPU_STEPS = 4096,
	SOFTGPU_SGPRS = 128 /* by operand number: VCC is 106, M0 124, EXEC 126 */,
	SOFTGPU_SCC = 253,
	SOFTGPU_VGPR0 = 256
};
struct softgpu_follow {
	uint32_t size;
	uint32_t wave;
	int64_t offset;
	uint64_t nth, from, cycle;
	uint32_t steps;
	uint32_t watch;
	uint64_t watched;
};

/* A step: its issue cycle, and the number of registers it changed and of its memory accesses. These are stored in the
 * order of the steps. Registers show a load's data at its issue; the access record contains the arrival time. */
struct softgpu_step {
	uint64_t cycle;
	int64_t offset;
	uint32_t changes, accesses;
};

/* A register that the step changed. A scalar register has lanes = 1 and value[0]. SCC counts as a register. */
struct softgpu_change {
	uint64_t lanes;
	uint16_t reg;
	uint32_t value[64];
};

/* A memory access of an instruction: byte addresses by lane, in device memory as the caches see it, or in the
 * workgroup's LDS. */
enum { SOFTGPU_BY_VECTOR, SOFTGPU_BY_LDS, SOFTGPU_BY_SCALAR };
enum { SOFTGPU_LOADS, SOFTGPU_STORES, SOFTGPU_ATOMICS }; /* LDS: SOFTGPU_LOADS for everything but atomics */
struct softgpu_access {
	uint8_t kind, op;
	uint8_t segments; /* entries used in `segment` */
	uint32_t bytes;   /* per lane */
	uint64_t lanes, at[64];
	uint32_t lines; /* distinct 64-byte lines, in the order in which they are processed; stored in the order of the
	                   accesses */
	uint32_t cycles, conflict; /* LDS: bank cycles, and how many of them are due to conflicts */
	uint64_t begin, end;       /* from its issue until all data has returned or is acknowledged */
	struct {
		uint64_t until;
		uint8_t cause;
	} segment[8]; /* where time was spent, for the part that returned last, from `begin` on */
};
/* A line of an access: its L2 channel, and the caches' results: 1 hit, 0 miss, -1 not accessed. For a scalar access,
 * `l1` is the scalar cache. */
struct softgpu_line {
	uint64_t at;
	uint16_t channel;
	int8_t l1, l2;
};

/* Watched dwords before traced step `step` (counted from the first traced one): recorded at the first step and when
 * they differ from the record before. `dwords` are readable; the others are outside of the mapping or of the LDS. */
struct softgpu_memory {
	uint32_t step, dwords;
	uint32_t value[SOFTGPU_WATCHED_DWORDS];
};

struct softgpu_trace {
	uint32_t wave, vgprs;
	uint16_t cu;
	uint8_t simd, slot, scc, ended; /* ended: the last step is the end of the wave */
	uint64_t first;                 /* number of the first step */
	uint32_t sgpr[SOFTGPU_SGPRS];
	const uint32_t *vgpr; /* values before the first step; 64 lanes per register */
	size_t steps, changes, accesses, lines;
	const struct softgpu_step *step;
	const struct softgpu_change *change;
	const struct softgpu_access *access;
	const struct softgpu_line *line;
	size_t memories;
	const struct softgpu_memory *memory;
};

/* --- bounded buffers (version 6) --- */
/* An access of a kernel through the address from softgpu_bound to other bytes than the buffer's. It ended its launch.
 */
struct softgpu_out_of_bounds {
	uint64_t buffer;   /* the address from softgpu_bound */
	int64_t offset;    /* bytes from there to the access */
	uint64_t bytes;    /* of the access */
	int64_t pc_offset; /* bytes from the kernel's first instruction to the one that made the access */
	uint32_t workgroup[3], work_item[3]; /* work_item: its number in the workgroup */
	uint32_t grid[3], block[3];          /* of the launch: workgroups, work-items of a workgroup */
	uint8_t op;                          /* SOFTGPU_LOADS, SOFTGPU_STORES, SOFTGPU_ATOMICS */
};

/* --- captured launches (version 9) --- */
/* What the file of a captured launch says about it (softgpu/capture/captured_launch.h). */
struct softgpu_captured {
	uint32_t size;                  /* of this structure in the caller's version; set it before the call */
	int32_t status;                 /* how it ended: 0 means success */
	char kernel[1024];              /* its symbol */
	char model[4096];               /* that it ran on: "mi25,l1_bytes=65536" */
	char arch[16];                  /* "gfx900" */
	char code[32];                  /* the kernel's code object, a file in the same folder; "": not known */
	char reason[256];               /* why it cannot run again; "": it can */
	uint32_t workgroup[3], grid[3]; /* work-items */
	uint32_t lds_bytes;             /* of a workgroup */
	uint64_t number;                /* of the launch in its process, from 0 */
	uint64_t cycles, ps, waves, instructions;
	uint64_t memory_bytes; /* of memory that is kept */
};

/* The caches when a captured launch runs again. */
enum {
	SOFTGPU_CACHES_CAPTURED, /* as it found them; only on the device that it ran on */
	SOFTGPU_CACHES_EMPTY,
	SOFTGPU_CACHES_KEPT /* as its last run left them */
};
/* A device, and the one that a captured launch ran on. */
enum {
	SOFTGPU_OTHER_DEVICE,
	SOFTGPU_SAME_DEVICE,
	SOFTGPU_IDEAL_DEVICE /* the same but for its ideal parts: the same caches, but not the same cycles */
};
struct softgpu_replayed {
	uint32_t size;
	uint32_t same_memory; /* 1: memory after it is what it was after the captured launch */
	uint32_t same;        /* with captured caches: 1: and so are cycles and instructions */
	char why[256];        /* the first difference, in one line; "": none */
};

/* --- allocations (version 10) --- */
/* With SOFTGPU_CHECK=memory, what a program has allocated for kernels. */
enum { SOFTGPU_EXTENT_UNKNOWN, SOFTGPU_EXTENT_LIVE, SOFTGPU_EXTENT_FREED, SOFTGPU_EXTENT_GAP };
struct softgpu_extent { /* struct check_extent of core/softgpu.h */
	uint64_t va, bytes;
	uint32_t state, allocation;
};
struct softgpu_allocation {
	uint32_t size; /* of this structure in the caller's version; set it before the call */
	uint32_t freed;
	uint64_t address, bytes;
	const char *how;                 /* the function that the program called. Valid to the end of the process */
	uint32_t allocated_by, freed_by; /* stacks; 0: none */
};

typedef uint32_t softgpu_version_fn(void);
typedef void softgpu_stop_fn(void); /* ends the running launch */
typedef void softgpu_progress_fn(struct softgpu_progress *out);
typedef int softgpu_last_launch_fn(struct softgpu_launch *out);              /* 0, or -1 if no launch has finished */
typedef size_t softgpu_counters_fn(struct softgpu_counter *out, size_t max); /* returns their number; fills up to max */
/* The model constants in effect, one "name=value unit" line each. Returns the length needed. */
typedef size_t softgpu_constants_fn(char *out, size_t size);

/* Checks the text of a model ("mi25,l1_bytes=65536") without opening a device: 0, or -1 with one line in `why` that
 * names valid choices. */
typedef int softgpu_check_fn(const char *model, char *why, size_t size);
/* The first model that a program's own code fits: 0 and its name, "mi60"; -1 if the file has none for any model. */
typedef int softgpu_choose_fn(const char *path, char *out, size_t size);

/* Every constant of a model, without opening a device, one line each: "name\tvalue\tunit\tlow\thigh\tsource\thelp\n".
 * Returns the length needed, 0 if the model is unknown. */
typedef size_t softgpu_describe_fn(const char *model, char *out, size_t size);

/* The available models, the default first, one line each: "name\tarch\tmarketing name\n". Returns the length needed.
 * Does not open a device. */
typedef size_t softgpu_models_fn(char *out, size_t size);
/* Of several GPUs, the functions of this header are about the one on this bus; about the first one until this is
 * called. -1 if there is none. */
typedef int softgpu_select_fn(unsigned pci_bus);
/* 1: work submitted from now on is held; the program must not wait for it. 0: it begins: what does not wait for each
 * other's signals at the same virtual time. Without this, work begins when each thread that submits through the runtime
 * waits (docs/software-gpu.md, kernels of several streams), and that of other threads at once. */
typedef void softgpu_together_fn(int on);
/* Between launches: gives the device the state in which each point starts (docs/software-gpu.md): empty caches, idle
 * sensors, and a time that does not show in event times. -1 without an open device. */
typedef int softgpu_reset_state_fn(void);
/* Between launches: empties the L2 cache, and nothing else. -1 without an open device. */
typedef int softgpu_flush_l2_fn(void);
/* Sleeps until the device has stored another value in a signal than those counted by `seen`, at most `ns`. Returns the
 * count. A program that waits for its work takes the count (ns 0) before it asks the runtime, and sleeps on it if the
 * work has not ended. */
typedef uint32_t softgpu_wait_fn(uint32_t seen, uint64_t ns);
/* What to profile from the next launch on; 0: nothing. */
typedef void softgpu_look_fn(unsigned what);
/* For the last finished launch. Both return the number of entries and fill up to max; 0 if it was not profiled. The
 * profile is in order of addresses. */
typedef size_t softgpu_account_fn(struct softgpu_cycles *out, size_t max);
typedef size_t softgpu_profile_fn(struct softgpu_instruction *out, size_t max);
/* The first million spans, in the order in which they ended; *dropped (may be NULL) receives the number of later ones.
 */
typedef size_t softgpu_timeline_fn(struct softgpu_span *out, size_t max, uint64_t *dropped);
typedef size_t softgpu_sets_fn(struct softgpu_set *out, size_t max);
/* Apply from the next launch on; NULL: no wave is traced, all spans are kept. 0, or -1 if memory runs out. */
typedef int softgpu_follow_fn(const struct softgpu_follow *what);
typedef void softgpu_window_fn(const struct softgpu_window *what);
/* The trace of the last profiled launch; valid until the next one. NULL if no trace was requested, or the wave or step
 * did not occur. Call it from the thread that waits for launches. */
typedef const struct softgpu_trace *softgpu_trace_fn(void);
/* The bucket length of that launch's timeline, in cycles; 0: every span is kept. */
typedef uint64_t softgpu_grain_fn(void);
/* An address for kernels, instead of `va`, from which they reach these bytes of device memory and nothing else. Other
 * accesses end the launch, for the runtime without an error. Cycles and counters stay the same. Copies need the
 * original address. 0: not device memory, or too many buffers (64). softgpu_unbound, before the memory is freed, and
 * between launches. */
typedef uint64_t softgpu_bound_fn(uint64_t va, uint64_t bytes);
typedef void softgpu_unbound_fn(uint64_t address);
/* The first out-of-bounds access since the last call: 0; -1 if there was none. */
typedef int softgpu_take_out_of_bounds_fn(struct softgpu_out_of_bounds *out);
/* Number of waves of that launch on each CU; returns the number of CUs, 0 if waves were not profiled. */
typedef size_t softgpu_waves_fn(uint32_t *out, size_t max);
/* Every counter, with or without a device or a launch; values are 0. CYCLES_* counters exist only for profiled
 * launches. */
typedef size_t softgpu_counter_names_fn(struct softgpu_counter *out, size_t max);

/* Reads the file of a captured launch. Needs no device. 0, or -1 with the reason in one line in `why`. */
typedef int softgpu_read_captured_fn(const char *file, struct softgpu_captured *out, char *why, size_t size);
/* Opens a captured launch on a device of its own, which the functions of this header describe until
 * softgpu_reset_state: it is like the device of this process with these constants changed ("l1_bytes=65536", "": none),
 * or with NULL like that of the launch, whatever this process has. *alike: SOFTGPU_..._DEVICE, compared with the one
 * that the launch ran on. 0, or -1 with the reason in one line. */
typedef int softgpu_open_captured_fn(const char *file, const char *constants, uint32_t *alike, char *why, size_t size);
/* Runs it, with memory as it was before it; softgpu_last_launch has the result. 0, or -1 if none is open. One thread
 * opens and runs. */
typedef int softgpu_run_captured_fn(int caches, struct softgpu_replayed *out);

/* What is at an address: 0; -1 if nothing is known. */
typedef int softgpu_extent_fn(uint64_t va, struct softgpu_extent *out);
/* 0; -1 if there is no such allocation, or it was forgotten. */
typedef int softgpu_allocation_fn(uint32_t number, struct softgpu_allocation *out);
/* Writes a line a frame: its module, a tab, the address in its file in hexadecimal, a tab, the function if the module
 * exports it. Returns the length, as snprintf. */
typedef size_t softgpu_stack_fn(uint32_t stack, char *out, size_t size);
/* Numbers of the allocations that the program has not freed. Fills up to max, returns how many there are. */
typedef size_t softgpu_leaks_fn(uint32_t *out, size_t max, uint64_t *bytes);

/* --- checks (version 11) --- */
/* What is checked from the next launch on, as in SOFTGPU_CHECK: "memory,race"; "": nothing. Forgets earlier reports.
 * Checks change no result and no cycle; an access to bytes outside of a bounded buffer is left out, where the launch
 * would end. Memory that SOFTGPU_CHECK does not track counts as written. Between launches. 0, or -1 with one line in
 * `why`. */
typedef int softgpu_request_checks_fn(const char *list, char *why, size_t size);
/* What they found since then, as JSON: {"launches":1,"left_out":0,"places":[...]}. A place is an object as in the
 * journals of SOFTGPU_CHECK_FOLDER (driver/check/launch_checks.h); left_out: accesses at further places. Returns the
 * length, as snprintf; 0: no launch was checked. */
typedef size_t softgpu_check_reports_fn(char *out, size_t size);

softgpu_version_fn softgpu_version;
softgpu_stop_fn softgpu_stop;
softgpu_progress_fn softgpu_progress;
softgpu_last_launch_fn softgpu_last_launch;
softgpu_counters_fn softgpu_counters;
softgpu_constants_fn softgpu_constants;
softgpu_check_fn softgpu_check, softgpu_check_gpus;
softgpu_choose_fn softgpu_choose;
softgpu_describe_fn softgpu_describe;
softgpu_models_fn softgpu_models;
softgpu_select_fn softgpu_select;
softgpu_together_fn softgpu_together;
softgpu_reset_state_fn softgpu_reset_state;
softgpu_flush_l2_fn softgpu_flush_l2;
softgpu_wait_fn softgpu_wait;
softgpu_look_fn softgpu_look;
softgpu_account_fn softgpu_account;
softgpu_profile_fn softgpu_profile;
softgpu_timeline_fn softgpu_timeline;
softgpu_sets_fn softgpu_sets;
softgpu_follow_fn softgpu_follow;
softgpu_window_fn softgpu_window;
softgpu_trace_fn softgpu_trace;
softgpu_grain_fn softgpu_grain;
softgpu_waves_fn softgpu_waves;
softgpu_bound_fn softgpu_bound;
softgpu_unbound_fn softgpu_unbound;
softgpu_take_out_of_bounds_fn softgpu_take_out_of_bounds;
softgpu_counter_names_fn softgpu_counter_names;
softgpu_read_captured_fn softgpu_read_captured;
softgpu_open_captured_fn softgpu_open_captured;
softgpu_run_captured_fn softgpu_run_captured;
softgpu_extent_fn softgpu_extent;
softgpu_allocation_fn softgpu_allocation;
softgpu_stack_fn softgpu_stack;
softgpu_leaks_fn softgpu_leaks;
softgpu_request_checks_fn softgpu_request_checks;
softgpu_check_reports_fn softgpu_check_reports;

#endif
