/* The causes of a profile's cycles (gpu/protocol/record.h): their order, labels and patterns, and a point's cycles by
 * cause. */
#ifndef GPU_PROTOCOL_STALL_REASONS_H
#define GPU_PROTOCOL_STALL_REASONS_H

#include <jansson.h>
#include <stdbool.h>

#define STALL_REASON(id, stack, ...) STALL_##id = stack,
enum stall_reason { /* in the order of stacked plots */
#include "softgpu/stall_reasons.def"
	STALL_OTHER =
		STALL_STORE + 1, /* names that this program does not know, and what is too small to be shown alone */
	STALL_REASON_COUNT,
};
#undef STALL_REASON

/* Which part of the device; a colour each. */
enum stall_family {
	STALL_FAMILY_ISSUE,
	STALL_FAMILY_FRONT,
	STALL_FAMILY_WAIT,
	STALL_FAMILY_LDS,
	STALL_FAMILY_L1,
	STALL_FAMILY_L2,
	STALL_FAMILY_DRAM,
	STALL_FAMILY_STORE,
	STALL_FAMILY_COUNT
};

struct stall_reason_info {
	const char *name, *label;
	char letter;
	enum stall_family family;
	const char *says;
};
const struct stall_reason_info *stall_reason_info(int cause);
int stall_reason_find(const char *name); /* STALL_OTHER where there is none of that name */

/* A point record's cycles by cause, all of them together in *all; false where it has no profile or an empty one. */
bool breakdown_from_record(const json_t *record, double cycles[STALL_REASON_COUNT], double *all);

#endif
