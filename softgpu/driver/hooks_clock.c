/* The HIP runtime's own clock. An event whose packet completes before the runtime has filed the packet's timestamp gets the
 * host's CLOCK_MONOTONIC instead: harmless where both clocks are the host's, nonsense here, where the device has its own time
 * line. A software device often completes that early, so to libamdhip64, and to no other caller, the clock is the device's:
 * nothing of that thread's can have run since, hence it is the very time the packet ended. */
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "softgpu/driver/clock.h"
#include "softgpu/driver/device.h"
#include "softgpu/driver/next.h"

static _Atomic uintptr_t hip_low, hip_high; /* the library's mapping; 0 until it is found */

static int find_hip(struct dl_phdr_info *info, size_t size, void *unused)
{
	uintptr_t low = UINTPTR_MAX, high = 0;

	(void)size;
	(void)unused;
	if (!info->dlpi_name || !strstr(info->dlpi_name, "libamdhip64.so"))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD)
			continue;
		low = at < low ? at : low;
		high = at + p->p_memsz > high ? at + p->p_memsz : high;
	}
	hip_high = high;
	hip_low = low;
	return 1;
}

static bool from_hip(uintptr_t caller)
{
	if (!hip_low)
		dl_iterate_phdr(find_hip, NULL);
	return hip_low && caller >= hip_low && caller < hip_high;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *out)
{
	if (clock == CLOCK_MONOTONIC && device_get() && from_hip((uintptr_t)__builtin_return_address(0))) {
		uint64_t ns = clock_now();

		out->tv_sec = (time_t)(ns / 1000000000);
		out->tv_nsec = (long)(ns % 1000000000);
		return 0;
	}
	return NEXT(clock_gettime)(clock, out);
}
