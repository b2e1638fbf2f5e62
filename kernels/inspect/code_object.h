/* A code object looked at from outside: its kernels, their resources, their instructions and hot loop. No GPU needed.
 */
#ifndef KERNELS_INSPECT_CODE_OBJECT_H
#define KERNELS_INSPECT_CODE_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "softgpu/isa/isa.h"

struct kernel_info {
	char name[128];
	char arch[16];         /* "gfx900" */
	unsigned vgprs, sgprs; /* allocated per lane / per wave */
	unsigned lds_bytes, scratch_bytes, kernarg_bytes;
	uint64_t code_offset; /* in the file */
	uint64_t code_va;     /* as linked */
	size_t code_bytes;
	unsigned wave_size;      /* lanes: 64, or 32 */
	unsigned waves_per_simd; /* what registers and LDS allow, for `block` work-items (see kernel_compute_occupancy)
	                          */
	const char *limited_by;  /* "VGPRs", "SGPRs", "LDS", "wave slots", "workgroup slots" */
};

struct kernel_line { /* one instruction of a listing */
	uint64_t va;
	struct isa_inst inst;
	char text[128];
	bool in_hot_loop;
};

struct code_object; /* owns everything handed out below until code_object_close */

struct code_object *code_object_open(const char *path, struct err *e);
void code_object_close(struct code_object *o);
const void *code_object_bytes(const struct code_object *o, size_t *size);
uint64_t code_object_hash(const struct code_object *o); /* FNV-1a 64 of the file */
size_t code_object_list_kernels(const struct code_object *o, const struct kernel_info **list);
const struct kernel_info *code_object_find_kernel(const struct code_object *o, const char *name, struct err *e);

/* The whole listing; the caller frees it with free(). The hot loop is the innermost backward branch's body with the
 * most memory or FMA work; *loop_start == *loop_end means there is none. */
struct kernel_line *code_object_disassemble(const struct code_object *o, const struct kernel_info *k, size_t *count,
	size_t *loop_start, size_t *loop_end, struct err *e);

/* Lines without the padding at the end, which nobody runs. */
size_t listing_trimmed_count(const struct kernel_line *lines, size_t count);

/* Waves a SIMD can hold of a kernel by what limits them, for a block of that many work-items: the slots first, then the
 * resources that it uses. */
enum { KERNEL_LIMITS_MAX = 5 };
struct kernel_limit {
	const char *by;
	unsigned waves;
};
unsigned kernel_list_limits(
	const struct kernel_info *k, unsigned block_threads, struct kernel_limit out[KERNEL_LIMITS_MAX]);
/* Fills waves_per_simd and limited_by, the least of them, for a block of that many work-items. */
void kernel_compute_occupancy(struct kernel_info *k, unsigned block_threads);

#endif
