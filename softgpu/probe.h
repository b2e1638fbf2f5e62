/* What silicon hides. Exported by libsoftgpu.so and found by dlsym, so that nothing links against the software GPU:
 * a program that finds none of these runs on real hardware. Functions are callable from any thread unless said
 * otherwise.
 */
#ifndef SOFTGPU_PROBE_H
#define SOFTGPU_PROBE_H

#include <stddef.h>
#include <stdint.h>

#define SOFTGPU_PROBE_VERSION                                                                                        \
	5 /* 2: looking inside; 3: a launch's exact time; 4: time and instructions of the running launch, sequences; \
	     5: one wave, step by step */

/* Launches finished. Of the running one: workgroups; its wave instructions and its time on the virtual time line as
 * they were when the call before this one asked, 0 at first. Meant to be asked a few times a second. */
struct softgpu_progress {
	uint64_t launches, workgroups_done, workgroups, instructions, ns;
};

/* Facts of the last finished launch. */
struct softgpu_launch {
	uint32_t size;             /* of this structure as the caller knows it; set it before the call */
	int32_t status;            /* enum launch_status of core/gpu.h: 0 is done */
	uint64_t cycles;           /* core clock */
	uint64_t start_ns, end_ns; /* on the virtual time line */
	uint64_t waves, instructions;
	char kernel[128];
	char message[256]; /* why it stopped; empty when it did not */
	uint64_t ps;       /* how long the cycles took: the core clock yields under load (version 3) */
};

/* A counter under its rocprofiler name; values are sums over the device for the last finished launch. */
struct softgpu_counter {
	const char *name;
	const char *unit;
	const char *help;
	uint64_t value;
};

/* --- looking inside (version 2) ---
 * Costs nothing until asked for; then the launches that begin later are slower to simulate, and take the same cycles.
 */
enum {
	SOFTGPU_LOOK_CYCLES = 1 /* the account and the profile */,
	SOFTGPU_LOOK_WAVES = 2 /* the timeline */,
	SOFTGPU_LOOK_SETS = 4
};

enum {
#define STALL_REASON(id, help) SOFTGPU_##id,
#include "softgpu/stall_reasons.def"
#undef STALL_REASON
	SOFTGPU_CAUSES
};

/* The launch's cycles along its critical path: the wave that finished last, before it the wave whose end made room for
 * it, and so on. They sum to the launch's cycles. The names are constants: "CYCLES_DRAM". */
struct softgpu_cycles {
	const char *name, *help;
	uint64_t cycles;
};

/* An instruction, summed over all waves. */
struct softgpu_instruction {
	int64_t offset;                 /* bytes from the kernel's first instruction */
	uint64_t count;                 /* times issued */
	uint64_t issue;                 /* cycles */
	uint64_t stall[SOFTGPU_CAUSES]; /* cycles; a wait is charged to the instruction that waits */
	char text[96];
};

/* What a wave did from cycle `start` to `end`: it issued (one span for instructions back to back, the first one's
 * offset), or waited at the instruction at `offset`. A wave's spans follow each other without gaps from its creation to
 * the last of its stores. */
struct softgpu_span {
	uint64_t start, end;
	int64_t offset;
	uint32_t wave; /* from 0, in the order of creation */
	uint16_t cu;
	uint8_t simd, slot; /* of the CU, of the SIMD */
	uint8_t cause;      /* SOFTGPU_... */
	uint8_t issue;      /* 1: not a wait */
};

/* A set of a cache that was used: hits, misses and lines that fell out. `cache` is "L1" (instance: CU), "L2" (channel)
 * or "scalar". "LDS" (instance: CU, set: bank) has the dwords that passed the bank as hits and the cycles that others
 * had to wait for it as misses. */
struct softgpu_set {
	const char *cache;
	uint32_t instance, set;
	uint64_t hits, misses, evictions;
};

/* --- one wave, step by step (version 5) ---
 * Seen in launches that are looked into, whatever else is looked at. */

/* Spans of one CU, or of every one, between two cycles only. Those are never dropped: where they become too many they
 * are put together, what a wave did most in every so many cycles (softgpu_grain). All spans, and no more than the first
 * million, when `size` is 0. */
#define SOFTGPU_EVERY_CU UINT32_MAX
struct softgpu_window {
	uint32_t size;
	uint32_t cu;
	uint64_t from, to;
};

/* Follow wave `wave` (by creation) from its step `from` on, steps being instructions issued, the first 0; with `offset`
 * >= 0 from the `nth` time on (the first 0) that it issues the instruction at that offset at step `from` or later; not
 * before cycle `cycle`. At most `steps` of them, no more than SOFTGPU_STEPS. */
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
};

/* A step: the cycle of issue, and how many registers it changed and accesses it made; these follow each other in the
 * order of steps. Registers have what a load brings at once; when it arrives, its access says. */
struct softgpu_step {
	uint64_t cycle;
	int64_t offset;
	uint32_t changes, accesses;
};

/* A register that the step left with other values. Scalar ones have lanes 1 and value[0]; SCC is a register. */
struct softgpu_change {
	uint64_t lanes;
	uint16_t reg;
	uint32_t value[64];
};

/* What an instruction wanted of memory: byte addresses by lane, of device memory as the caches see it, or of the
 * workgroup's LDS. */
enum { SOFTGPU_BY_VECTOR, SOFTGPU_BY_LDS, SOFTGPU_BY_SCALAR };
enum { SOFTGPU_LOADS, SOFTGPU_STORES, SOFTGPU_ATOMICS }; /* LDS: loads for whatever is no atomic */
struct softgpu_access {
	uint8_t kind, op;
	uint8_t ways;   /* that are in `way` */
	uint32_t bytes; /* of a lane */
	uint64_t lanes, at[64];
	uint32_t lines; /* distinct ones of 64 bytes, in the order in which they pass; they follow each other as
	                   accesses do */
	uint32_t cycles, conflict; /* LDS: of its banks, and those among them that conflicts cost */
	uint64_t begin, end;       /* from its issue until all of it is back or acknowledged */
	struct {
		uint64_t until;
		uint8_t cause;
	} way[8]; /* of the part that came back last, from `begin` on */
};
/* The L2 channel of a line; its answers: 1 a hit, 0 a miss, -1 not asked. `l1` is the scalar cache's for a scalar
 * access. */
struct softgpu_line {
	uint64_t at;
	uint16_t channel;
	int8_t l1, l2;
};

struct softgpu_trace {
	uint32_t wave, vgprs;
	uint16_t cu;
	uint8_t simd, slot, scc, ended; /* ended: the last step is the wave's last */
	uint64_t first;                 /* number of the first step */
	uint32_t sgpr[SOFTGPU_SGPRS];
	const uint32_t *vgpr; /* as they were before the first step; a register is 64 lanes */
	size_t steps, changes, accesses, lines;
	const struct softgpu_step *step;
	const struct softgpu_change *change;
	const struct softgpu_access *access;
	const struct softgpu_line *line;
};

typedef uint32_t softgpu_version_fn(void);
typedef void softgpu_stop_fn(void); /* end the running dispatch */
typedef void softgpu_progress_fn(struct softgpu_progress *out);
typedef int softgpu_last_launch_fn(struct softgpu_launch *out);              /* 0, or -1 when nothing has run */
typedef size_t softgpu_counters_fn(struct softgpu_counter *out, size_t max); /* how many there are; fills up to max */
/* Model constants in effect as "name=value unit" lines, one call for all; returns the length needed. */
typedef size_t softgpu_constants_fn(char *out, size_t size);

/* Checks the text of a model ("mi25,l1_bytes=65536") without opening anything: 0, or -1 with one line in `why` that
 * names what would be right. */
typedef int softgpu_check_fn(const char *model, char *why, size_t size);

/* Every constant of a model without opening anything, a line each: "name\tvalue\tunit\tlow\thigh\tsource\thelp\n".
 * Returns the length needed, 0 when there is no such model. */
typedef size_t softgpu_describe_fn(const char *model, char *out, size_t size);

/* The models there are, the default first, a line each: "name\tarch\tmarketing name\n". Returns the length needed.
 * Opens nothing. */
typedef size_t softgpu_models_fn(char *out, size_t size);
/* 1: what is submitted from now on waits; nothing may be waited for that has not ended yet. 0: it runs, with a time
 * line for each queue that starts now: copies and kernels that do not wait for each other's signals overlap in virtual
 * time, until all have ended. Without this a packet begins where the last one of any queue has ended. */
typedef void softgpu_together_fn(int on);
/* What to look at from the next launch on; 0: nothing. */
typedef void softgpu_look_fn(unsigned what);
/* Of the last finished launch; both return how many there are and fill up to max; 0 when nobody looked. The profile is
 * in the order of addresses. */
typedef size_t softgpu_account_fn(struct softgpu_cycles *out, size_t max);
typedef size_t softgpu_profile_fn(struct softgpu_instruction *out, size_t max);
/* The first million spans, in the order in which they ended; *dropped (may be NULL) has the number of those behind. */
typedef size_t softgpu_timeline_fn(struct softgpu_span *out, size_t max, uint64_t *dropped);
typedef size_t softgpu_sets_fn(struct softgpu_set *out, size_t max);
/* For launches from the next one on; NULL: no wave, every span. 0, or -1 when memory ran out. */
typedef int softgpu_follow_fn(const struct softgpu_follow *what);
typedef void softgpu_window_fn(const struct softgpu_window *what);
/* Of the last finished launch that was looked into, stays until the next one; NULL when nobody followed, or the wave or
 * the step never came. By the thread that waits for launches. */
typedef const struct softgpu_trace *softgpu_trace_fn(void);
/* The length of these pieces in that launch's timeline, cycles; 0: it has every span. */
typedef uint64_t softgpu_grain_fn(void);
/* Waves of that launch by CU; returns how many CUs there are, 0 when nobody looked for waves. */
typedef size_t softgpu_waves_fn(uint32_t *out, size_t max);
/* Every counter there is, with or without a device or a launch; values are 0. CYCLES_* are known only of launches
 * looked at. */
typedef size_t softgpu_counter_names_fn(struct softgpu_counter *out, size_t max);

softgpu_version_fn softgpu_version;
softgpu_stop_fn softgpu_stop;
softgpu_progress_fn softgpu_progress;
softgpu_last_launch_fn softgpu_last_launch;
softgpu_counters_fn softgpu_counters;
softgpu_constants_fn softgpu_constants;
softgpu_check_fn softgpu_check;
softgpu_describe_fn softgpu_describe;
softgpu_models_fn softgpu_models;
softgpu_together_fn softgpu_together;
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
softgpu_counter_names_fn softgpu_counter_names;

#endif
