#include "softgpu/driver/check/copied_memory.h"

#include <stdbool.h>

#include "softgpu/core/check_report.h"
#include "softgpu/driver/check/allocations.h"
#include "softgpu/driver/check/check_mode.h"
#include "softgpu/driver/check/host_reads.h"
#include "softgpu/driver/check/host_stack.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/kfd/softgpu_device.h"

static void define_rows(const struct copied_rows *c)
{
	device_lock();
	for (unsigned k = 0; k < machine_gpu_count(); k++)
		for (uint64_t y = 0; y < c->height; y++)
			gpu_define_memory(device_at(k)->gpu, c->to + y * c->pitch, c->width);
	device_unlock();
}

/* Memory of the host that the program has not registered is none of its allocations for kernels. */
static bool comes_from_host(uint64_t from, uint32_t kind)
{
	struct check_extent e;

	if (kind == COPY_DEFAULT)
		return !allocations_find_extent(from, &e) || e.state == EXTENT_UNKNOWN;
	return kind == HOST_TO_DEVICE;
}

void copied_memory_note(int status, uint32_t kind, const struct copied_rows *c)
{
	if (check_mode() & CHECK_INIT && !status && device_get() && comes_from_host(c->from, kind))
		define_rows(c);
}

/* --- to the host --- */
static bool is_host_memory(uint64_t va)
{
	bool is;

	device_lock();
	is = gpu_is_host_memory(device_at(0)->gpu, va);
	device_unlock();
	return is;
}

static bool goes_to_host(uint64_t to, uint32_t kind)
{
	struct check_extent e;

	if (!(check_mode() & CHECK_INIT) || !device_get())
		return false;
	if (kind == COPY_DEFAULT)
		return !allocations_find_extent(to, &e) || e.state == EXTENT_UNKNOWN || is_host_memory(to);
	return kind == DEVICE_TO_HOST;
}

void copied_memory_note_read(int status, uint32_t kind, const struct copied_rows *c)
{
	if (!status && goes_to_host(c->to, kind))
		host_reads_report(c, host_stack_take());
}

void copied_memory_expect_read(uint32_t kind, const struct copied_rows *c)
{
	if (goes_to_host(c->to, kind))
		host_reads_expect(c, host_stack_take());
}
