/* Reads what llvm-objdump prints about a kernel of one of AMD's targets that this project does not decode. */
#ifndef KERNELS_INSPECT_OBJDUMP_TEXT_H
#define KERNELS_INSPECT_OBJDUMP_TEXT_H

#include "kernels/inspect/listed/listed_isa.h"

/* The lines are those of the other targets, but `inst` only has a size. */
struct objdump_code {
	struct kernel_line *lines; /* of the caller, like the next one: free() */
	uint8_t *code;             /* bytes from the first line on */
	size_t count, loop_start, loop_end;
};

/* The kernel's lines without the padding at the end. False if the text has none of them. */
bool objdump_read_listing(const char *text, const struct kernel_info *k, struct objdump_code *out);

/* Names: LLVM's AMDGPU instruction syntax, and AMD's ISA guides. */
extern const struct listed_isa listed_amdgcn;

#endif
