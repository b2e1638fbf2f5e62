/* What a program does on the GPU: sums by kernel and of its copies, from the journals that its processes write
 * (softgpu/driver/probe/program_journal.h). */
#ifndef TUI_LAB_PROGRAM_PROGRAM_ACTIVITY_H
#define TUI_LAB_PROGRAM_PROGRAM_ACTIVITY_H

#include <stdbool.h>

#include "tui/lab/program/kernel_launches.h"

struct program_kernel {
	char *symbol, *name; /* owned; the name as in the source */
	unsigned launches, failed, running;
	double seconds, slowest;      /* of the GPU: all launches, and the longest */
	struct kernel_launches shown; /* of its launches */
};

struct program_kernels {
	struct program_kernel *list; /* owned; the longest time first */
	int count;
	unsigned copies;
	double copy_seconds, copy_bytes;
	struct journal_reader *readers; /* private */
	int reader_count;
};

/* Notes which launches a capture has, by its description, which must stay as long as the kernels. */
void program_kernels_note_kept(struct program_kernels *k, const json_t *capture);
/* Reads what is new in the journals of the folder. Whether something has changed. */
bool program_kernels_read(struct program_kernels *k, const char *folder);
void program_kernels_free(struct program_kernels *k);
int program_kernels_find(const struct program_kernels *k, const char *symbol); /* -1 */
bool program_kernel_is_of_hip(const struct program_kernel *k); /* those of the runtime, which have no symbols */
double program_kernels_sum(const struct program_kernels *k);   /* seconds of all launches and copies */

#endif
