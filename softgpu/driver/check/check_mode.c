#include "softgpu/driver/check/check_mode.h"

#include <stdio.h>
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

static const char all_names[] =
#define CHECK_NAME(id, name, by_default) " " name
#include "softgpu/check_names.def"
#undef CHECK_NAME
	;

/* 0: there is none. */
static unsigned find_check(const char *name, size_t length)
{
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (strlen(names[k].name) == length && !strncmp(names[k].name, name, length))
			return names[k].bit;
	return 0;
}

bool check_list_read(const char *list, unsigned *out, char *why, size_t size)
{
	bool known = true;

	*out = 0;
	for (size_t length; list && *list; list += length + (list[length] == ',')) {
		length = strcspn(list, ",");
		const unsigned bit = find_check(list, length);
		*out |= bit | (bit == CHECK_LOADS ? (unsigned)CHECK_INIT : 0);
		if (!bit && known)
			snprintf(why, size, "'%.*s' is not a check; the checks are:%s", (int)length, list, all_names);
		known &= bit != 0;
	}
	return known;
}

static unsigned read_environment(void)
{
	unsigned bits;
	char why[200];

	if (!check_list_read(getenv("SOFTGPU_CHECK"), &bits, why, sizeof why))
		driver_warn("%s", why);
	return bits;
}

unsigned check_mode(void)
{
	enum { UNKNOWN = 1u << 31 };
	static _Atomic unsigned mode = UNKNOWN;

	if (mode == UNKNOWN)
		mode = read_environment();
	return mode;
}

bool check_tracks_memory(void)
{
	return check_mode() & (CHECK_MEMORY | CHECK_INIT | CHECK_LEAK | CHECK_GLOBAL);
}
