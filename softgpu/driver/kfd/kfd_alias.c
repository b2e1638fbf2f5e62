#include "softgpu/driver/kfd/kfd_alias.h"

#include "softgpu/abi/kfd_abi.h"
#include "softgpu/driver/kfd/kfd_buffer.h"
#include "softgpu/driver/kfd/kfd_ipc.h"
#include "softgpu/driver/kfd/kfd_memory.h"
#include "softgpu/driver/kfd/softgpu_device.h"

/* Of libhsakmt: the handle of shared memory has its kind of addresses and its number of pages (HSA_APERTURE_DGPU in
 * fmm.h); HsaMemFlags of device memory that the host can access (NonPaged, HostAccess, NoSubstitute in hsakmttypes.h).
 */
enum { APERTURE_DGPU = 1, DEVICE_MEMORY_FLAGS = 0x1 | 0x40 | 0x80 };

static __thread struct buffer wanted; /* kind BUFFER_NONE: none */

/* Under the lock of the buffers. NULL: none has all of these bytes. */
static struct buffer *find_memory_at(uint64_t va, uint64_t size)
{
	struct buffer *b = kfd_buffer_containing(va);

	return b && b->kind != BUFFER_REGISTERS && size <= b->va + b->size - va ? b : NULL;
}

bool kfd_alias_begin(uint64_t va, uint64_t size, uint32_t handle[RUNTIME_HANDLE_WORDS])
{
	const struct buffer *b;

	wanted.kind = BUFFER_NONE;
	kfd_buffers_lock();
	b = find_memory_at(va, size);
	if (b && b->kind == BUFFER_VRAM && !b->import.open && !b->alias)
		wanted = (struct buffer){.kind = b->kind,
			.owner = b->owner,
			.flags = b->flags,
			.size = size,
			.offset = b->offset + (va - b->va),
			.host = b->host + (va - b->va),
			.alias = true,
			.import = {false, b->owner->render, b->offset + (va - b->va)}};
	kfd_buffers_unlock();
	if (wanted.kind == BUFFER_NONE)
		return false;
	for (unsigned i = 0; i < RUNTIME_HANDLE_WORDS; i++)
		handle[i] = 0;
	handle[4] = APERTURE_DGPU;
	handle[6] = (uint32_t)(size / BUFFER_PAGE);
	handle[7] = wanted.owner->gpu_id;
	return true;
}

void kfd_alias_end(void)
{
	wanted.kind = BUFFER_NONE;
}

bool kfd_alias_take(struct kfd_ipc_import *a, struct buffer *out)
{
	if (wanted.kind == BUFFER_NONE)
		return false;
	*out = wanted;
	out->va = a->va;
	a->gpu_id = out->owner->gpu_id;
	a->flags = DEVICE_MEMORY_FLAGS;
	a->mmap_offset = IMPORT_OFFSET; /* at offset 0, libhsakmt would map nothing */
	return true;
}

void kfd_alias_follow(uint64_t alias, uint64_t va)
{
	uint64_t handle = 0;
	uint32_t missing = 0;

	kfd_buffers_lock();
	const struct buffer *b = find_memory_at(va, 1), *of_alias = find_memory_at(alias, 1);
	if (b && of_alias) {
		handle = kfd_buffer_handle(of_alias);
		missing = b->mapped & ~of_alias->mapped;
	}
	kfd_buffers_unlock();
	for (unsigned i = 0; missing >> i; i++)
		if (missing >> i & 1)
			kfd_memory_map(handle, device_at(i));
}
