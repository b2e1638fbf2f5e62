#include "softgpu/driver/kfd/kfd_ipc.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "softgpu/abi/kfd_abi.h"
#include "softgpu/driver/kfd/kfd_alias.h"
#include "softgpu/driver/kfd/kfd_buffer.h"
#include "softgpu/driver/kfd/shared_memory.h"
#include "softgpu/driver/kfd/softgpu_device.h"

/* The same handle for the same buffer. */
int kfd_memory_export(struct kfd_ipc_export *a)
{
	struct buffer *b;
	int error = EINVAL;

	kfd_buffers_lock();
	b = kfd_buffer_find(a->handle);
	if (b && (b->kind == BUFFER_VRAM || b->kind == BUFFER_GTT) && !b->import.open && !b->alias) {
		struct shared_range r = {
			.offset = b->offset, .size = b->size, .flags = b->flags, .runtime_flags = a->flags};
		uint32_t entry = b->shared - 1;

		error = b->shared ? 0 : shared_memory_enter(b->owner, &r, &entry);
		if (!error) {
			b->shared = entry + 1;
			shared_memory_make_handle(b->owner, entry, a->share_handle);
		}
	}
	kfd_buffers_unlock();
	return error;
}

static uint8_t *map_shared_range(const struct buffer *b, void *at)
{
	void *p = mmap(at, b->size, PROT_READ | PROT_WRITE, MAP_SHARED | (at ? MAP_FIXED : 0), b->import.fd,
		(off_t)b->import.offset);

	if (p == MAP_FAILED)
		return NULL;
	madvise(p, b->size, MADV_DONTFORK);
	return p;
}

/* Imported memory has addresses of its own among those of the same GPU. */
static int init_import(struct buffer *b, const struct shared_range *r)
{
	b->kind = r->flags & KFD_MEMORY_VRAM ? BUFFER_VRAM : BUFFER_GTT;
	b->import.open = true;
	b->import.offset = r->offset;
	b->host = map_shared_range(b, NULL);
	if (!b->host)
		return ENOMEM;
	if (kfd_buffer_place(b))
		return 0;
	munmap(b->host, b->size);
	return ENOMEM;
}

static int enter_alias(struct kfd_ipc_import *a, const struct buffer *alias)
{
	kfd_buffers_lock();
	a->handle = kfd_buffer_enter(alias);
	kfd_buffers_unlock();
	return a->handle ? 0 : ENOMEM;
}

int kfd_memory_import(struct kfd_ipc_import *a)
{
	struct buffer draft = {.va = a->va};
	struct shared_range r;
	int error;

	if (kfd_alias_take(a, &draft))
		return enter_alias(a, &draft);
	error = a->va % BUFFER_PAGE ? EINVAL : shared_memory_open(a->share_handle, &r, &draft.import.fd);

	if (error)
		return error;
	draft.owner = device_at(r.gpu);
	draft.size = r.size;
	draft.flags = r.flags;
	kfd_buffers_lock();
	error = init_import(&draft, &r);
	a->handle = error ? 0 : kfd_buffer_enter(&draft);
	if (a->handle) {
		*kfd_buffer_usage(&draft) += draft.size;
		a->gpu_id = draft.owner->gpu_id;
		a->flags = r.runtime_flags;
		a->mmap_offset = IMPORT_OFFSET;
	} else if (error) {
		close(draft.import.fd);
	} else {
		kfd_buffer_release(&draft);
		error = ENOMEM;
	}
	kfd_buffers_unlock();
	return error;
}

/* The program's view of it, or of an alias. libhsakmt has mapped the GPU's own file there, because it knows no other,
 * before it maps the memory to GPUs. */
bool kfd_memory_show_import(const struct buffer *b)
{
	return map_shared_range(b, (void *)(uintptr_t)b->va) != NULL;
}
