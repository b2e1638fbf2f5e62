#include "softgpu/driver/check/check_mode.h"

#include <stdlib.h>

#include "softgpu/core/check/check_list.h"
#include "softgpu/core/check_report.h"
#include "softgpu/driver/capture/kept_launches.h"
#include "softgpu/driver/probe/driver_trace.h"

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

bool check_tracks_allocations(void)
{
	return check_tracks_memory() || kept_launches_folder();
}
