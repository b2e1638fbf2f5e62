/* The functions of probe.h that run captured launches again (softgpu/capture). */
#ifndef SOFTGPU_DRIVER_CAPTURE_LAUNCH_REPLAYS_H
#define SOFTGPU_DRIVER_CAPTURE_LAUNCH_REPLAYS_H

/* Closes the launch that is open, if one is. The thread that opens and runs them. */
void launch_replays_close(void);

#endif
