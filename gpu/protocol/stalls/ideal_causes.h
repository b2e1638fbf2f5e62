/* Parts of a software GPU that a device can have without their limits (softgpu/ideal_parts.def). */
#ifndef GPU_PROTOCOL_STALLS_IDEAL_CAUSES_H
#define GPU_PROTOCOL_STALLS_IDEAL_CAUSES_H

#include <stdbool.h>
#include <stddef.h>

#include "gpu/protocol/stalls/stall_reasons.h"

#define IDEAL_PART(name, ...) IDEAL_PART_##name,
enum ideal_part_number {
#include "softgpu/ideal_parts.def"
	IDEAL_PARTS,
};
#undef IDEAL_PART

struct ideal_part {
	const char *name;         /* "lds_banks", as in the name of a device */
	enum stall_family family; /* of the stall reasons that it is about */
	const char *cause;        /* what a launch then no longer pays for: "LDS bank conflicts" */
	const char *help;
};
const struct ideal_part *ideal_part_at(int number);
/* "soft:mi25,ideal=l1" */
bool device_has_ideal_parts(const char *device);

#endif
