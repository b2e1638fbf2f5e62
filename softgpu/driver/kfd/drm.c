/* The render node: the few questions that libdrm_amdgpu asks for KFD's sake. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/kfd/drm_abi.h"
#include "softgpu/driver/kfd/device_identity.h"
#include "softgpu/driver/kfd/kfd.h"
#include "softgpu/driver/kfd/kfd_memory.h"
#include "softgpu/driver/probe/driver_trace.h"

static void put_string(const char *text, char *out, size_t *room)
{
	size_t length = strlen(text);

	if (out)
		memcpy(out, text, *room < length ? *room : length);
	*room = length;
}

/* 3.42: the first with everything that ROCm 5 wants. */
static int version(struct drm_version_query *v)
{
	v->major = 3;
	v->minor = 42;
	v->patch = 0;
	put_string("amdgpu", v->name, &v->name_room);
	put_string("20150101", v->date, &v->date_room);
	put_string("AMD GPU", v->description, &v->description_room);
	return 0;
}

static void fill_device(const struct model *m, struct amdgpu_device *out)
{
	const struct device_identity *id = identity_of_model(m);
	uint32_t per_engine = (uint32_t)((m->compute_units + m->shader_engines - 1) / m->shader_engines);

	*out = (struct amdgpu_device){
		.device = id->device,
		.chip_revision = 1,
		.external_revision = id->external_revision,
		.pci_revision = id->revision,
		.family = AMDGPU_FAMILY_AI,
		.shader_engines = (uint32_t)m->shader_engines,
		.arrays_per_engine = 1,
		.counter_khz = (uint32_t)(m->timestamp_hz / 1000),
		.sclk_khz = (uint64_t)m->sclk_khz,
		.mclk_khz = (uint64_t)m->mclk_khz,
		.cu_active = (uint32_t)m->compute_units,
		.rb_count = 16,
		.enabled_rb_mask = 0xffff,
		.vram_type = AMDGPU_VRAM_TYPE_HBM,
		.vram_bits = id->memory_bits,
		.va_start = 0x200000,
		.va_end = UINT64_C(0x800000000000),
		.va_alignment = 4096,
		.fragment = 2 << 20,
		.gart_page = 4096,
		.wave = 64,
		.cu_per_array = per_engine,
		.high_va_start = UINT64_C(0xffff800000000000),
		.high_va_end = UINT64_C(0xffffffffffe00000),
	};
	/* Engines beyond the fourth are in the second array's place, as in the kernel's gfx_v9_0.c. */
	for (int engine = 0; engine < 16 && engine < m->shader_engines; engine++)
		out->cu_bitmap[engine % 4][engine / 4] = per_engine < 32 ? (1u << per_engine) - 1 : UINT32_MAX;
}

/* Unknown questions are answered with zeros, as by a card without that block. */
static int info(struct softgpu_device *d, const struct amdgpu_info *i)
{
	union {
		uint32_t working;
		struct amdgpu_device device;
		struct amdgpu_memory memory;
	} answer;
	void *out = (void *)(uintptr_t)i->answer;
	size_t room = i->room;

	memset(&answer, 0, sizeof answer);
	if (i->question == AMDGPU_INFO_ACCEL_WORKING)
		answer.working = 1;
	else if (i->question == AMDGPU_INFO_DEVICE)
		fill_device(&d->model, &answer.device);
	else if (i->question == AMDGPU_INFO_VRAM_GTT)
		answer.memory =
			(struct amdgpu_memory){kfd_memory_usage().vram_total, kfd_memory_usage().vram_total, GTT_BYTES};
	memset(out, 0, room);
	memcpy(out, &answer, room < sizeof answer ? room : sizeof answer);
	return 0;
}

int drm_ioctl(unsigned long request, void *argument)
{
	struct softgpu_device *d = device_get();

	driver_trace(TRACE_CALLS, "drm call %#x", (unsigned)_IOC_NR(request));
	if (d && _IOC_NR(request) == DRM_CALL_VERSION)
		return version(argument);
	if (d && _IOC_NR(request) == DRM_CALL_AMDGPU_INFO)
		return info(d, argument);
	errno = EINVAL;
	return -1;
}
