/* The devices there are on this machine. No vendor library is loaded into this process: short-lived workers are asked.
 */
#ifndef GPU_CONTROLLER_DEVICE_LIST_H
#define GPU_CONTROLLER_DEVICE_LIST_H

#include <jansson.h>
#include <stddef.h>

struct device_entry {
	char device[160]; /* "soft:mi25", "hip:0" */
	char state[16];   /* "ready" or "missing" */
	char text[512];   /* its name, or why it cannot be opened, with the mend */
	json_t *record;   /* the device record; NULL when it cannot be opened; owned by the entry */
};

/* The names of the GPUs that the driver shows (hip:0 also where it shows none: opening it says what is missing) and of
 * the software GPU's models. Opens nothing. */
enum { DEVICE_NAMES_MAX = 32 };
size_t device_list_names(char names[DEVICE_NAMES_MAX][32]);
/* The device that is used when none is named: hip:0 where a real GPU is found, else soft:mi25. */
const char *device_default_name(void);
/* Opens each for a moment, all at once, at most ten seconds. The software GPU's come last: `model`, or each of its
 * models, the default first, when that is NULL. The caller frees with device_entries_free. */
size_t device_probe_all(const char *model, struct device_entry **out);
void device_entries_free(struct device_entry *list, size_t count);

#endif
