/* Keeps launches of a program, so that they can run again without it (softgpu/capture); kept_launches.h says which.
 * Device thread, under the device lock, unless stated otherwise. */
#ifndef SOFTGPU_DRIVER_CAPTURE_LAUNCH_CAPTURE_H
#define SOFTGPU_DRIVER_CAPTURE_LAUNCH_CAPTURE_H

struct active_launch;

/* When the program opens the device. */
void launch_capture_prepare(void);
/* Right before the launch begins, and when it has ended. Without a request they do nothing. */
void launch_capture_begin(struct active_launch *r);
void launch_capture_end(struct active_launch *r);

#endif
