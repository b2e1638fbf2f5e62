/* A thread that watches a program: shows the progress of long launches on a terminal, and reports at SIGTERM and SIGINT
 * what the program has done so far (program_report.h). */
#ifndef SOFTGPU_DRIVER_PROBE_PROGRAM_WATCH_H
#define SOFTGPU_DRIVER_PROBE_PROGRAM_WATCH_H

struct active_launch;

/* The device starts. No thread runs unless something is requested. */
void program_watch_start(void);
/* Device thread: a launch begins, or has ended. */
void program_watch_begin_launch(const struct active_launch *r);
void program_watch_end_launch(const struct active_launch *r);
void program_watch_reset_in_child(void);

#endif
