/* Keeps launches as files, so that they can run again without the program (softgpu/capture). The environment asks for
 * it: SOFTGPU_CAPTURE names the folder, SOFTGPU_CAPTURE_KERNEL a part of the kernels' symbols (default: all). Of each
 * kernel, the launch that took the most cycles is kept, and its code object in another file. Device thread, under the
 * device lock, unless stated otherwise. */
#ifndef SOFTGPU_DRIVER_CAPTURE_LAUNCH_CAPTURE_H
#define SOFTGPU_DRIVER_CAPTURE_LAUNCH_CAPTURE_H

struct active_launch;

/* When the program opens the device. */
void launch_capture_prepare(void);
/* Right before the launch begins, and when it has ended. Without a request they do nothing. */
void launch_capture_begin(struct active_launch *r);
void launch_capture_end(struct active_launch *r);

#endif
