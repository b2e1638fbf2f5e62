/* The host's monotonic clock, for HIP alone, is the virtual time line.
 *
 * HIP stamps a command with the host's clock when the device has finished it before the submitting thread got as far as
 * attaching the device's own time stamps (ROCclr, VirtualGPU::updateCommandsState). Silicon is hardly ever that fast;
 * here it happens whenever the submitting thread loses its core in that place, and an event's time would come from the
 * wrong clock. Nothing of the stream can have been submitted meanwhile, so the device's present time is then the very
 * time of the command.
 */
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "softgpu/driver/time/virtual_clock.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/interpose/hooks_ioctl.h"
#include "softgpu/driver/interpose/interpose.h"

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

/* --- completion handlers --- */
/* HIP reads that clock in these, on the runtime's event thread. A sanitizer that stands between HIP and us hides the
 * caller's address, not the thread. */
typedef bool handler_fn(int64_t value, void *argument);
struct completion {
	handler_fn *handler;
	void *argument;
};

static __thread bool in_handler;

static bool handle(int64_t value, void *argument)
{
	struct completion *c = argument;
	bool again;

	in_handler = true;
	again = c->handler(value, c->argument);
	in_handler = false;
	if (!again)
		free(c);
	return again;
}

int hsa_amd_signal_async_handler(struct hsa_signal, int, int64_t, handler_fn *, void *);
EXPORT int hsa_amd_signal_async_handler(
	struct hsa_signal signal, int condition, int64_t value, handler_fn *handler, void *argument)
{
	struct completion *c = device_get() && handler ? malloc(sizeof *c) : NULL;
	int status;

	if (!c)
		return REAL_FUNCTION(hsa_amd_signal_async_handler)(signal, condition, value, handler, argument);
	*c = (struct completion){handler, argument};
	status = REAL_FUNCTION(hsa_amd_signal_async_handler)(signal, condition, value, handle, c);
	if (status)
		free(c);
	return status;
}

/* --- the clock --- */
static bool asked_by_hip(uintptr_t caller)
{
	return in_handler || (hip_end && caller - hip_start < hip_end - hip_start);
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *out)
{
	uint64_t now;

	if (clock != CLOCK_MONOTONIC || !asked_by_hip((uintptr_t)__builtin_return_address(0)) || !device_get())
		return REAL_FUNCTION(clock_gettime)(clock, out);
	now = vclock_now();
	out->tv_sec = (time_t)(now / 1000000000);
	out->tv_nsec = (long)(now % 1000000000);
	return 0;
}
