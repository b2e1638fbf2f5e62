/* A line on standard error when a program reads a clock, launches a kernel, and reads a clock again: without the
 * virtual clock it measures the simulation. Once, and only if requested (time/host_time.h). */
#ifndef SOFTGPU_DRIVER_PROBE_CLOCK_NOTE_H
#define SOFTGPU_DRIVER_PROBE_CLOCK_NOTE_H

void clock_note_read(void);   /* the program reads a clock; any thread */
void clock_note_launch(void); /* a launch has ended; device thread */

#endif
