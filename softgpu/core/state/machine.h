/* The simulated GPU. Private to softgpu/core.
 *
 * Times are core cycles since the launch's packet arrived. The waves of a CU issue in time order (scheduler.h). A CU
 * runs ahead of the others while only its own waves observe what it does. CUs synchronize at memory accesses and at
 * wave ends, in time order; at the same cycle a pseudo-random tie-break decides (issue_loop.c, event_queue.h). Waves
 * may execute ahead of simulated time when the result is not observable (run_ahead.h), and the host runs straight-line
 * vector code as one compiled function (jit.h). None of this changes simulated time, data races aside.
 */
#ifndef SOFTGPU_CORE_STATE_MACHINE_H
#define SOFTGPU_CORE_STATE_MACHINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "softgpu/isa/isa_family.h"
#include "softgpu/core/state/cu.h"
#include "softgpu/core/state/host_thread.h"
#include "softgpu/core/state/launch_state.h"
#include "softgpu/core/state/machine_limits.h"
#include "softgpu/core/state/uop.h"
#include "softgpu/core/state/wave.h"
#include "softgpu/core/state/channel.h"
#include "softgpu/core/state/vm.h"
#include "softgpu/core/model_config.h"
#include "softgpu/core/softgpu.h"
#include "softgpu/core/time_types.h"
#include "softgpu/core/state/cluster.h"
#include "softgpu/core/state/event_queue.h"

/* freed_room.h */
struct freed_wave {
	cycle_t at; /* when its room is free */
	struct wave *wave;
	bool last; /* of its workgroup */
};
struct freed_room {
	struct freed_wave *wave; /* a ring */
	uint32_t size, head, tail;
};

enum { DISPATCHER = MAX_CUS /* its number in the event queue, after the CUs */ };
_Static_assert(DISPATCHER < (int)EVENT_QUEUE_MAX && (int)EVENT_QUEUE_MAX <= 1 << EVENT_ID_BITS,
	"the event queue holds every CU and the dispatcher");

struct checker;
struct host_variant;
struct profiler;
struct trace;

/* Requests from other threads to the launching thread; it polls them at taken branches and workgroup ends. */
enum machine_request { REQUEST_STOP = 1, REQUEST_PROGRESS = 2 };

/* A host thread that simulates has a machine of its own, a view of the first: all that it points to is the same, and
 * `thread`, `vm` and `halt` are the thread's. */
struct machine {
	struct machine *owner; /* the first; itself */
	struct machine **view; /* of the threads, the first one's is the owner */
	uint32_t views,
		threads;  /* those that exist, and those of the launch that was windowed last, which use the first */
	bool has_threads; /* the launch has settled how many */
	struct window_threads *helpers; /* NULL: none has been needed */
	struct model model;             /* with what ideal parts do to its constants */
	struct model as_opened;         /* without that */
	struct vm vm;
	struct host_thread thread;
	const struct host_variant *variant;
	void (*const *issue)(struct cu *cu);
	struct uop fetch; /* the next "instruction" of a wave whose code has yet to arrive, icache_fetch.h */
	struct event_queue events;
	struct cu *cu;
	struct sqc *sqc;
	struct channel *channel;
	struct pooled_channels pooled;
	struct shader_array *array; /* NULL: gfx9 */
	struct cluster *cluster;
	uint32_t clusters;
	bool windowed; /* clusters run in windows now: CUs have their events there */
	bool apart;    /* each of them by itself; what it asks of L2 is served later. Else all in the order of events */
	bool in_window, unresolved;             /* window.h */
	bool sorts_requests, served_by_channel; /* those of this window; those that are unresolved (l2_exchange.h) */
	uint32_t window;                        /* its number */
	cycle_t window_begin, window_end;       /* its cycles, which clusters take over when it begins */
	bool begins_window;                     /* they have not yet */
	const struct deferred_access *applied;  /* whose operation executes now; NULL: none */
	struct code_copies *code_copies;        /* all threads share them */
	bool has_replaced_code;                 /* launches go on with code that has changed since they began */
	struct fabric fabric;
	struct channel_rates rates;
	uint32_t arrays;
	enum isa_target target;             /* with waves of the fewest lanes */
	const struct isa_family *isa;       /* that it belongs to */
	uint32_t wave_slots;                /* of a SIMD */
	uint8_t waitcnt_max[WAITCNT_KINDS]; /* the most outstanding accesses */
	uint8_t store_counter;              /* enum waitcnt_kind of accesses that return nothing */
	uint32_t cus, sqcs;
	uint32_t channels, interleave_shift, l1_shift, l2_shift; /* the last two: from lines of 64 bytes to theirs */
	uint64_t channel_reciprocal;                             /* 2^64 / channels; 0: channels is a power of two */
	struct launch launch[LAUNCHES_MAX],
		*resident[LAUNCHES_MAX];  /* those that are resident come first in the second */
	uint32_t residents, turn;         /* turn: which of them placed a workgroup last */
	const struct launch *last_launch; /* the last one that ended, or the running one; NULL: none */
	uint64_t launches;
	uint64_t host_epoch;  /* marks a launch's lines of host memory in L2; older ones do not hit */
	uint32_t gws_waiting; /* waves that wait for global wave sync */
	/* Of all resident launches: workgroups that have yet to start, CUs with room for one by shader engine, and
	 * whether some have to wait for scratch. */
	uint64_t unstarted, free_cus[MAX_ENGINES];
	cycle_t engine_free[MAX_ENGINES]; /* when a shader engine can create the next workgroup */
	bool short_of_scratch;
	struct freed_room freed;
	bool overlapped; /* since the first of the resident launches began, several were resident at the same time */
	uint64_t shared_aperture, private_aperture;   /* of the launches; upper halves of addresses */
	enum launch_status halt;                      /* not LAUNCH_OK: leave the loops */
	struct launch_result stopped;                 /* in a window: why, launch_result_of */
	cycle_t pause;                                /* leave the loops at this cycle, to resume later */
	cycle_t reached;                              /* all cycles before it have been simulated */
	cycle_t skipped_cycles;                       /* of launches that have ended: launch.skipped_cycles */
	uint64_t counted_waves, counted_instructions; /* when the last one ended */
	struct launch_storage storage[LAUNCHES_MAX];
	size_t vgpr_bytes; /* of one storage */
	uint64_t agprs;    /* dwords from a wave's VGPR 0 to its accumulation register 0; 0: the target has none */
	uint8_t gds[GDS_BYTES];
	struct profiler *profiler;        /* of the running launch; NULL: not profiled */
	struct profiler *last_profile;    /* of the last profiled launch, until the next launch begins; NULL: none */
	bool observed;                    /* profiled or checked */
	struct checker *checks, *checker; /* what was requested; of the running launch. NULL: not checked (checker.h) */
	struct trace *trace;              /* the wave to follow, wave_trace.h; NULL: none */
	struct {
		bool on;
		uint32_t cu;
		cycle_t from, to;
	} span_window; /* the timeline keeps only these spans; off: all */
	/* From here on, what threads that do not simulate read and write: only the machine itself has it, no view. */
	_Atomic unsigned requests;                                 /* enum machine_request */
	_Atomic uint64_t done, total;                              /* workgroups */
	_Atomic uint64_t published_cycles, published_instructions; /* as of the last REQUEST_PROGRESS */
	_Atomic unsigned profile_request;                          /* SOFTGPU_PROFILE_*, from the next launch on */
};

/* Registers and LDS for the launch of this number, gpu_open.c. They stay. False: out of memory. */
bool machine_open_storage(struct machine *m, unsigned number);

/* That of the wave's lanes, with the code that its thread has decoded. */
static inline struct executor *launch_executor(const struct wave *w)
{
	return &w->m->thread.executor[w->launch->executor_number];
}

/* The launch lasts until cycle t or longer; in a window, the cluster keeps that for its end. */
static inline void cu_extend_launch(struct cu *cu, struct launch *n, cycle_t t)
{
	cycle_t *end = cu->m->windowed ? &cu->cluster->latest : &n->end;

	*end = *end > t ? *end : t;
}

/* How far the cluster may be simulated now: to the end of its window, or to a pause in it. */
static inline cycle_t cluster_stop(const struct machine *m, const struct cluster *c)
{
	return c->end < m->pause ? c->end : m->pause;
}

/* Where to describe why the wave stops its launch: in a window, another cluster may have stopped it before. */
static inline struct launch_result *launch_result_of(const struct wave *w)
{
	return w->m->windowed ? &w->m->stopped : w->launch->out;
}

/* The active lanes. */
static inline uint64_t wave_exec_mask(const struct wave *w)
{
	return ((uint64_t)w->s[ISA_EXEC + 1] << 32 | w->s[ISA_EXEC]) & w->launch->all_lanes;
}

static inline uint64_t wave_vcc_mask(const struct wave *w)
{
	return ((uint64_t)w->s[ISA_VCC + 1] << 32 | w->s[ISA_VCC]) & w->launch->all_lanes;
}

/* The lanes of a VGPR or an accumulation register, by operand number. */
static inline uint32_t *wave_vgpr(const struct wave *w, unsigned number)
{
	return number >= ISA_AGPR0 ? w->v + w->m->agprs + (size_t)(number - ISA_AGPR0) * w->launch->lanes
				   : w->v + (size_t)(number - ISA_VGPR0) * w->launch->lanes;
}

static inline bool machine_is_profiled(const struct machine *m)
{
	return __builtin_expect(m->profiler != NULL, 0);
}

static inline bool machine_is_checked(const struct machine *m)
{
	return __builtin_expect(m->checker != NULL, 0);
}

/* The launch takes the plain path alone: each instruction executes in its cycle, and nothing is remembered. */
static inline bool machine_is_observed(const struct machine *m)
{
	return __builtin_expect(m->observed, 0);
}

/* The work-item of a workgroup with this number: lanes are work-items in the order of their x, y and z. */
void machine_locate_item(const struct launch *n, uint32_t number, uint32_t out[3]);

/* Stop the launch with a status and a message. Only the first call counts. */
void machine_halt(struct wave *w, const struct uop *i, enum launch_status status, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* `lane` made an access that no mapping permits. True: the launch continues without it, because the address is in a
 * bounded slot (softgpu.h). */
bool machine_fault(struct wave *w, const struct uop *i, unsigned lane, uint64_t va, uint64_t bytes, unsigned access);
/* `lane` made an atomic access to memory or LDS that is not aligned to its size. */
void machine_halt_misaligned(struct wave *w, const struct uop *i, unsigned lane, uint64_t at, uint64_t bytes);

#endif
