#include "softgpu/driver/check/copied_memory.h"

#include <stdbool.h>

#include "softgpu/core/check_report.h"
#include "softgpu/driver/check/allocations.h"
#include "softgpu/driver/check/check_mode.h"
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
static bool comes_from_host(uint64_t from, uint64_t kind)
{
	struct check_extent e;

	if (kind == COPY_DEFAULT)
		return !allocations_find_extent(from, &e) || e.state == EXTENT_UNKNOWN;
	return kind == HOST_TO_DEVICE;
}

void copied_memory_note(int status, uint64_t kind, const struct copied_rows *c)
{
	if (check_mode() & CHECK_INIT && !status && device_get() && comes_from_host(c->from, kind))
		define_rows(c);
}
