/* Messages about the points of a finished run. A point that was not measured is NULL. */
#ifndef CLI_RUN_RUN_REPORT_H
#define CLI_RUN_RUN_REPORT_H

#include <stdbool.h>

#include "sessions/load/point_list.h"

/* Reports counters without any reading. `asked` (ends with NULL): the counters of the command line. */
void report_missing_counters(const struct point_list *points, const char *const *asked);
/* True if every point failed because the request was wrong: an unknown entry, a kernel that does not compile. */
bool report_all_failed_alike(const struct point_list *points);
/* Reports how many points failed and why; returns how many. `rest_not_tried`: the remaining points were skipped. */
int report_failures(const struct point_list *points, bool rest_not_tried);

#endif
