/* Reads what the CUDA toolkit's tools print about a kernel: instructions of nvdisasm or cuobjdump, resources of ptxas.
 */
#ifndef KERNELS_INSPECT_SASS_TEXT_H
#define KERNELS_INSPECT_SASS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/inspect/listed/listed_isa.h"

enum { SASS_BYTES = 16 /* of an instruction, from sm_70 on */ };

/* The lines are those of the other targets, but `inst` only has a size: this project does not decode SASS. */
struct sass_code {
	struct kernel_line *lines; /* of the caller, like the next two: free() */
	uint8_t *code;
	int *source_line; /* per line, from 1; 0: not known */
	size_t count, loop_start, loop_end;
	bool mapped; /* some instruction has a line */
};

/* `file`: the source whose lines are wanted, compared without its folder; NULL: none. False if the text does not have
 * the kernel. */
bool sass_read_listing(const char *text, const char *kernel, const char *file, struct sass_code *out);
/* Registers, shared memory, and the stack as scratch. False if the text does not have the kernel. */
bool sass_read_resources(const char *text, struct kernel_info *k);

/* The opcode without its predicate and modifiers, "LDG" of "@!P0 LDG.E.64 R4, [R2]", has `length` characters. */
const char *sass_opcode(const char *text, size_t *length);
/* The offset that a branch leads to; false for other instructions. */
bool sass_branch_target(const char *text, uint64_t *offset);
unsigned sass_unit(const char *text); /* UNIT_VALU */
/* Whether the line has the opcode of `wanted` and its modifiers, in any order and with others: "LDG.64" is in
 * "@P0 LDG.E.64.CONSTANT R4, [R2]". */
bool sass_match_instruction(const char *text, const char *wanted);
/* Sums, multiply-adds and shifts of integers, such as those of addresses; not comparisons and moves. */
bool sass_adds_integers(const char *text);
/* Of these, those whose result is 64 bits or the upper half of them: .WIDE, .64, .X. */
bool sass_adds_wide(const char *text);

extern const struct listed_isa listed_sass;

#endif
