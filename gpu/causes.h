/* The causes of a profile's cycles (gpu/record.h): their order, labels and patterns, and a point's cycles by cause. */
#ifndef GPU_CAUSES_H
#define GPU_CAUSES_H

#include <jansson.h>
#include <stdbool.h>

#define CAUSE_TEXT(id, ...) CAUSE_##id,
enum cause {
#include "gpu/causes.def"
	CAUSE_OTHER, /* names that this program does not know, and what is too small to be shown alone */
	CAUSE_COUNT,
};
#undef CAUSE_TEXT

/* Which part of the device; a colour each. */
enum cause_family {
	FAMILY_ISSUE,
	FAMILY_FRONT,
	FAMILY_WAIT,
	FAMILY_LDS,
	FAMILY_L1,
	FAMILY_L2,
	FAMILY_DRAM,
	FAMILY_STORE,
	FAMILY_COUNT
};

struct cause_row {
	const char *name, *label;
	char letter;
	enum cause_family family;
	const char *says;
};
const struct cause_row *cause_row(int cause);
int cause_named(const char *name); /* CAUSE_OTHER where there is none of that name */

/* A point record's cycles by cause, all of them together in *all; false where it has no profile or an empty one. */
bool causes_of(const json_t *record, double cycles[CAUSE_COUNT], double *all);

#endif
