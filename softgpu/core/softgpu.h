/* A software GPU: one device, an address space, and launches one after another, exact in result and in virtual cycles.
 *
 * Single-threaded: one thread calls gpu_launch; gpu_stop_launch and gpu_progress may be called from any other. The same
 * launches on the same addresses give the same cycles and the same memory on every host.
 */
#ifndef SOFTGPU_CORE_SOFTGPU_H
#define SOFTGPU_CORE_SOFTGPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpu;
struct model; /* core/model.h: hardware constants by name */

/* Owned by the caller until gpu_close. The model is copied. NULL when memory runs out. */
struct gpu *gpu_open(const struct model *m);
void gpu_close(struct gpu *g);
/* Waves, registers and caches of its own, the same address space as of now: for a second launch while one is under way.
 * NULL when memory runs out. */
struct gpu *gpu_clone(const struct gpu *g);
const struct model *gpu_model(const struct gpu *g);

/* --- address space -------------------------------------------------------------------------------------------------
 * Maps [va, va + size) of the GPU to host memory at `host`. `phys` is the address that caches, channels and TLB see: an
 * offset in device memory from the driver's own allocator, or VM_SYSTEM | offset for host memory. Never a host address.
 * All three are multiples of 4096. */
#define VM_SYSTEM (UINT64_C(1) << 46)
enum vm_access { VM_READ = 1, VM_WRITE = 2, VM_EXEC = 4 };
bool gpu_map(struct gpu *g, uint64_t va, uint64_t size, void *host, uint64_t phys, unsigned access);
void gpu_unmap(struct gpu *g, uint64_t va, uint64_t size);
/* What to call before an address counts as not mapped: mappings may have been asked for while a launch runs, and its
 * kernel been told of them. */
void gpu_set_unmapped_hook(struct gpu *g, void (*look)(void));
/* Host pointer for [va, va + size), NULL when any byte is not mapped with that access or spans two mappings. */
void *gpu_host_pointer(struct gpu *g, uint64_t va, uint64_t size, unsigned access);

/* --- launches --- */
/* CUs that may take workgroups, a bit each by number in their shader engine. Not `limited`: all. */
enum { CU_MASK_ENGINES = 16 };
struct cu_mask {
	bool limited;
	uint64_t engine[CU_MASK_ENGINES];
};

struct dispatch { /* the AQL packet's fields; grid is in work-items */
	uint16_t workgroup[3];
	uint32_t grid[3];
	uint32_t private_bytes; /* per work-item */
	uint32_t group_bytes;   /* LDS */
	uint64_t kernel_object; /* va of a kernel descriptor, or of a legacy amd_kernel_code_t when legacy is set */
	bool legacy;
	uint64_t kernarg;
	uint64_t packet_va; /* what the dispatch pointer SGPRs get */
	uint64_t queue_va;
	uint64_t dispatch_id;
	uint32_t scratch_srd[4];
	uint64_t scratch_base; /* flat scratch */
	uint32_t scratch_wave_bytes;
	uint32_t scratch_waves; /* how many waves there is scratch for at a time; 0: for all that fit into the chip */
	uint64_t shared_aperture, private_aperture; /* upper halves used by flat addressing */
	struct cu_mask cus;                         /* the queue's */
	void (*interrupt)(uint32_t data); /* s_sendmsg(MSG_INTERRUPT): the low 24 bits of M0; NULL: nobody may_spin */
	uint64_t start_cycle;             /* core cycles of the device before the launch, what s_memtime counts from */
	uint64_t start_ns;                /* and its time, what s_memrealtime counts from */
};

enum launch_status { LAUNCH_OK, LAUNCH_MEMORY_FAULT, LAUNCH_ILLEGAL, LAUNCH_TRAP, LAUNCH_STOPPED, LAUNCH_BAD_PACKET };
struct launch_result {
	enum launch_status status;
	uint64_t cycles;      /* from the packet's arrival to the last drained store, core clock */
	uint64_t ps;          /* the time they took (core_clock.h) */
	uint64_t valu_cycles; /* cycles that vector ALUs worked, summed over SIMDs; never more than there were */
	uint64_t waves, instructions; /* wave instructions issued */
	uint64_t fault_va;            /* LAUNCH_MEMORY_FAULT */
	bool fault_write;
	uint64_t pc;       /* of the instruction that stopped the kernel, va */
	char message[256]; /* one line: what stopped it, where */
};
enum launch_status gpu_launch(struct gpu *g, const struct dispatch *d, struct launch_result *out);

/* The same in pieces: begin, run until it says that nothing is left, end. Pauses change neither results nor cycles. `d`
 * and `out` have to stay until the end. */
void gpu_begin_launch(struct gpu *g, const struct dispatch *d, struct launch_result *out);
bool gpu_run_until(
	struct gpu *g, uint64_t until); /* until cycle `until` has passed, or a little longer; true: no more to do */
enum launch_status gpu_end_launch(struct gpu *g);

/* Ends the running launch soon with LAUNCH_STOPPED. Any thread; async-signal-safe. */
void gpu_stop_launch(struct gpu *g);
/* How far the running (or last) launch is: workgroups finished and in all; core cycles and wave instructions when the
 * call before this one asked, 0 at first. Any thread; meant to be called several times a second, not more. */
struct gpu_progress {
	uint64_t done, total, cycles, instructions;
};
void gpu_read_progress(struct gpu *g, struct gpu_progress *out);

/* Counters of the last finished launch under their rocprofiler names, sums over the device. Fills up to max, returns
 * how many there are. The strings are constants. The launching thread only. */
struct gpu_counter {
	const char *name, *unit, *help;
	uint64_t value;
};
size_t gpu_read_counters(const struct gpu *g, struct gpu_counter *out, size_t max);
/* All that there are, values 0. No device needed. */
size_t gpu_list_counters(struct gpu_counter *out, size_t max);

/* Looking inside (probe.h says what is in it): what to look at from the next launch on, any thread; what was seen in
 * the last one, the launching thread only. */
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
	const struct softgpu_follow *what); /* from the next launch on; not while one runs. False when memory ran out */
void gpu_set_timeline_window(struct gpu *g, const struct softgpu_window *what);
const struct softgpu_trace *gpu_read_trace(const struct gpu *g); /* stays until the next launch begins */
uint64_t gpu_read_timeline_bucket(const struct gpu *g);
size_t gpu_read_waves_per_cu(const struct gpu *g, uint32_t *out, size_t max);

#endif
