/* Inspects a code object: kernels, resources, instructions, hot loop. Needs no GPU. A text in PTX is a code object for
 * NVIDIA's targets, too: of its kernels only names and parameters are known, and it has no listing. */
#ifndef KERNELS_INSPECT_CODE_OBJECT_H
#define KERNELS_INSPECT_CODE_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "softgpu/isa/isa.h"

/* A parameter of a kernel, without those that the compiler adds ("hidden"). */
enum { KERNEL_PARAMETERS_MAX = 64 };
struct kernel_parameter {
	unsigned size;   /* bytes */
	unsigned offset; /* among the arguments */
	bool pointer;    /* to global or local memory */
	bool any_kind;   /* 8 bytes of PTX that may be a pointer or a value */
};

struct kernel_info {
	const char *name;      /* a symbol: mangled if it is compiled as C++. Of the object */
	char arch[16];         /* "gfx900" */
	unsigned vgprs, sgprs; /* allocated per lane, per wave; of PTX 0: its driver says how many */
	unsigned lds_bytes, scratch_bytes, kernarg_bytes;
	struct kernel_parameter parameters[KERNEL_PARAMETERS_MAX];
	int parameter_count;    /* those after the 64th only count */
	unsigned dimensions;    /* of work-items or workgroups that it asks for: 1 to 3 */
	unsigned block_most;    /* work-items of a workgroup that it was compiled for; 0: not known */
	bool calls_host;        /* it may call printf or assert, which a runtime has to serve */
	uint64_t descriptor_va; /* as linked */
	uint64_t code_offset;   /* in the file */
	uint64_t code_va;       /* as linked */
	size_t code_bytes;
	unsigned wave_size;      /* lanes: 64, or 32 */
	unsigned waves_per_simd; /* occupancy; set by kernel_compute_occupancy */
	const char *limited_by;  /* "VGPRs", "SGPRs", "LDS", "wave slots", "workgroup slots" */
};

struct kernel_line { /* one instruction of a listing */
	uint64_t va;
	struct isa_inst inst;
	char text[128];
	bool in_hot_loop;
};

struct code_object; /* owns everything returned below, until code_object_close */

/* NULL with an error. */
struct code_object *code_object_open(const char *path, struct err *e);
/* The same for a copy of bytes in memory; `name` names them in errors. */
struct code_object *code_object_from_bytes(const char *name, const void *bytes, size_t size, struct err *e);
void code_object_close(struct code_object *o);
const void *code_object_bytes(const struct code_object *o, size_t *size);
uint64_t code_object_hash(const struct code_object *o); /* FNV-1a 64 of the file */
size_t code_object_list_kernels(const struct code_object *o, const struct kernel_info **list);
const struct kernel_info *code_object_find_kernel(const struct code_object *o, const char *name, struct err *e);
/* The same; the error names the source file that the code was compiled from. */
const struct kernel_info *code_object_find_kernel_of(
	const struct code_object *o, const char *source, const char *name, struct err *e);

/* The complete listing; the caller frees it with free(). The hot loop is the innermost loop with the most memory
 * instructions and multiply-adds; *loop_start == *loop_end: there is none. NULL with an error for other targets. */
struct kernel_line *code_object_disassemble(const struct code_object *o, const struct kernel_info *k, size_t *count,
	size_t *loop_start, size_t *loop_end, struct err *e);

/* The number of lines without the padding at the end, which is never executed. */
size_t listing_trimmed_count(const struct kernel_line *lines, size_t count);

/* The number of waves per SIMD that each resource allows, for workgroups of this size: first the slots, then the
 * resources that the kernel uses. Returns the number of limits. */
enum { KERNEL_LIMITS_MAX = 5 };
struct kernel_limit {
	const char *by;
	unsigned waves;
};
unsigned kernel_list_limits(
	const struct kernel_info *k, unsigned block_threads, struct kernel_limit out[KERNEL_LIMITS_MAX]);
/* Sets waves_per_simd and limited_by to the smallest limit, for workgroups of this size. */
void kernel_compute_occupancy(struct kernel_info *k, unsigned block_threads);

/* Waves on a CU or SM with as many whole workgroups of this size as have room. */
unsigned kernel_waves_per_cu(const struct kernel_info *k, unsigned block_threads);

#endif
