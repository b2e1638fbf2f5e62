/* The worker's end of the protocol (docs/protocol.md): any thread sends records, one thread reads them. */
#ifndef GPU_PROTOCOL_WORKER_PROTOCOL_H
#define GPU_PROTOCOL_WORKER_PROTOCOL_H

#include <jansson.h>
#include <stdbool.h>

/* Moves the protocol from descriptors 0 and 1 to private ones. Descriptor 0 becomes /dev/null and 1 standard error,
 * because printf in a kernel writes to standard output. Call it before any vendor library is loaded. */
void protocol_open(void);
/* Sends a record and releases it. Any thread. Ends the process if the front end is gone. */
void protocol_send(json_t *record);
void protocol_log(const char *level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The next request; NULL at end of file. Blocks. Reports and skips a line that is not a record, and one that is longer
 * than RECORD_LINE_MAX, of which it holds at most that much. Reader thread only. */
json_t *protocol_read(void);

#endif
