#include "softgpu/driver/check/check_mode.h"

#include <stdlib.h>
#include <string.h>

#include "softgpu/core/check_report.h"
#include "softgpu/driver/probe/driver_trace.h"

static const struct {
	const char *name;
	unsigned bit;
} names[] = {
#define CHECK_NAME(id, name, by_default) {name, CHECK_##id},
#include "softgpu/check_names.def"
#undef CHECK_NAME
};

static unsigned find_check(const char *name, size_t length)
{
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (strlen(names[k].name) == length && !strncmp(names[k].name, name, length))
			return names[k].bit;
	driver_warn("'%.*s' is not a check: memory, init, race, barrier, leak, align", (int)length, name);
	return 0;
}

static unsigned read_list(const char *list)
{
	unsigned bits = 0;

	for (size_t length; list && *list; list += length + (list[length] == ',')) {
		length = strcspn(list, ",");
		bits |= find_check(list, length);
	}
	return bits;
}

unsigned check_mode(void)
{
	enum { UNKNOWN = 1u << 31 };
	static _Atomic unsigned mode = UNKNOWN;

	if (mode == UNKNOWN)
		mode = read_list(getenv("SOFTGPU_CHECK"));
	return mode;
}

bool check_tracks_memory(void)
{
	return check_mode() & (CHECK_MEMORY | CHECK_INIT | CHECK_LEAK);
}
