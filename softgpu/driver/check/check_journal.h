/* The file in which a process writes down what its checks found (launch_checks.h). */
#ifndef SOFTGPU_DRIVER_CHECK_CHECK_JOURNAL_H
#define SOFTGPU_DRIVER_CHECK_CHECK_JOURNAL_H

#include <stdint.h>

#include "softgpu/core/check_report.h"

struct active_launch;

/* A thread of the program that opens the device. */
void check_journal_prepare(void);
/* A checked launch began. Device thread. */
void check_journal_count_launch(const struct active_launch *r);
/* What a launch, the number-th of the process from 0 on, found at a place. Device thread, before its end is signaled.
 */
void check_journal_add(const struct active_launch *r, uint64_t number, const struct check_report *found);
/* When the program exits: its allocations that are left, up to 1,024. */
void check_journal_add_leaks(void);
/* Accesses that have no place: there are too many. The reader names their number. */
void check_journal_count_left_out(uint64_t accesses);
void check_journal_reset_in_child(void);

#endif
