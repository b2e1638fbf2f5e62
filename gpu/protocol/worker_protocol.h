/* The worker's end of the protocol: one line a record, out of any thread, in by one reader. */
#ifndef GPU_PROTOCOL_WORKER_PROTOCOL_H
#define GPU_PROTOCOL_WORKER_PROTOCOL_H

#include <jansson.h>
#include <stdbool.h>

/* Moves the protocol from descriptors 0 and 1 to private ones and points 0 at /dev/null and 1 at 2, because a device's
 * printf writes to standard output. Before any vendor library is loaded. */
void protocol_open(void);
/* Sends and takes the reference. Any thread. Ends the process when the front end is gone. */
void protocol_send(json_t *record);
void protocol_log(const char *level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The next request; NULL at end of file. A line that is no record is reported and skipped. Blocks; the reader thread
 * only. */
json_t *protocol_read(void);

#endif
