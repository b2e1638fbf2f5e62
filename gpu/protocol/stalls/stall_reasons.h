/* Stall reasons of a profile: order, labels, letters, and the cycle breakdown of a point. Record format:
 * docs/protocol.md. */
#ifndef GPU_PROTOCOL_STALLS_STALL_REASONS_H
#define GPU_PROTOCOL_STALLS_STALL_REASONS_H

#include <jansson.h>
#include <stdbool.h>

#define STALL_REASON(id, stack, ...) STALL_##id = stack,
enum stall_reason { /* in the order of stacked plots */
#include "softgpu/stall_reasons.def"
	STALL_OTHER = STALL_STORE + 1, /* unknown names, and reasons too small to show separately */
	STALL_REASON_COUNT,
};
#undef STALL_REASON

/* The part of the device; each has its own color. */
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

#define STALL_COUNTER_PREFIX "CYCLES_" /* and the name: the counter of a reason's cycles */
struct stall_reason_info {
	const char *name, *label;
	char letter;
	enum stall_family family;
	const char *phrase; /* "12 % of the cycles ..." */
};
const struct stall_reason_info *stall_reason_info(int reason);
/* 0, 1, ... among the reasons of its family: those have different shades of its color. */
int stall_reason_variant(int reason);
/* "LDS conflict" for "LDS_CONFLICT"; an unknown name itself. */
const char *stall_reason_label(const char *name);
int stall_reason_find(const char *name); /* STALL_OTHER for an unknown name */

/* The cycles of a point record by stall reason; *all gets their sum. False without a profile or with an empty one. */
bool breakdown_from_record(const json_t *record, double cycles[STALL_REASON_COUNT], double *all);

#endif
