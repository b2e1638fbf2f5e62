/* Whether points were measured with one kernel: the same content of each file that kernels were compiled from, the same
 * compiler, the same device libraries. A sweep over a definition has several code objects, so their hashes do not
 * tell. */
#ifndef GPU_PROTOCOL_KERNEL_AGREEMENT_H
#define GPU_PROTOCOL_KERNEL_AGREEMENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct kernel_agreement {
	json_t *known;      /* "file copy.hip", "compiler", "libraries": as the first point that has it says */
	const char *advice; /* what to do about a difference; NULL: the owner knows */
};

/* Adds what a point says. False with the first difference from the points before: "copy.hip has changed". */
bool kernel_agreement_add(struct kernel_agreement *a, const json_t *point, char *why, size_t size);
void kernel_agreement_free(struct kernel_agreement *a);

#endif
