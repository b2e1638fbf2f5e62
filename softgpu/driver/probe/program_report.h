/* What a program leaves at its end, at abort, SIGTERM and SIGINT: statistics, a profile by kernel, a timeline; or
 * only the sums of its kernels, in a file. */
#ifndef SOFTGPU_DRIVER_PROBE_PROGRAM_REPORT_H
#define SOFTGPU_DRIVER_PROBE_PROGRAM_REPORT_H

#include <stdbool.h>
#include <stdint.h>

struct active_launch;
struct gpu;

/* SOFTGPU_PROFILE=1: launches are profiled. */
bool program_report_has_profile(void);
/* Any of them is requested. */
bool program_report_is_on(void);
/* A launch on `gpu` has ended. Device thread. */
void program_report_add_launch(struct gpu *gpu, uint32_t queue, const struct active_launch *r);
/* Prints and writes what is requested; once. */
void program_report_print(void);
void program_report_reset_in_child(void);

#endif
