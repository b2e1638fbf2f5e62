/* What the interposed calls want to know from below. */
#ifndef SOFTGPU_DRIVER_HOOKS_H
#define SOFTGPU_DRIVER_HOOKS_H

/* Called when a queue is made: by then the HIP runtime is there, if the program has one. */
void hooks_find_hip(void);

#endif
