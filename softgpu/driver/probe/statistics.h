/* SOFTGPU_STATISTICS=1 prints on standard error at the end (program_report.h) a table by kernel, and before it: the
 * number of launches, the CPU time of the device thread, and the CPU time of the whole process since the first packet.
 * The ratio of the two times shows the cost of waiting. */
#ifndef SOFTGPU_DRIVER_PROBE_STATISTICS_H
#define SOFTGPU_DRIVER_PROBE_STATISTICS_H

#include <stdbool.h>

bool statistics_are_on(void);
void statistics_print(void);
/* Device thread. */
void statistics_start(void);        /* a packet starts */
void statistics_count_launch(void); /* a launch ended */
void statistics_reset_in_child(void);

#endif
