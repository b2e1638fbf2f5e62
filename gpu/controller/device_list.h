/* The devices of this machine, each opened for a moment in a worker of its own: this process loads no vendor library.
 */
#ifndef GPU_CONTROLLER_DEVICE_LIST_H
#define GPU_CONTROLLER_DEVICE_LIST_H

#include <jansson.h>
#include <stddef.h>

enum { DEVICES_MAX = 32 };

struct device_entry {
	char device[160]; /* "soft:mi25", "hip:0" */
	char state[16];   /* "ready" or "missing" */
	char text[512];   /* its name, or why it cannot be opened and how to fix it */
	json_t *record;   /* the device record; NULL when it cannot be opened; owned by the entry */
};

/* Opens the named devices at the same time, waits at most 10 s, and fills in their state, text and record. At most
 * DEVICES_MAX. */
void device_probe(struct device_entry *list, size_t count);
/* The same for all devices that the backends list. The caller frees with device_entries_free. */
size_t device_probe_all(struct device_entry **out);
void device_entries_free(struct device_entry *list, size_t count);

#endif
