/* The worker process. Its counterpart in the front end is gpu/controller/worker_controller.h. */
#ifndef GPU_WORKER_WORKER_H
#define GPU_WORKER_WORKER_H

/* Serves `device` on standard input and output until end of file. Returns an exit status. */
int worker_main(const char *device);

#endif
