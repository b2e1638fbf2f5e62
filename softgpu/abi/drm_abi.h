/* The part of the DRM and amdgpu interfaces that the render node implements: layouts of libdrm's drm.h and
 * amdgpu_drm.h. */
#ifndef SOFTGPU_ABI_DRM_ABI_H
#define SOFTGPU_ABI_DRM_ABI_H

#include <stddef.h>
#include <stdint.h>

#define DRM_IOCTL_TYPE 'd'
enum drm_call { DRM_CALL_VERSION = 0x00, DRM_CALL_AMDGPU_INFO = 0x45 };
enum amdgpu_info_query { AMDGPU_INFO_ACCEL_WORKING = 0x00, AMDGPU_INFO_VRAM_GTT = 0x14, AMDGPU_INFO_DEVICE = 0x16 };

struct drm_version_query {
	int major, minor, patch;
	size_t name_size;
	char *name;
	size_t date_size;
	char *date;
	size_t description_size;
	char *description;
};

struct amdgpu_info {
	uint64_t return_pointer;
	uint32_t return_size, query, arguments[4];
};

struct amdgpu_memory {
	uint64_t vram, visible, gtt;
};

struct amdgpu_device {
	uint32_t device, chip_revision, external_revision, pci_revision, family, shader_engines, arrays_per_engine,
		counter_khz;
	uint64_t sclk_khz, mclk_khz;
	uint32_t cu_active, cu_always_on, cu_bitmap[4][4], enabled_rb_mask, rb_count, graphics_contexts, pad0;
	uint64_t flags, va_start, va_end;
	uint32_t va_alignment, fragment, gart_page, constant_ram, vram_type, vram_bits, vce_harvest, double_lds;
	uint64_t ngg_addresses[4];
	uint32_t ngg_sizes[4], wave, visible_vgprs, cu_per_array, tcc_blocks, gs_tables, gs_depth, gs_waves, pad1;
	uint32_t cu_always_on_bitmap[4][4];
	uint64_t high_va_start, high_va_end;
};

_Static_assert(offsetof(struct amdgpu_device, wave) == 240 && offsetof(struct amdgpu_device, high_va_start) == 336,
	"AMDGPU_INFO_DEV_INFO");

#endif
