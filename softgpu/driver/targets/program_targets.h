/* Looks at the GPU code of each program that `exec` starts, directly or through a script, before its runtime starts.
 * SOFTGPU_TARGETS=choose: the first model that the code fits takes the place of SOFTGPU; =check: SOFTGPU was chosen by
 * the user. In both, a program of which no GPU of the machine can run any code ends with status 2 and one line.
 * Programs without code pass; that of their libraries counts instead, when they first use the device. */
#ifndef SOFTGPU_DRIVER_TARGETS_PROGRAM_TARGETS_H
#define SOFTGPU_DRIVER_TARGETS_PROGRAM_TARGETS_H

/* Before SOFTGPU is read. */
void program_targets_apply(void);

#endif
