#include "gpu/protocol/stalls/ideal_causes.h"

#include <string.h>

static const struct ideal_part parts[IDEAL_PARTS] = {
#define IDEAL_PART(name, family, cause, help) {#name, STALL_FAMILY_##family, cause, help},
#include "softgpu/ideal_parts.def"
#undef IDEAL_PART
};

const struct ideal_part *ideal_part_at(int number)
{
	return &parts[number];
}

bool device_has_ideal_parts(const char *device)
{
	return strstr(device, ",ideal=") != NULL;
}
