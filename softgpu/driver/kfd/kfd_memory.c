#include "softgpu/driver/kfd/kfd_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "softgpu/driver/kfd/kfd_abi.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/queues/doorbell.h"
#include "softgpu/driver/queues/launch_slots.h"
#include "softgpu/driver/kfd/va_allocator.h"
#include "softgpu/driver/probe/driver_trace.h"

#define PAGE          UINT64_C(4096)
#define LARGE         (UINT64_C(2) << 20) /* the Linux driver's large page */
#define USER_PHYS     (UINT64_C(1) << 45) /* registered host memory, within VM_SYSTEM */
#define FLUSH_POLL_NS 20000               /* between checks whether the device thread has applied the changes */

enum buffer_kind { BUFFER_NONE, BUFFER_VRAM, BUFFER_GTT, BUFFER_USER, BUFFER_REGISTERS };

struct buffer {
	enum buffer_kind kind;
	bool mapped;
	uint32_t flags;
	uint64_t va, size;
	uint64_t offset; /* in VRAM, GTT or user space */
	uint8_t *host;
};

enum change { CHANGE_MAP, CHANGE_UNMAP, CHANGE_RELEASE };
struct pending {
	enum change change;
	struct buffer buffer;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct softgpu_device *dev;
static struct va_allocator vram, gtt, user;
static struct buffer *buffers; /* indexed by the low half of a handle; entry 0 is unused */
static size_t buffer_count;
static struct pending *pending;
static size_t pending_count, pending_capacity;
static struct kfd_memory_usage usage;

bool kfd_memory_init(struct softgpu_device *d)
{
	uint64_t total = (uint64_t)d->model.memory_bytes & ~(PAGE - 1);

	dev = d;
	usage = (struct kfd_memory_usage){.vram_total = total};
	return total <= GTT_OFFSET && va_allocator_init(&vram, 0, total) &&
		va_allocator_init(&gtt, GTT_OFFSET, GTT_OFFSET + GTT_BYTES) && va_allocator_init(&user, 0, USER_PHYS);
}

void kfd_memory_reset_in_child(void)
{
	va_allocator_destroy(&vram);
	va_allocator_destroy(&gtt);
	va_allocator_destroy(&user);
	free(buffers);
	free(pending);
	buffers = NULL;
	pending = NULL;
	buffer_count = pending_count = pending_capacity = 0;
	pthread_mutex_init(&lock, NULL);
}

/* --- the core's view --- */
static uint64_t buffer_phys(const struct buffer *b)
{
	switch (b->kind) {
	case BUFFER_VRAM: return b->offset;
	case BUFFER_GTT: return VM_SYSTEM | (b->offset - GTT_OFFSET);
	default: return VM_SYSTEM | USER_PHYS | b->offset;
	}
}

static struct va_allocator *buffer_space(const struct buffer *b)
{
	return b->kind == BUFFER_VRAM ? &vram : b->kind == BUFFER_GTT ? &gtt : &user;
}

static void release_buffer(const struct buffer *b)
{
	if (b->kind != BUFFER_USER &&
		fallocate(dev->render, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)b->offset, (off_t)b->size))
		driver_warn("cannot return %lu bytes of host memory to the system", (unsigned long)b->size);
	va_allocator_release(buffer_space(b), b->offset, b->size);
}

static void apply_change(const struct pending *p)
{
	const struct buffer *b = &p->buffer;
	unsigned access = VM_READ | (b->flags & KFD_MEMORY_WRITABLE ? VM_WRITE : 0) |
		(b->flags & KFD_MEMORY_EXECUTABLE ? VM_EXEC : 0);

	switch (p->change) {
	case CHANGE_MAP:
		if (!launch_slots_map(dev, b->va, b->size, b->host, buffer_phys(b), access))
			driver_warn("cannot map %#lx bytes at %#lx; possibly out of memory", (unsigned long)b->size,
				(unsigned long)b->va);
		break;
	case CHANGE_UNMAP: launch_slots_unmap(dev, b->va, b->size); break;
	case CHANGE_RELEASE: release_buffer(b); break;
	}
}

void kfd_memory_flush_mappings(void)
{
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < pending_count; i++)
		apply_change(&pending[i]);
	pending_count = 0;
	pthread_mutex_unlock(&lock);
}

/* Whether an older mapping of these addresses is still active in the core. */
static bool overlaps_pending_unmap(const struct buffer *b)
{
	for (size_t i = 0; i < pending_count; i++)
		if (pending[i].change == CHANGE_UNMAP && pending[i].buffer.va < b->va + b->size &&
			b->va < pending[i].buffer.va + pending[i].buffer.size)
			return true;
	return false;
}

static bool queue_change(enum change change, const struct buffer *b)
{
	if (pending_count == pending_capacity) {
		size_t capacity = pending_capacity ? pending_capacity * 2 : 64;
		struct pending *grown = realloc(pending, capacity * sizeof *grown);

		if (!grown)
			return false;
		pending = grown;
		pending_capacity = capacity;
	}
	pending[pending_count++] = (struct pending){change, *b};
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

	pthread_mutex_lock(&lock);
	none = pending_count == 0;
	pthread_mutex_unlock(&lock);
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

/* --- buffers --- */
static struct buffer *find_memory_buffer(uint64_t handle)
{
	size_t i = handle & 0xffffffff;

	return i > 0 && i < buffer_count && buffers[i].kind != BUFFER_NONE ? &buffers[i] : NULL;
}

static struct buffer *new_buffer_slot(void)
{
	size_t i = 1, capacity;
	struct buffer *grown;

	while (i < buffer_count && buffers[i].kind != BUFFER_NONE)
		i++;
	if (i < buffer_count)
		return &buffers[i];
	capacity = buffer_count ? buffer_count * 2 : 256;
	grown = realloc(buffers, capacity * sizeof *grown);
	if (!grown)
		return NULL;
	memset(grown + buffer_count, 0, (capacity - buffer_count) * sizeof *grown);
	i = buffer_count ? buffer_count : 1;
	buffers = grown;
	buffer_count = capacity;
	return &buffers[i];
}

static bool place_buffer(struct buffer *b)
{
	bool large = b->size >= LARGE;

	return va_allocator_take(
		buffer_space(b), b->size, large ? LARGE : PAGE, b->kind == BUFFER_VRAM && !large, &b->offset);
}

static int init_register_buffer(struct buffer *b, struct kfd_alloc_memory *a)
{
	b->kind = BUFFER_REGISTERS;
	a->mmap_offset = a->flags & KFD_MEMORY_DOORBELL ? DOORBELL_OFFSET : HDP_REMAP_OFFSET;
	return 0;
}

/* Tries with the currently free memory; if that fails, once more after pending frees. */
static int init_memory_buffer(struct buffer *b, struct kfd_alloc_memory *a)
{
	bool is_vram = a->flags & KFD_MEMORY_VRAM, is_user = a->flags & KFD_MEMORY_USER;

	b->kind = is_vram ? BUFFER_VRAM : is_user ? BUFFER_USER : BUFFER_GTT;
	if (!place_buffer(b)) {
		pthread_mutex_unlock(&lock);
		wait_until_flushed();
		pthread_mutex_lock(&lock);
		if (!place_buffer(b))
			return ENOMEM;
	}
	if (is_vram && b->size > usage.vram_total - usage.vram) {
		va_allocator_release(buffer_space(b), b->offset, b->size);
		return ENOMEM;
	}
	if (is_user)
		b->host = (uint8_t *)(uintptr_t)a->mmap_offset;
	else
		b->host = dev->memory + b->offset, a->mmap_offset = b->offset;
	*(is_vram ? &usage.vram : &usage.gtt) += b->size;
	return 0;
}

static bool is_valid_alloc(const struct kfd_alloc_memory *a)
{
	return a->size && a->va % PAGE == 0 && a->size % PAGE == 0 && a->va + a->size > a->va &&
		(!(a->flags & KFD_MEMORY_USER) || a->mmap_offset % PAGE == 0);
}

int kfd_memory_alloc(struct kfd_alloc_memory *a)
{
	struct buffer draft = {.flags = a->flags, .va = a->va, .size = a->size}, *b;
	int error;

	if (!is_valid_alloc(a))
		return EINVAL;
	pthread_mutex_lock(&lock);
	if (a->flags & (KFD_MEMORY_DOORBELL | KFD_MEMORY_REMAP))
		error = init_register_buffer(&draft, a);
	else
		error = init_memory_buffer(&draft, a);
	b = error ? NULL : new_buffer_slot();
	if (b) {
		*b = draft;
		a->handle = (uint64_t)a->gpu_id << 32 | (uint64_t)(b - buffers);
	} else if (!error) {
		error = ENOMEM;
	}
	pthread_mutex_unlock(&lock);
	driver_trace(TRACE_CALLS, "  va %#lx size %#lx flags %#x mmap offset %#lx: %s", a->va, a->size, a->flags,
		a->mmap_offset, error ? strerror(error) : "done");
	return error;
}

/* The host has already mapped the doorbells when it makes this call. Earlier, the device thread would protect a page
 * that is then replaced. */
static void map_doorbells(const struct buffer *b)
{
	if (b->flags & KFD_MEMORY_DOORBELL)
		doorbell_set_mapping(b->va, b->size);
}

/* A running kernel may see new mappings at once, since it retries an access that misses. It must not find the previous
 * mapping of these addresses. */
static int change_mapping(uint64_t handle, enum change change)
{
	struct buffer *b;
	bool address_reused = false;
	int error = 0;

	pthread_mutex_lock(&lock);
	b = find_memory_buffer(handle);
	if (!b) {
		error = EINVAL;
	} else if (b->kind != BUFFER_REGISTERS && b->mapped != (change == CHANGE_MAP)) {
		address_reused = change == CHANGE_MAP && overlaps_pending_unmap(b);
		error = queue_change(change, b) ? 0 : ENOMEM;
	}
	if (!error)
		b->mapped = change == CHANGE_MAP;
	if (!error && b->kind == BUFFER_REGISTERS && b->mapped)
		map_doorbells(b);
	pthread_mutex_unlock(&lock);
	if (address_reused)
		wait_until_flushed();
	else
		flush_if_idle();
	return error;
}

int kfd_memory_map(uint64_t handle)
{
	return change_mapping(handle, CHANGE_MAP);
}

int kfd_memory_unmap(uint64_t handle)
{
	return change_mapping(handle, CHANGE_UNMAP);
}

int kfd_memory_free(uint64_t handle)
{
	struct buffer *b;

	pthread_mutex_lock(&lock);
	b = find_memory_buffer(handle);
	if (!b) {
		pthread_mutex_unlock(&lock);
		return EINVAL;
	}
	if (b->kind != BUFFER_REGISTERS) {
		*(b->kind == BUFFER_VRAM ? &usage.vram : &usage.gtt) -= b->size;
		if (b->mapped)
			queue_change(CHANGE_UNMAP, b);
		queue_change(CHANGE_RELEASE, b);
	}
	b->kind = BUFFER_NONE;
	pthread_mutex_unlock(&lock);
	flush_if_idle();
	return 0;
}

/* --- usage --- */
struct kfd_memory_usage kfd_memory_usage(void)
{
	struct kfd_memory_usage now;

	pthread_mutex_lock(&lock);
	now = usage;
	pthread_mutex_unlock(&lock);
	return now;
}

uint64_t kfd_memory_committed_bytes(void)
{
	struct stat st;

	return dev && !syscall(SYS_fstat, dev->render, &st) ? (uint64_t)st.st_blocks * 512 : 0;
}

uint64_t kfd_memory_budget_bytes(void)
{
	struct sysinfo info;

	if (!dev || sysinfo(&info))
		return UINT64_MAX;
	return (uint64_t)info.totalram * info.mem_unit / 100 * (uint64_t)dev->model.host_memory_percent;
}

bool kfd_memory_find_mapping(uint64_t va, uint64_t *start, uint64_t *size)
{
	bool found = false;

	pthread_mutex_lock(&lock);
	for (size_t i = 1; i < buffer_count && !found; i++) {
		const struct buffer *b = &buffers[i];

		found = b->kind != BUFFER_NONE && b->mapped && va - b->va < b->size;
		if (found)
			*start = b->va, *size = b->size;
	}
	pthread_mutex_unlock(&lock);
	return found;
}
