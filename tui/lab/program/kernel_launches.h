/* Launches of a kernel for a list: the first ones and the slowest of the others, so that the memory and the time of a
 * program with millions of launches stay small. */
#ifndef TUI_LAB_PROGRAM_KERNEL_LAUNCHES_H
#define TUI_LAB_PROGRAM_KERNEL_LAUNCHES_H

#include <jansson.h>
#include <stdint.h>

enum { LAUNCHES_FIRST = 256, LAUNCHES_SLOWEST = 256 };

struct kernel_launch {
	uint64_t number; /* in its process, from 0 */
	uint64_t ps, cycles;
	int process, status;            /* PID; enum launch_status, 0: it has ended well */
	uint32_t grid[3], workgroup[3]; /* work-items */
	const json_t *kept;             /* the capture's description of it; NULL: not kept, or not known yet */
};

/* Zeros: none. The first LAUNCHES_FIRST in their order, a heap of the slowest of the others, and those that were
 * kept and would be missing. */
struct kernel_launches {
	struct kernel_launch *list; /* owned */
	int count, capacity;
};

enum launch_sort { BY_LAUNCH_NUMBER, BY_LAUNCH_TIME, LAUNCH_SORTS };

void kernel_launches_add(struct kernel_launches *l, const struct kernel_launch *launch);
/* Notes that the capture has the launch, when the last one was added. The description must stay. */
void kernel_launches_keep(struct kernel_launches *l, const struct kernel_launch *launch);
/* All in this order, by process and number where it is the same; the caller frees the array, not the launches. */
const struct kernel_launch **kernel_launches_sort(const struct kernel_launches *l, enum launch_sort by);
int kernel_launches_compare(const struct kernel_launch *a, const struct kernel_launch *b); /* by process and number */
void kernel_launches_free(struct kernel_launches *l);

#endif
