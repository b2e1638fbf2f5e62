/* For HIP only, CLOCK_MONOTONIC returns virtual time.
 *
 * HIP stamps a command with the host's clock if the device finished it before the submitting thread attached the
 * device's own time stamps (ROCclr, VirtualGPU::updateCommandsState). Hardware is rarely that fast. Here it happens
 * whenever the submitting thread is preempted at that point, and the event's time would come from the wrong clock. No
 * later command of the stream can have been submitted at that point, so the device's current time is exactly the
 * command's time. */
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "softgpu/core/time_types.h"
#include "softgpu/driver/time/virtual_clock.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/interpose/hooks_ioctl.h"
#include "softgpu/driver/interpose/interpose.h"

static _Atomic uintptr_t hip_start, hip_end;

static int find_hip_segments(struct dl_phdr_info *info, size_t size, void *unused)
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
		dl_iterate_phdr(find_hip_segments, NULL);
}

/* --- completion handlers --- */
/* HIP reads the clock in these handlers, on the runtime's event thread. A sanitizer between HIP and this library hides
 * the caller's address, so the thread is marked too. */
typedef bool handler_fn(int64_t value, void *argument);
struct wrapped_handler {
	handler_fn *handler;
	void *argument;
};

static __thread bool in_completion_handler;

static bool run_completion_handler(int64_t value, void *argument)
{
	struct wrapped_handler *c = argument;
	bool again;

	in_completion_handler = true;
	again = c->handler(value, c->argument);
	in_completion_handler = false;
	if (!again)
		free(c);
	return again;
}

int hsa_amd_signal_async_handler(struct hsa_signal, int, int64_t, handler_fn *, void *);
EXPORT int hsa_amd_signal_async_handler(
	struct hsa_signal signal, int condition, int64_t value, handler_fn *handler, void *argument)
{
	struct wrapped_handler *c = device_get() && handler ? malloc(sizeof *c) : NULL;
	int status;

	if (!c)
		return REAL_FUNCTION(hsa_amd_signal_async_handler)(signal, condition, value, handler, argument);
	*c = (struct wrapped_handler){handler, argument};
	status = REAL_FUNCTION(hsa_amd_signal_async_handler)(signal, condition, value, run_completion_handler, c);
	if (status)
		free(c);
	return status;
}

/* --- the clock --- */
static bool is_hip_caller(uintptr_t caller)
{
	return in_completion_handler || (hip_end && caller - hip_start < hip_end - hip_start);
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *out)
{
	ns_t now;

	if (clock != CLOCK_MONOTONIC || !is_hip_caller((uintptr_t)__builtin_return_address(0)) || !device_get())
		return REAL_FUNCTION(clock_gettime)(clock, out);
	now = vclock_now();
	out->tv_sec = (time_t)(now / 1000000000);
	out->tv_nsec = (long)(now % 1000000000);
	return 0;
}
