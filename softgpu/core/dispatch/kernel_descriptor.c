/* Reads kernel descriptors in two formats: the 64-byte descriptor of code object v3 and later, and the 256-byte
 * amd_kernel_code_t of v2, which ROCr's own copy and fill kernels still use. LLVM's AMDGPU usage guide describes both.
 */
#include "softgpu/core/dispatch/kernel_descriptor.h"

#include <string.h>

#include "base/min_max.h"

enum {
	AT_GROUP_BYTES = 0,
	AT_PRIVATE_BYTES = 4,
	AT_ARGUMENT_BYTES = 8,
	AT_ENTRY = 16,
	AT_RSRC3 = 44,
	AT_RSRC1 = 48,
	AT_RSRC2 = 52,
	AT_PROPERTIES = 56,
	DESCRIPTOR_BYTES = 64,
	LEGACY_MACHINE_KIND = 8,
	LEGACY_PRIVATE_BYTES = 60,
	LEGACY_GROUP_BYTES = 64,
	LEGACY_BYTES = 256,
};

/* Bits of kernel_code_properties, in the order of the SGPRs they enable. The last three exist only in the v2 format. */
enum {
	USER_PRIVATE_BUFFER,
	USER_DISPATCH_PTR,
	USER_QUEUE_PTR,
	USER_KERNARG,
	USER_DISPATCH_ID,
	USER_FLAT_SCRATCH,
	USER_PRIVATE_SIZE,
	USER_GRID_X,
	USER_GRID_Y,
	USER_GRID_Z
};
enum {
	RSRC1_WGP_MODE = 29, /* where a WGP has several CUs */
	RSRC3_TG_SPLIT = 16, /* gfx90a: the waves of a workgroup may be on different CUs */
};
/* Bits that are ignored where scratch needs no SGPRs. */
#define SCRATCH_SGPRS (1u << USER_PRIVATE_BUFFER | 1u << USER_FLAT_SCRATCH)

static uint32_t read_dword(const uint8_t *p, unsigned at)
{
	uint32_t v;

	memcpy(&v, p + at, sizeof v);
	return v;
}

/* amd_kernel_code_t begins with version 1.x, machine kind 1 and machine version 9. In a v3 descriptor these dwords are
 * the LDS size, the scratch size and the kernarg size, whose upper half is never 9. */
static bool is_code_object_v2(const uint8_t *p)
{
	return read_dword(p, 0) == 1 && read_dword(p, 4) <= 2 && read_dword(p, LEGACY_MACHINE_KIND) == (1 | 9u << 16);
}

static void push_user_sgprs(struct launch *n, uint64_t value, unsigned dwords)
{
	for (unsigned k = 0; k < dwords; k++, value >>= 32)
		n->user[n->user_count++] = value;
}

static void fill_user_sgprs(struct launch *n)
{
	const struct dispatch *d = n->d;
	const uint64_t value[] = {[USER_DISPATCH_PTR] = d->packet_va,
		[USER_QUEUE_PTR] = d->queue_va,
		[USER_KERNARG] = d->kernarg,
		[USER_DISPATCH_ID] = d->dispatch_id,
		[USER_FLAT_SCRATCH] = d->scratch_base};

	n->user_count = 0;
	if (n->properties >> USER_PRIVATE_BUFFER & 1)
		for (unsigned k = 0; k < 4; k++)
			push_user_sgprs(n, d->scratch_srd[k], 1);
	for (unsigned k = USER_DISPATCH_PTR; k <= USER_FLAT_SCRATCH; k++)
		if (n->properties >> k & 1)
			push_user_sgprs(n, value[k], 2);
	if (n->properties >> USER_PRIVATE_SIZE & 1)
		push_user_sgprs(n, d->private_bytes, 1);
	for (unsigned k = 0; n->legacy && k < 3; k++)
		if (n->properties >> (USER_GRID_X + k) & 1)
			push_user_sgprs(n, (d->grid[k] + (uint64_t)d->workgroup[k] - 1) / d->workgroup[k], 1);
	uint32_t declared = n->rsrc2 >> 1 & 31; /* may differ from the number of enabled SGPRs */
	while (n->user_count < declared)
		push_user_sgprs(n, 0, 1);
	n->user_count = declared;
}

static uint32_t round_up_to_granule(uint32_t v, uint32_t granule)
{
	return (v + granule - 1) / granule * granule;
}

/* gfx90a: the registers of a wave, counted in units of 8, are VGPRs up to ACCUM_OFFSET and accumulation registers from
 * there on (LLVM AMDGPU usage, compute_pgm_rsrc1 and compute_pgm_rsrc3). Each kind has its own place here, so a VGPR
 * number beyond ACCUM_OFFSET, which compilers do not use, is not another name of an accumulation register. */
static void set_unified_registers(struct launch *n)
{
	n->vgprs = round_up_to_granule(((n->rsrc1 & 63) + 1) * 8, n->m->model.vgpr_granule);
	n->accum_offset = min_u64(n->legacy ? n->vgprs : ((n->rsrc3 & 63) + 1) * 4, n->vgprs);
}

/* The constants are those of waves of the family's wave_lanes. */
static void set_registers(struct launch *n)
{
	const struct machine *m = n->m;
	const struct model *c = &m->model;
	const struct gpu_family *f = c->gpu->target->family;
	const uint32_t share = n->lanes / f->wave_lanes, code_granule = 256 / n->lanes;

	n->vgprs = round_up_to_granule(((n->rsrc1 & 63) + 1) * code_granule, c->vgpr_granule / share);
	n->accum_offset = n->vgprs;
	if (c->gpu->target->unified_vgprs)
		set_unified_registers(n);
	n->vgprs_per_simd = c->vgprs_per_lane / share;
	n->sgprs = f->sgprs_of_wave;
	if (!n->sgprs)
		n->sgprs = round_up_to_granule(((n->rsrc1 >> 6 & 15) / 2 + 1) * 16, c->sgpr_granule);
}

static void set_resources(struct launch *n, uint32_t group_bytes, uint32_t private_bytes)
{
	const struct machine *m = n->m;
	uint32_t bytes = n->d->group_bytes > group_bytes ? n->d->group_bytes : group_bytes;

	set_registers(n);
	n->group_bytes_asked = bytes;
	n->group_bytes = round_up_to_granule(bytes, m->model.lds_granule);
	n->private_bytes = n->d->private_bytes > private_bytes ? n->d->private_bytes : private_bytes;
	uint32_t ids = n->rsrc2 >> RSRC2_WORK_ITEM_ID & 3;
	n->packed_ids = m->model.gpu->target->packed_work_item_ids;
	n->cu_mode = model_cus_per_processor(&m->model) > 1 && !(n->rsrc1 >> RSRC1_WGP_MODE & 1);
	n->more_ids = ids < 2 ? ids : 2;
}

const char *descriptor_read(struct launch *n)
{
	struct machine *m = n->m;
	const struct vm_region *r = vm_find(&m->vm, n->d->kernel_object, DESCRIPTOR_BYTES, VM_READ);

	if (!r)
		return "the kernel object is not mapped";
	const uint8_t *p = r->host + (n->d->kernel_object - r->va);
	n->legacy = is_code_object_v2(p) && vm_find(&m->vm, n->d->kernel_object, LEGACY_BYTES, VM_READ);
	int64_t entry;
	memcpy(&entry, p + AT_ENTRY, sizeof entry);
	n->entry_pc = n->d->kernel_object + entry;
	n->rsrc1 = read_dword(p, AT_RSRC1);
	n->rsrc2 = read_dword(p, AT_RSRC2);
	n->rsrc3 = read_dword(p, AT_RSRC3);
	n->properties = n->legacy ? read_dword(p, AT_PROPERTIES) : read_dword(p, AT_PROPERTIES) & 0x7f;
	if (m->model.gpu->target->architected_scratch)
		n->properties &= ~SCRATCH_SGPRS;
	n->lanes = model_wave_lanes(&m->model, (uint16_t)read_dword(p, AT_PROPERTIES));
	n->all_lanes = UINT64_MAX >> (64 - n->lanes);
	n->address_passes = n->lanes / m->model.gpu->target->family->wave_lanes;
	n->argument_bytes = n->legacy ? 0 : read_dword(p, AT_ARGUMENT_BYTES);
	set_resources(n, read_dword(p, n->legacy ? LEGACY_GROUP_BYTES : AT_GROUP_BYTES),
		read_dword(p, n->legacy ? LEGACY_PRIVATE_BYTES : AT_PRIVATE_BYTES));
	if (n->entry_pc & 3)
		return "the kernel's entry is not aligned";
	if (m->model.gpu->target->unified_vgprs && n->rsrc3 >> RSRC3_TG_SPLIT & 1 && n->group_bytes)
		return "the kernel has LDS, which is not available in threadgroup split mode";
	fill_user_sgprs(n);
	return NULL;
}
