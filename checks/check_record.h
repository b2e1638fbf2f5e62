/* What the checks of a program's launches found, as its processes wrote it down (softgpu/driver/check). */
#ifndef CHECKS_CHECK_RECORD_H
#define CHECKS_CHECK_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "checks/check_kinds_table.h"
#include "kernels/inspect/debug_lines.h"

enum access_kind { ACCESS_NONE, ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC };
enum memory_space { MEMORY_GLOBAL, MEMORY_LDS, MEMORY_SCRATCH, MEMORY_ARGUMENTS };

/* One side: an instruction of a work-item. */
struct check_access {
	int64_t offset;   /* bytes from the kernel's first instruction */
	uint64_t address; /* of memory; of LDS and scratch: bytes from their start */
	uint32_t bytes;   /* 0: unknown, or it makes no access */
	enum access_kind access;
	uint32_t group[3], item[3]; /* workgroup, and work-item in it */
	uint32_t wave, lane;
	int64_t launch_wave; /* the wave's number in the launch, in order of creation; -1: unknown */
	uint64_t cycle;      /* of its launch */
};

/* An instruction of a kernel. */
struct code_point {
	struct source_frames frames;
	char instruction[128]; /* "" if the code is unknown */
};

/* Where memory was allocated or freed: a call in a program or library of the host. */
struct host_frame {
	char *module;    /* its file */
	uint64_t offset; /* address of the call in the ELF file */
	char *symbol;    /* "" if unknown */
};
struct host_stack {
	struct host_frame *list; /* the innermost first */
	size_t count;
};
struct check_allocation {
	uint64_t number; /* of the process; 0: no allocation */
	uint64_t address, bytes;
	char *how;      /* "hipMalloc" */
	char *variable; /* name of a variable of the code object, which nothing allocates; else NULL */
	struct host_stack allocated, freed;
};

/* A place of one process. */
struct check_record {
	enum check_kind kind;
	uint64_t count;        /* accesses of a work-item */
	uint64_t first_launch; /* of the process, from 0 */
	uint64_t launches;     /* in which it was found */
	uint64_t last_launch;  /* of these */
	char *kernel;          /* symbol */
	char *code;            /* file of its code object in the folder; "": unknown */
	int axes;              /* of the launch: 1 to 3 */
	enum memory_space space;
	uint64_t start, room; /* of the allocation, LDS, scratch or arguments, in bytes; room 0: unknown */
	struct check_access at, other;
	bool has_other;
	struct check_allocation allocation;
	struct host_stack read; /* where the host copies what is undefined; empty: unknown */
	/* Of a point of an experiment. */
	char *point;                           /* "stride=4"; NULL: of a program */
	int point_number;                      /* in its sweep */
	char *buffer;                          /* name of the one that is meant; "": none */
	struct code_point at_code, other_code; /* known already */
};

/* A point of an experiment. */
struct checked_point {
	const char *name;   /* "stride=4"; "": it is the only one */
	const char *source; /* absolute path of its kernel's source; NULL: unknown */
	int number;         /* in its sweep */
};

struct check_journals {
	struct check_record *records;
	size_t count, capacity;
	char **kernels; /* symbols of the checked launches, each at least once */
	size_t kernel_count, kernel_capacity;
	uint64_t launches; /* that were checked */
	uint64_t left_out; /* accesses at further places, which are not known */
	size_t processes;
	size_t damaged; /* lines that could not be read */
};

/* Names in files for programs. */
const char *access_kind_name(enum access_kind a);     /* "read"; "" for none */
const char *memory_space_name(enum memory_space s);   /* "global" */
bool memory_space_has_addresses(enum memory_space s); /* others begin at byte 0 */

#endif
