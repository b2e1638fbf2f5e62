/* The host's monotonic clock, for HIP alone, is the virtual time line.
 *
 * HIP stamps a command with the host's clock when the device has finished it before the submitting thread got as far as
 * attaching the device's own time stamps (ROCclr, VirtualGPU::updateCommandsState). Silicon is hardly ever that fast; here it
 * happens whenever the submitting thread loses its core in that place, and an event's time would come from the wrong clock.
 * Nothing of the stream can have been submitted meanwhile, so the device's present time is then the very time of the command.
 */
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "softgpu/driver/clock.h"
#include "softgpu/driver/device.h"
#include "softgpu/driver/hooks.h"
#include "softgpu/driver/next.h"

static _Atomic uintptr_t hip_start, hip_end;

static int look_at(struct dl_phdr_info *info, size_t size, void *unused)
{
	uintptr_t start = UINTPTR_MAX, end = 0;

	(void)size, (void)unused;
	if (!info->dlpi_name || !strstr(info->dlpi_name, "/libamdhip64.so"))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD)
			continue;
		start = at < start ? at : start;
		end = at + p->p_memsz > end ? at + p->p_memsz : end;
	}
	hip_end = end;
	hip_start = start;
	return 1;
}

void hooks_find_hip(void)
{
	if (!hip_end)
		dl_iterate_phdr(look_at, NULL);
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *out)
{
	uintptr_t caller = (uintptr_t)__builtin_return_address(0);
	uint64_t now;

	if (clock != CLOCK_MONOTONIC || !hip_end || caller - hip_start >= hip_end - hip_start || !device_get())
		return NEXT(clock_gettime)(clock, out);
	now = clock_now();
	out->tv_sec = (time_t)(now / 1000000000);
	out->tv_nsec = (long)(now % 1000000000);
	return 0;
}
