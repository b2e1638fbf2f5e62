/* Instructions that a tool of others has listed and this project does not decode: what is known of them by their text.
 */
#ifndef KERNELS_INSPECT_LISTED_ISA_H
#define KERNELS_INSPECT_LISTED_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/inspect/code_object.h"

struct listed_isa {
	const char *name;                   /* "SASS" */
	unsigned (*unit)(const char *text); /* enum isa_unit; 0: none */
	/* The address that a branch leads to; false for other instructions. */
	bool (*branch_target)(const struct kernel_line *l, uint64_t *va);
	bool (*is_work)(const char *text); /* memory accesses and multiply-adds */
};

/* As code_object_disassemble: sets in_hot_loop. start == end: there is none. */
void listed_find_hot_loop(
	struct kernel_line *lines, size_t count, const struct listed_isa *isa, size_t *start, size_t *end);

#endif
