/* Checks of the program's launches (softgpu/core/check_report.h): SOFTGPU_CHECK names them ("memory,race"), and what
 * they find goes to SOFTGPU_CHECK_FOLDER: a file PID.check for each process, with the number of checked launches in its
 * first line, a line of JSON for each kernel, each place, and each further launch that finds something there; and the
 * code objects. The runtime's own kernels are not checked.
 * Device thread, under the device lock, unless stated otherwise. */
#ifndef SOFTGPU_DRIVER_CHECK_LAUNCH_CHECKS_H
#define SOFTGPU_DRIVER_CHECK_LAUNCH_CHECKS_H

struct active_launch;

/* When the program opens the device. */
void launch_checks_prepare(void);
/* Right before the launch begins, between its slices, and when it has ended. Without a request they do nothing. A
 * launch may never end: new places are written between slices. */
void launch_checks_begin(const struct active_launch *r);
void launch_checks_note(const struct active_launch *r);
void launch_checks_end(const struct active_launch *r);
/* In the child after fork: it has a file of its own. */
void launch_checks_reset_in_child(void);

#endif
