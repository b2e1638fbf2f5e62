/* The file in which a process writes down what its checks found (launch_checks.h). */
#ifndef SOFTGPU_DRIVER_CHECK_CHECK_JOURNAL_H
#define SOFTGPU_DRIVER_CHECK_CHECK_JOURNAL_H

#include <stdint.h>

#include "softgpu/core/check_report.h"

struct active_launch;
struct dispatch;

/* A thread of the program that opens the device. */
void check_journal_prepare(void);
/* A checked launch began. Device thread. */
void check_journal_count_launch(const struct active_launch *r);
enum { CODE_NAME_BYTES = 32 };
struct checked_launch {
	const char *kernel;
	const struct dispatch *dispatch;
	uint64_t number;                     /* of the process, from 0 on */
	const struct active_launch *running; /* or NULL, and the name of its code as below */
	const char *code;
};
/* What a launch found at a place. Under the device lock. */
void check_journal_add(const struct checked_launch *l, const struct check_report *found);
/* Keeps the launch's code object next to the journal. name: of its file, or "". Device thread, before its end is
 * signaled. */
void check_journal_keep_code(const struct active_launch *r, char name[CODE_NAME_BYTES]);
/* When the program exits: its allocations that are left, up to 1,024. */
void check_journal_add_leaks(void);
/* Accesses that have no place: there are too many. The reader names their number. */
void check_journal_count_left_out(uint64_t accesses);
void check_journal_reset_in_child(void);

#endif
