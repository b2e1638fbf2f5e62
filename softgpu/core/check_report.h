/* What checks of launches find. A check only observes: registers, memory and cycles are those of the same launch
 * without it, except that an access to memory where nothing is mapped, or to none of the program's memory, is left out.
 */
#ifndef SOFTGPU_CORE_CHECK_REPORT_H
#define SOFTGPU_CORE_CHECK_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/time_types.h"

/* What to check, a bit each. */
enum check {
	CHECK_MEMORY = 1,     /* accesses outside of allocations, LDS and scratch; misaligned atomics */
	CHECK_RACE = 2,       /* accesses to LDS that no barrier or atomic orders */
	CHECK_BARRIER = 4,    /* barriers that a part of a wave reached; waves that wait forever */
	CHECK_INIT = 16,      /* uninitialized values that decide something */
	CHECK_ALIGN = 8,      /* loads and stores that are not aligned to their size */
	CHECK_LOADS = 512,    /* loads of uninitialized values from memory and LDS; with CHECK_INIT */
	CHECK_LEAK = 32,      /* the driver's: allocations that the program does not free */
	CHECK_GLOBAL = 64,    /* accesses to global memory that no barrier or atomic orders */
	CHECK_PORTABLE = 128, /* barriers that only AMD's hardware allows */
	CHECK_QUIET = 1 << 16 /* no reports: values only pass through the launch */
};

enum check_kind {
#define CHECK_KIND(id, ...) CHECK_KIND_##id,
#include "softgpu/check_kinds.def"
#undef CHECK_KIND
	CHECK_KIND_COUNT
};

enum check_space { SPACE_GLOBAL, SPACE_LDS, SPACE_SCRATCH, SPACE_ARGUMENTS };

#define CHECK_WAVE_UNKNOWN UINT32_MAX

/* One side of a report: an instruction of a work-item. */
struct check_side {
	uint64_t pc;
	int64_t offset;    /* of it, from the kernel's first instruction */
	uint64_t address;  /* of its access: a GPU address, or bytes from the start of LDS or of the work-item's scratch
	                    */
	uint32_t bytes;    /* of its access; 0: it makes none */
	unsigned access;   /* enum vm_access: VM_READ, VM_WRITE, or both: atomic */
	uint32_t group[3]; /* workgroup */
	uint32_t item[3];  /* work-item in it */
	uint32_t wave, lane;  /* number in the workgroup; in the wave */
	uint32_t launch_wave; /* the wave's number in the launch, in order of creation, or CHECK_WAVE_UNKNOWN */
	cycle_t cycle; /* of its launch: it issued then or later, and is the first in the wave at `offset` that did */
};

/* A place where a check found something: the first time, and how often. */
struct check_report {
	enum check_kind kind;
	enum check_space space;
	struct check_side at, other; /* other: of a race, what came before; of a barrier, what the lane did later;
	                                or where another wave waits */
	bool has_other;
	uint64_t room;       /* bytes of the workgroup's LDS, of the work-item's scratch, or of the arguments; else 0 */
	uint64_t start;      /* address of the arguments; else 0 */
	uint32_t allocation; /* the number that check_find_fn gave; 0: none */
	uint64_t count;      /* accesses of a work-item */
	uint64_t launch;     /* of UNDEFINED_COPY: the number of the launch that stored it (gpu_number_launch) */
	uint32_t read_by;    /* of UNDEFINED_COPY: where the host copies it; the driver's number of a stack */
};

/* What a kernel may access, to the byte. */
enum check_extent_state {
	EXTENT_UNKNOWN, /* the check says nothing about it */
	EXTENT_LIVE,
	EXTENT_FREED,
	EXTENT_GAP,     /* between allocations, or between variables of a code object */
	EXTENT_VARIABLE /* of a code object, which the loader has written */
};
struct check_extent {
	uint64_t va, bytes; /* contains the address that was asked for */
	enum check_extent_state state;
	uint32_t allocation; /* LIVE, FREED, VARIABLE: its number, from 1 on; GAP: of the nearest one; else 0 */
};
/* False: EXTENT_UNKNOWN for the page of the address. Called by the launching thread. */
typedef bool check_find_fn(uint64_t va, struct check_extent *out);

#endif
