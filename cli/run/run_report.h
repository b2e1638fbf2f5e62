/* What is to be said of a run's points when it has ended; `points` are NULL where nothing was measured. */
#ifndef CLI_RUN_RUN_REPORT_H
#define CLI_RUN_RUN_REPORT_H

#include <jansson.h>
#include <stdbool.h>

/* Names the counters that no point has a reading of; `asked`, NULL at the end: those of the command line. */
void report_missing_counters(json_t *const *points, int count, const char *const *asked);
/* Every point failed, because of what was asked for: an entry that is not there, a kernel that does not compile. */
bool report_all_failed_alike(json_t *const *points, int count);
/* Says how many points failed and why; returns how many. */
int report_failures(json_t *const *points, int count, bool rest_not_tried);

#endif
