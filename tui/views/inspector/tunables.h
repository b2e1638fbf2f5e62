/* The tunable constants of a software GPU: values, ranges, and the device name that carries the changed ones. */
#ifndef TUI_VIEWS_INSPECTOR_TUNABLES_H
#define TUI_VIEWS_INSPECTOR_TUNABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct tunable {
	char name[48], unit[16], source[240], help[240];
	long long value, standard, low, high;
};

struct tunables {
	struct tunable *list; /* owned */
	int count;
	char model[48]; /* "mi25" */
	char filter[96];
	int selected; /* in the list */
};

/* Reads the constants of "soft:mi25,l1_bytes=65536". False with an error for other devices. Filter and selection
 * are kept. */
bool tunables_read_device(struct tunables *k, const char *device, struct err *e);
/* The same from two tables (gpu/softgpu-link/model_table.h): the device's and its model's. */
void tunables_parse_tables(struct tunables *k, const char *model, const char *table, const char *standard);
void tunables_free(struct tunables *k);

/* The constant that keys change; NULL if the filter hides it. */
const struct tunable *tunables_selected(const struct tunables *k);
bool tunables_match_filter(const struct tunables *k, int i); /* by name and help */
int tunables_next_match(
	const struct tunables *k, int i, int by);     /* the next match in that direction; i when there is none */
int tunables_changed_count(const struct tunables *k); /* constants that differ from the model's */

/* One step up or down: a factor of two for powers of two, otherwise an eighth; within the range. */
long long tunable_step_value(const struct tunable *k, int by);
/* Parses "64 KiB" or "65536"; false with an error that names the range. */
bool tunable_parse_value(const struct tunable *k, const char *text, long long *out, struct err *e);
char *tunable_format_value(const struct tunable *k, long long value, char *out, size_t size);
/* The device's name with constant i (-1: none) set to `value`. Constants equal to the model's are left out. */
void tunables_format_device(const struct tunables *k, int i, long long value, char *out, size_t size);

#endif
