/* The worker itself; gpu/client.h is the front end's side of it. */
#ifndef GPU_WORKER_H
#define GPU_WORKER_H

/* Serves `device` on standard input and output until end of file. Returns an exit status. */
int worker_main(const char *device);

#endif
