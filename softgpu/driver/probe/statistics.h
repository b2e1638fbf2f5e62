/* SOFTGPU_STATISTICS=1: at the end one line on standard error, what the device did and what that cost the host: the CPU
 * time of its thread, and that of the whole process since the first packet. The second over the first is what waiting
 * costs. */
#ifndef SOFTGPU_DRIVER_PROBE_STATISTICS_H
#define SOFTGPU_DRIVER_PROBE_STATISTICS_H

/* Device thread. */
void statistics_start(void);        /* work on a packet begins */
void statistics_count_launch(void); /* a launch ended */
void statistics_reset_in_child(void);

#endif
