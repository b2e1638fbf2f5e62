/* The places where the checks of a launch found something, each once. */
#ifndef SOFTGPU_CORE_CHECK_CHECK_REPORTS_H
#define SOFTGPU_CORE_CHECK_CHECK_REPORTS_H

#include <stddef.h>

#include "softgpu/core/check_report.h"

enum { CHECK_PLACES_MAX = 4096 /* of a launch; what comes after them is only counted */ };

/* In the order in which the launch came to them. */
struct check_reports {
	struct check_report *report;
	size_t count, capacity;
	uint64_t left_out; /* accesses at other places */
};

/* A place is a kind, the instruction, the other side's instruction (in any order) and the allocation. */
bool check_report_is_same_place(const struct check_report *a, const struct check_report *b);
/* Counts the report at its place. The report stays the first one there. */
void check_reports_add(struct check_reports *r, const struct check_report *found);
void check_reports_clear(struct check_reports *r);
void check_reports_free(struct check_reports *r);

#endif
