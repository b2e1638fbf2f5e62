/* The checks of a launch: what the issue loop, the operations and the memory pipeline tell them.
 *
 * While a launch is checked, machine.checker is not NULL. The launch then takes the plain path alone (that of a
 * profiled launch), so each instruction comes here once, in its cycle. Without a checker the only cost is what
 * profiling costs. What a check looks at: check_memory.c, check_lds.c, check_global.c,
 * check_barriers.c, check_waits.c, check_init.c.
 */
#ifndef SOFTGPU_CORE_CHECK_CHECKER_H
#define SOFTGPU_CORE_CHECK_CHECKER_H

#include "softgpu/core/check/check_reports.h"
#include "softgpu/core/check/races/global_races.h"
#include "softgpu/core/state/machine.h"

/* Addresses of loads of a kind. */
enum { SPECIAL_LOADS_MAX = 64 };
struct special_loads {
	uint64_t pc[SPECIAL_LOADS_MAX];
	size_t count;
};

struct lds_races;
struct undefined_memory;
struct undefined_registers;

/* What the checks know of a resident workgroup. */
struct group_check {
	struct group_check *next, *before; /* all that are resident */
	struct wave_clocks clocks;
	struct lds_races *races;     /* NULL: LDS is not checked for races */
	struct global_races *global; /* of the launch; NULL: global memory is not checked for them */
	struct group_order order;    /* if it is */
	uint32_t lds_stores;         /* so far */
	bool is_stuck;               /* and that was reported */
	uint8_t *undefined_lds; /* by byte: 1 if it was never written, or holds what is undefined; NULL: not checked */
	struct wave_check {
		uint32_t launch_wave;      /* its number in the launch */
		uint64_t items;            /* lanes with a work-item */
		uint64_t off;              /* of these, lanes that were off at the last barrier */
		struct check_side missed;  /* that barrier, at one of them */
		struct check_side barrier; /* the last one, at a lane that was on */
		bool at_barrier;           /* the wave waits there */
		struct wave_poll {
			uint64_t pc, hash;             /* of its registers */
			uint32_t version;              /* lds_stores then */
			uint32_t trips, others;        /* trips: back at the poll with nothing new in between */
		} poll;                                /* that it waits for, check_waits.c */
		struct undefined_registers *registers; /* NULL: not checked */
		uint8_t *defined_scratch;              /* init_scratch.c; NULL: it was not accessed yet */
	} wave[MAX_GROUP_WAVES];
};

/* Stays from gpu_set_checks until it is set to 0. machine.checker leads here while a launch is checked. */
struct checker {
	unsigned checks; /* enum check */
	check_find_fn *find;
	struct check_extent extent;         /* found last */
	uint64_t extent_epoch;              /* of the address space, when it was found */
	struct special_loads polls, atomic; /* of the launches: kernel_find_polls, kernel_find_atomic_loads */
	struct check_reports reports;
	struct group_check *groups;                /* all that are resident */
	struct effects_cache *effects;             /* check_init.c; NULL: nothing is known yet */
	struct undefined_memory *memory;           /* NULL: not checked. A clone of the device has that of the device */
	struct global_races *global[LAUNCHES_MAX]; /* by number of the resident launch; NULL: it had none yet */
	bool is_clone;
	uint64_t launch;     /* gpu_number_launch */
	bool left_undefined; /* the launch stored undefined values to memory of the GPU */
};

/* With the device, and with a clone of it, which shares what is known of memory. False: out of memory. */
void checker_close(struct machine *m);
bool checker_clone(struct machine *m, const struct machine *from);

/* --- a launch and its workgroups --- */
/* Before the first of the resident launches begins. Sets machine.checker if checks were requested. */
void checker_begin(struct machine *m);
void checker_end(struct machine *m);
/* A launch begins; it may not be the first one that is resident. */
void checker_begin_launch(struct launch *n);
/* What the launch moves is defined (bulk_move.h may leave out its instructions). */
void checker_note_move(const struct launch *n);
void checker_start_group(struct workgroup *g);
void checker_end_group(struct workgroup *g);

/* --- accesses: before they are made --- */
/* An access of the active lanes to memory, or to scratch with offsets in that of the work-item, with lane l's `pieces`
 * of `bytes` bytes each, which are `step` bytes apart, from at[l] on. Takes those lanes out of *lanes whose access must
 * not be made. */
struct checked_access {
	const uint64_t *at;
	uint32_t pieces, bytes, step;
	unsigned access; /* enum vm_access */
	enum check_space space;
	uint32_t element; /* bytes of an element; a piece has one or more */
	uint32_t shift;   /* of a store: the bits below the value in its register */
};
void checker_access_memory(struct wave *w, const struct uop *i, const struct checked_access *a, uint64_t *lanes);
/* A scalar access. False: it must not be made. */
bool checker_access_scalar(struct wave *w, const struct uop *i, uint64_t at, uint32_t bytes, unsigned access);
/* Of a lane to an image, which has bounds of its own: its memory may be freed. False: it must not be made. */
bool checker_access_texel(
	struct wave *w, const struct uop *i, unsigned lane, uint64_t va, uint32_t bytes, unsigned access);
/* Reports an access that begins next to the kernel's arguments (check_arguments.c). */
void checker_access_arguments(
	struct wave *w, const struct uop *i, unsigned lane, uint64_t va, uint32_t bytes, unsigned access);
/* No mapping permits the lane's access. */
void checker_report_unmapped(
	struct wave *w, const struct uop *i, unsigned lane, uint64_t va, uint64_t bytes, unsigned access);
/* An access of the lanes to LDS. For a store, `data` has the first of its registers and `shift` the bits below the
 * value; else NULL. */
struct checked_lds {
	const uint32_t *at, *data;
	uint32_t bytes, shift, element;
	unsigned part; /* of an access of two parts */
	bool atomic, returns;
};
void checker_access_lds(struct wave *w, const struct uop *i, const struct checked_lds *a, uint64_t lanes);

/* --- races in global memory: check_global.c --- */
/* An access by these lanes, and a scalar one, which is made. */
void checker_touch_memory(struct wave *w, const struct uop *i, const struct checked_access *a, uint64_t lanes);
void checker_touch_scalar(struct wave *w, const struct uop *i, uint64_t at, uint32_t bytes, unsigned access);
/* Global wave sync: what `from` did happens before what `to` does now. */
void checker_pass_order(struct wave *from, struct wave *to);

/* --- undefined values: check_init.c, init_accesses.c, init_crossbar.c, init_scratch.c --- */
/* Decoded code may change. */
void checker_forget_effects(struct checker *c);
/* The wave executes i next. */
void checker_execute(struct wave *w, const struct uop *i);
void init_execute(struct wave *w, const struct uop *i);
/* The operation exchanges values of lanes, but accesses no LDS; undefined ones are exchanged, too. */
bool init_is_crossbar(unsigned op);
void init_exchange_lanes(struct wave *w, const struct uop *i, struct undefined_registers *u);
/* Of an access that is made by these lanes. */
void init_access_memory(struct wave *w, const struct uop *i, const struct checked_access *a, uint64_t lanes);
void init_access_scratch(struct wave *w, const struct uop *i, const struct checked_access *a, uint64_t lanes);
void init_access_lds(struct wave *w, const struct uop *i, const struct checked_lds *a, uint64_t lanes);
void init_access_scalar(struct wave *w, const struct uop *i, uint64_t at, uint32_t bytes, unsigned access);
/* Lane of the wave uses an undefined value. */
void report_undefined(struct wave *w, const struct uop *i, unsigned lane, enum check_kind kind);

/* --- barriers --- */
/* The wave reaches the barrier i; all waves of the workgroup have. */
void checker_arrive_barrier(struct wave *w, const struct uop *i);
void checker_pass_barrier(struct workgroup *g);
/* The workgroup has ended. */
void checker_note_returned(const struct workgroup *g);

/* --- waves that wait forever: check_waits.c --- */
/* The wave executes i next. */
void checker_note_instruction(struct wave *w, const struct uop *i);
/* It accesses memory. */
void checker_note_access(struct wave *w);
/* An access to LDS by these lanes: a store, or a load that may be a poll. */
void checker_note_poll(struct wave *w, const struct uop *i, const struct checked_lds *a, uint64_t lanes);

/* --- for the checks (check_reports.c) --- */
struct check_side checker_describe_side(const struct wave *w, const struct uop *i, unsigned lane);
/* These lanes execute a vector instruction (check_barriers.c). */
void checker_note_lanes(struct wave *w, const struct uop *i, uint64_t lanes);

/* What a load is, for races. */
enum touch_kind checker_load_kind(const struct wave *w, const struct uop *i);

static inline bool checker_checks(const struct wave *w, enum check what)
{
	return w->m->checker->checks & what;
}

#endif
