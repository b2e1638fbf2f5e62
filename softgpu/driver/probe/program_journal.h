/* What a program does on the GPU, while it does it, for somebody who watches: SOFTGPU_JOURNAL=FOLDER makes each process
 * append lines to FOLDER/PID.journal:
 *   begin SYMBOL         a launch begins
 *   kernel PS CYCLES INSTRUCTIONS STATUS NUMBER GRID WORKGROUP SYMBOL
 *                        it has ended; PS: duration in picoseconds; NUMBER: of the process, from 0; GRID, WORKGROUP:
 *                        work-items, as 256x4x1
 *   copy NS BYTES NAME   a copy engine has copied
 * Any thread. */
#ifndef SOFTGPU_DRIVER_PROBE_PROGRAM_JOURNAL_H
#define SOFTGPU_DRIVER_PROBE_PROGRAM_JOURNAL_H

#include <stdint.h>

#include "softgpu/core/time_types.h"

struct active_launch;

void program_journal_begin_launch(const struct active_launch *r);
void program_journal_end_launch(const struct active_launch *r);
void program_journal_add_copy(const char *name, uint64_t bytes, ns_t duration);
void program_journal_reset_in_child(void);

#endif
