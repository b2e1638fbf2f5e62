/* The folder for a worker's temporary files, which HIP's compiler leaves behind in a worker that ends early. The front
 * end chooses its name, and removes it when the worker has ended. The worker creates it, so that nothing remains of a
 * front end that is killed before the worker runs, and removes it if it outlives the front end. */
#ifndef GPU_PROTOCOL_WORKER_FOLDER_H
#define GPU_PROTOCOL_WORKER_FOLDER_H

#include <stdbool.h>

#define WORKER_FOLDER_VARIABLE "WAVEDECK_WORKER_FOLDER" /* environment variable with its path; a worker needs none */

/* In the worker, before any vendor library is loaded: creates it and makes it the worker's TMPDIR. A worker that was
 * started elsewhere got no name, and chooses one. */
void worker_folder_use(void);
/* Whether this worker was started elsewhere: by a command on behalf of the front end's machine. */
bool worker_folder_is_own(void);
const char *worker_folder_path(void); /* NULL: none */

/* Ends the worker without destructors: those of the vendor libraries may hang while a kernel runs. Removes the folder.
 */
void worker_exit(int status) __attribute__((noreturn));

#endif
