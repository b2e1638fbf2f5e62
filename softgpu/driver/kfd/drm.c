/* The render node: the few queries that libdrm_amdgpu makes on behalf of KFD. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

#include "softgpu/driver/faults/user_memory.h"
#include "softgpu/driver/kfd/ioctl_argument.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/abi/drm_abi.h"
#include "softgpu/driver/kfd/device_identity.h"
#include "softgpu/driver/kfd/kfd.h"
#include "softgpu/driver/probe/driver_trace.h"

/* 0 or EFAULT. `size` becomes the length of the text. */
static int copy_version_string(const char *text, char *out, size_t *size)
{
	size_t length = strlen(text), copied = *size < length ? *size : length;

	*size = length;
	return !out || copy_to_user(out, text, copied) ? 0 : EFAULT;
}

/* 3.42 is the first version with everything that ROCm 5 needs. */
static int answer_version(struct drm_version_query *v)
{
	int error;

	v->major = 3;
	v->minor = 42;
	v->patch = 0;
	error = copy_version_string("amdgpu", v->name, &v->name_size);
	if (!error)
		error = copy_version_string("20150101", v->date, &v->date_size);
	if (!error)
		error = copy_version_string("AMD GPU", v->description, &v->description_size);
	return error;
}

/* Engines from 4 on use the second index, as in the Linux kernel's gfx_v9_0.c and gfx_v11_0.c. */
static void fill_cu_bitmap(const struct model *m, uint32_t per_array, struct amdgpu_device *out)
{
	uint32_t arrays = m->gpu->target->family->arrays_per_engine,
		 all = per_array < 32 ? (1u << per_array) - 1 : UINT32_MAX;

	for (uint32_t engine = 0; engine < (uint32_t)m->shader_engines; engine++)
		for (uint32_t array = 0; array < arrays && engine / 4 * arrays + array < 4; array++)
			out->cu_bitmap[engine % 4][engine / 4 * arrays + array] = all;
}

static void fill_device_info(const struct model *m, struct amdgpu_device *out)
{
	const struct device_identity *id = identity_of_model(m);
	const struct gpu_family *f = m->gpu->target->family;
	uint32_t arrays = (uint32_t)m->shader_engines * f->arrays_per_engine;
	uint32_t per_array = ((uint32_t)m->compute_units + arrays - 1) / arrays;

	*out = (struct amdgpu_device){
		.device = id->device_id,
		.chip_revision = 1,
		.external_revision = id->external_revision,
		.pci_revision = id->revision,
		.family = f->drm_family,
		.shader_engines = (uint32_t)m->shader_engines,
		.arrays_per_engine = f->arrays_per_engine,
		.counter_khz = (uint32_t)(m->timestamp_hz / 1000),
		.sclk_khz = (uint64_t)m->sclk_khz,
		.mclk_khz = (uint64_t)m->mclk_khz,
		.cu_active = (uint32_t)m->compute_units,
		.rb_count = id->render_backends,
		.enabled_rb_mask = (1u << id->render_backends) - 1,
		.vram_type = id->memory_type,
		.vram_bits = id->memory_bus_bits,
		.va_start = 0x200000,
		.va_end = UINT64_C(0x800000000000),
		.va_alignment = 4096,
		.fragment = 2 << 20,
		.gart_page = 4096,
		.wave = f->wave_lanes,
		.cu_per_array = per_array,
		.high_va_start = UINT64_C(0xffff800000000000),
		.high_va_end = UINT64_C(0xffffffffffe00000),
	};
	fill_cu_bitmap(m, per_array, out);
}

/* Unknown queries return zeros, as from a card without that block. */
static int answer_info(const struct softgpu_device *d, const struct amdgpu_info *i)
{
	union {
		uint32_t working;
		struct amdgpu_device device;
		struct amdgpu_memory memory;
	} return_value;
	char *out = (char *)(uintptr_t)i->return_pointer;
	size_t size = i->return_size, known = size < sizeof return_value ? size : sizeof return_value;

	memset(&return_value, 0, sizeof return_value);
	if (i->query == AMDGPU_INFO_ACCEL_WORKING)
		return_value.working = 1;
	else if (i->query == AMDGPU_INFO_DEVICE)
		fill_device_info(&d->model, &return_value.device);
	else if (i->query == AMDGPU_INFO_VRAM_GTT)
		return_value.memory = (struct amdgpu_memory){d->space.vram_total, d->space.vram_total, GTT_BYTES};
	if (!copy_to_user(out, &return_value, known))
		return EFAULT;
	return clear_user_memory(out + known, size - known) ? 0 : EFAULT;
}

static int run_drm_call(const struct softgpu_device *d, unsigned number, void *argument)
{
	switch (number) {
	case DRM_CALL_VERSION: return answer_version(argument);
	case DRM_CALL_AMDGPU_INFO: return answer_info(d, argument);
	default: return EINVAL;
	}
}

int drm_ioctl(unsigned gpu, unsigned long request, void *argument)
{
	const struct softgpu_device *d = device_at(gpu);
	struct ioctl_argument a;
	int error = d ? ioctl_argument_read(&a, request, argument) : EINVAL;

	driver_trace(TRACE_CALLS, "DRM call %#x", (unsigned)_IOC_NR(request));
	if (!error)
		error = run_drm_call(d, _IOC_NR(request), a.bytes);
	if (!error)
		error = ioctl_argument_write(&a, request, argument);
	errno = error ? error : errno;
	return error ? -1 : 0;
}
