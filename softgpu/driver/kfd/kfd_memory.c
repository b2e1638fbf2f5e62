#include "softgpu/driver/kfd/kfd_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "softgpu/driver/faults/user_memory.h"
#include "softgpu/abi/kfd_abi.h"
#include "softgpu/driver/kfd/kfd_buffer.h"
#include "softgpu/driver/kfd/kfd_ipc.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/queues/doorbell.h"
#include "softgpu/driver/queues/launch_slots.h"
#include "softgpu/driver/probe/driver_trace.h"

#define FLUSH_POLL_NS 20000 /* between checks whether the device thread has applied the changes */

enum change { CHANGE_MAP, CHANGE_UNMAP, CHANGE_RELEASE };
struct pending {
	enum change change;
	struct softgpu_device *on; /* not for CHANGE_RELEASE */
	struct buffer buffer;
};

static struct pending *pending;
static size_t pending_count, pending_capacity;

void kfd_memory_reset_in_child(void)
{
	kfd_buffers_reset_in_child();
	free(pending);
	pending = NULL;
	pending_count = pending_capacity = 0;
}

/* --- the core's view --- */
static void apply_change(const struct pending *p)
{
	const struct buffer *b = &p->buffer;
	unsigned access = VM_READ | (b->flags & KFD_MEMORY_WRITABLE ? VM_WRITE : 0) |
		(b->flags & KFD_MEMORY_EXECUTABLE ? VM_EXEC : 0);

	switch (p->change) {
	case CHANGE_MAP:
		if (!launch_slots_map(p->on, b->va, b->size, b->host, kfd_buffer_phys(b, p->on), access))
			driver_warn("cannot map %#lx bytes at %#lx; possibly out of memory", (unsigned long)b->size,
				(unsigned long)b->va);
		break;
	case CHANGE_UNMAP: launch_slots_unmap(p->on, b->va, b->size); break;
	case CHANGE_RELEASE: kfd_buffer_release(b); break;
	}
}

void kfd_memory_flush_mappings(void)
{
	kfd_buffers_lock();
	for (size_t i = 0; i < pending_count; i++)
		apply_change(&pending[i]);
	pending_count = 0;
	kfd_buffers_unlock();
}

/* Whether an older mapping of these addresses is still active in the core. */
static bool overlaps_pending_unmap(const struct buffer *b, const struct softgpu_device *on)
{
	for (size_t i = 0; i < pending_count; i++)
		if (pending[i].change == CHANGE_UNMAP && pending[i].on == on &&
			pending[i].buffer.va < b->va + b->size && b->va < pending[i].buffer.va + pending[i].buffer.size)
			return true;
	return false;
}

static bool queue_change(enum change change, struct softgpu_device *on, const struct buffer *b)
{
	if (pending_count == pending_capacity) {
		size_t capacity = pending_capacity ? pending_capacity * 2 : 64;
		struct pending *grown = realloc(pending, capacity * sizeof *grown);

		if (!grown)
			return false;
		pending = grown;
		pending_capacity = capacity;
	}
	pending[pending_count++] = (struct pending){change, on, *b};
	return true;
}

/* Applies the changes now if the device is between packets. */
static void flush_if_idle(void)
{
	if (!device_trylock())
		return;
	kfd_memory_flush_mappings();
	device_unlock();
}

static bool all_changes_applied(void)
{
	bool none;

	kfd_buffers_lock();
	none = pending_count == 0;
	kfd_buffers_unlock();
	return none;
}

/* Does not wait for the end of the running launch, which may wait for the program: the device thread applies changes
 * between two slices of it. */
static void wait_until_flushed(void)
{
	while (!all_changes_applied())
		if (device_lock_timed(FLUSH_POLL_NS)) {
			kfd_memory_flush_mappings();
			device_unlock();
		}
}

/* --- allocation --- */
/* The memory is not free yet. An allocation waits for it: its place depends on what is free, and cycles on its place.
 */
static bool has_pending_release(void)
{
	bool found = false;

	kfd_buffers_lock();
	for (size_t i = 0; i < pending_count && !found; i++)
		found = pending[i].change == CHANGE_RELEASE;
	kfd_buffers_unlock();
	return found;
}

static int init_register_buffer(struct buffer *b, struct kfd_alloc_memory *a)
{
	b->kind = BUFFER_REGISTERS;
	a->mmap_offset = a->flags & KFD_MEMORY_DOORBELL ? DOORBELL_OFFSET(b->owner->index) : HDP_REMAP_OFFSET;
	return 0;
}

static int init_memory_buffer(struct buffer *b, struct kfd_alloc_memory *a)
{
	bool is_vram = a->flags & KFD_MEMORY_VRAM, is_user = a->flags & KFD_MEMORY_USER;

	b->kind = is_vram ? BUFFER_VRAM : is_user ? BUFFER_USER : BUFFER_GTT;
	kfd_buffers_release_retained();
	if (!kfd_buffer_place(b))
		return ENOMEM;
	if (is_vram && b->size > b->owner->space.vram_total - b->owner->space.vram_used) {
		kfd_buffer_unplace(b);
		return ENOMEM;
	}
	if (is_user)
		b->host = (uint8_t *)(uintptr_t)a->mmap_offset;
	else
		b->host = b->owner->memory + b->offset, a->mmap_offset = b->offset;
	*kfd_buffer_usage(b) += b->size;
	return 0;
}

static bool is_valid_alloc(const struct kfd_alloc_memory *a)
{
	return a->size && a->va % BUFFER_PAGE == 0 && a->size % BUFFER_PAGE == 0 && a->va + a->size > a->va &&
		(!(a->flags & KFD_MEMORY_USER) || a->mmap_offset % BUFFER_PAGE == 0);
}

int kfd_memory_alloc(struct kfd_alloc_memory *a)
{
	struct buffer draft = {.owner = device_find(a->gpu_id), .flags = a->flags, .va = a->va, .size = a->size};
	int error;

	if (!is_valid_alloc(a) || !draft.owner)
		return EINVAL;
	if (a->flags & KFD_MEMORY_USER && !is_user_range_mapped((const void *)(uintptr_t)a->mmap_offset, a->size))
		return EFAULT;
	if (has_pending_release())
		wait_until_flushed();
	kfd_buffers_lock();
	if (a->flags & (KFD_MEMORY_DOORBELL | KFD_MEMORY_REMAP))
		error = init_register_buffer(&draft, a);
	else
		error = init_memory_buffer(&draft, a);
	if (!error) {
		a->handle = kfd_buffer_enter(&draft);
		error = a->handle ? 0 : ENOMEM;
	}
	kfd_buffers_unlock();
	driver_trace(TRACE_CALLS, "  va %#lx size %#lx flags %#x mmap offset %#lx: %s", a->va, a->size, a->flags,
		a->mmap_offset, error ? strerror(error) : "done");
	return error;
}

/* The host has already mapped the doorbells when it makes this call. Earlier, the device thread would protect a page
 * that is then replaced. */
static void map_doorbells(const struct buffer *b)
{
	if (b->flags & KFD_MEMORY_DOORBELL)
		doorbell_set_mapping(b->owner->index, b->va, b->size);
}

/* --- mappings --- */
/* A running kernel may see new mappings at once, since it retries an access that misses. It must not find the previous
 * mapping of these addresses. */
static int change_mapping(uint64_t handle, struct softgpu_device *on, enum change change)
{
	struct buffer *b;
	const uint32_t bit = 1u << on->index;
	bool address_reused = false;
	int error = 0;

	kfd_buffers_lock();
	b = kfd_buffer_find(handle);
	if (!b) {
		error = EINVAL;
	} else if (b->kind != BUFFER_REGISTERS && !(b->mapped & bit) == (change == CHANGE_MAP)) {
		address_reused = change == CHANGE_MAP && overlaps_pending_unmap(b, on);
		error = queue_change(change, on, b) ? 0 : ENOMEM;
		if (!error && (b->import.open || b->alias) && !b->mapped && !kfd_memory_show_import(b))
			driver_warn("cannot map shared memory: %s", strerror(errno));
	}
	if (!error)
		b->mapped = change == CHANGE_MAP ? b->mapped | bit : b->mapped & ~bit;
	if (!error && b->kind == BUFFER_REGISTERS && b->mapped)
		map_doorbells(b);
	kfd_buffers_unlock();
	if (address_reused)
		wait_until_flushed();
	else
		flush_if_idle();
	return error;
}

int kfd_memory_map(uint64_t handle, struct softgpu_device *on)
{
	return change_mapping(handle, on, CHANGE_MAP);
}

int kfd_memory_unmap(uint64_t handle, struct softgpu_device *on)
{
	return change_mapping(handle, on, CHANGE_UNMAP);
}

/* Takes the buffer from all GPUs, and then its memory. */
static void queue_release(const struct buffer *b)
{
	struct softgpu_device *d;

	for (unsigned i = 0; (d = device_at(i)); i++)
		if (b->mapped >> i & 1)
			queue_change(CHANGE_UNMAP, d, b);
	queue_change(CHANGE_RELEASE, NULL, b);
}

int kfd_memory_free(uint64_t handle)
{
	struct buffer *b;

	kfd_buffers_lock();
	b = kfd_buffer_find(handle);
	if (!b) {
		kfd_buffers_unlock();
		return EINVAL;
	}
	if (b->kind != BUFFER_REGISTERS) {
		*kfd_buffer_usage(b) -= b->alias ? 0 : b->size;
		queue_release(b);
	}
	kfd_buffer_forget(b);
	kfd_buffers_unlock();
	flush_if_idle();
	return 0;
}

/* --- usage --- */
struct kfd_memory_usage kfd_memory_usage(const struct softgpu_device *d)
{
	struct kfd_memory_usage now;

	kfd_buffers_lock();
	now = (struct kfd_memory_usage){d->space.vram_total, d->space.vram_used, d->space.gtt_used};
	kfd_buffers_unlock();
	return now;
}

uint64_t kfd_memory_committed_bytes(void)
{
	const struct softgpu_device *d;
	struct stat st;
	uint64_t bytes = 0;

	for (unsigned i = 0; (d = device_at(i)); i++)
		if (!syscall(SYS_fstat, d->render, &st))
			bytes += (uint64_t)st.st_blocks * 512;
	return bytes;
}

/* The first GPU's constant is for all. */
uint64_t kfd_memory_budget_bytes(void)
{
	const struct softgpu_device *d = device_get();
	struct sysinfo info;

	if (!d || sysinfo(&info))
		return UINT64_MAX;
	return (uint64_t)info.totalram * info.mem_unit / 100 * (uint64_t)d->model.host_memory_percent;
}

bool kfd_memory_find_mapping(uint64_t va, struct kfd_mapping *out)
{
	const struct buffer *b;
	bool found;

	kfd_buffers_lock();
	b = kfd_buffer_containing(va);
	found = b && b->mapped;
	if (found)
		*out = (struct kfd_mapping){
			b->va, b->size, b->serial, b->kind == BUFFER_VRAM && b->flags & KFD_MEMORY_EXECUTABLE};
	kfd_buffers_unlock();
	return found;
}
