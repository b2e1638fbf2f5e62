/* The software GPU's constants as knobs: what each stands at, what it may be, and the device name that carries the ones
 * that were turned. */
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

/* The constants of "soft:mi25,l1_bytes=65536". False with one line for what is no software GPU; filter and selection
 * stay. */
bool tunables_read_device(struct tunables *k, const char *device, struct err *e);
/* The same of the two tables (gpu/softgpu-link/model_table.h): as the device has them, as its model has them. */
void tunables_parse_tables(struct tunables *k, const char *model, const char *table, const char *standard);
void tunables_free(struct tunables *k);

bool tunables_match_filter(const struct tunables *k, int i); /* by name and help */
int tunables_next_match(
	const struct tunables *k, int i, int by);     /* the next one that matches; i itself when there is none */
int tunables_changed_count(const struct tunables *k); /* how many stand elsewhere than the model has them */

/* A step up or down: twice or half for powers of two, otherwise an eighth; clamped. */
long long tunable_step_value(const struct tunable *k, int by);
/* "64 KiB" or "65536"; false with one line that names the range. */
bool tunable_parse_value(const struct tunable *k, const char *text, long long *out, struct err *e);
char *tunable_format_value(const struct tunable *k, long long value, char *out, size_t size);
/* The device with constant i (-1: none) at `value` and the other turned ones as they are; constant i is left out at its
 * standard. */
void tunables_format_device(const struct tunables *k, int i, long long value, char *out, size_t size);

#endif
