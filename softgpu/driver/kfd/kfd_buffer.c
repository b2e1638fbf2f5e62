#include "softgpu/driver/kfd/kfd_buffer.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "softgpu/core/softgpu.h"
#include "softgpu/abi/kfd_abi.h"
#include "softgpu/driver/kfd/buffer_index.h"
#include "softgpu/driver/kfd/shared_memory.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/kfd/va_allocator.h"
#include "softgpu/driver/probe/driver_trace.h"

#define LARGE (UINT64_C(2) << 20) /* the Linux driver's large page */
/* Physical addresses beyond the GPU's own memory, within VM_SYSTEM and outside LAUNCH_PHYS: those of a GPU's render
 * file, and registered host memory. */
#define GTT_PHYS(gpu)  ((uint64_t)(gpu) << 38)
#define PEER_PHYS(gpu) (UINT64_C(1) << 43 | (uint64_t)(gpu) << 38)
#define USER_PHYS      (UINT64_C(1) << 45)
#define RETAINED_MAX   4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct va_allocator user;
static struct buffer *buffers; /* indexed by the low half of a handle; entry 0 is unused */
static size_t buffer_count;
static uint64_t last_serial;
static size_t lowest_free = 1;               /* no entry below it is free */
static struct buffer retained[RETAINED_MAX]; /* freed, but still open in other processes */
static size_t retained_count;

bool kfd_buffers_init(struct softgpu_device *d)
{
	uint64_t total = (uint64_t)d->model.memory_bytes & ~(BUFFER_PAGE - 1);

	d->space.vram_total = total;
	return total <= GTT_OFFSET && va_allocator_init(&d->space.vram, 0, total) &&
		va_allocator_init(&d->space.gtt, GTT_OFFSET, GTT_OFFSET + GTT_BYTES) &&
		(user.free || va_allocator_init(&user, 0, USER_PHYS));
}

void kfd_buffers_reset_in_child(void)
{
	struct softgpu_device *d;

	for (unsigned i = 0; (d = device_at(i)); i++) {
		va_allocator_destroy(&d->space.vram);
		va_allocator_destroy(&d->space.gtt);
	}
	va_allocator_destroy(&user);
	for (size_t i = 1; i < buffer_count; i++)
		if (buffers[i].kind != BUFFER_NONE && buffers[i].import.open)
			close(buffers[i].import.fd);
	retained_count = 0;
	free(buffers);
	buffers = NULL;
	buffer_count = 0;
	lowest_free = 1;
	buffer_index_reset_in_child();
	pthread_mutex_init(&lock, NULL);
}

void kfd_buffers_lock(void)
{
	pthread_mutex_lock(&lock);
}

void kfd_buffers_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

/* --- the table --- */
static struct buffer *find_entry(size_t number)
{
	return number > 0 && number < buffer_count && buffers[number].kind != BUFFER_NONE ? &buffers[number] : NULL;
}

struct buffer *kfd_buffer_find(uint64_t handle)
{
	return find_entry(handle & 0xffffffff);
}

struct buffer *kfd_buffer_containing(uint64_t va)
{
	return find_entry(buffer_index_find(va));
}

static struct buffer *find_free_entry(void)
{
	size_t i = lowest_free, capacity;
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

uint64_t kfd_buffer_handle(const struct buffer *b)
{
	return (uint64_t)b->owner->gpu_id << 32 | (uint64_t)(b - buffers);
}

uint64_t kfd_buffer_enter(const struct buffer *b)
{
	struct buffer *entry = find_free_entry();

	if (!entry || !buffer_index_add(b->va, b->size, (size_t)(entry - buffers)))
		return 0;
	*entry = *b;
	entry->serial = ++last_serial;
	lowest_free = (size_t)(entry - buffers) + 1;
	return kfd_buffer_handle(entry);
}

void kfd_buffer_forget(struct buffer *b)
{
	const size_t number = (size_t)(b - buffers);

	buffer_index_remove(b->va, number);
	b->kind = BUFFER_NONE;
	lowest_free = number < lowest_free ? number : lowest_free;
}

/* --- places --- */
static struct va_allocator *buffer_space(const struct buffer *b)
{
	return b->kind == BUFFER_VRAM ? &b->owner->space.vram : b->kind == BUFFER_GTT ? &b->owner->space.gtt : &user;
}

uint64_t *kfd_buffer_usage(const struct buffer *b)
{
	return b->kind == BUFFER_VRAM ? &b->owner->space.vram_used : &b->owner->space.gtt_used;
}

/* The memory of another GPU is reached over the link, as host memory is. */
uint64_t kfd_buffer_phys(const struct buffer *b, const struct softgpu_device *from)
{
	switch (b->kind) {
	case BUFFER_VRAM: return b->owner == from ? b->offset : VM_SYSTEM | PEER_PHYS(b->owner->index) | b->offset;
	case BUFFER_GTT: return VM_SYSTEM | GTT_PHYS(b->owner->index) | (b->offset - GTT_OFFSET);
	default: return VM_SYSTEM | USER_PHYS | b->offset;
	}
}

/* What ROCr keeps must not change the places of large buffers and of code, on which cycles depend: blocks of 2 MiB for
 * small buffers, scratch, which the host cannot access, and single pages. Blocks, scratch and code are at the upper end
 * of device memory, large buffers and single pages at the lower. */
bool kfd_buffer_place(struct buffer *b)
{
	bool hidden = b->size <= LARGE || !(b->flags & KFD_MEMORY_PUBLIC);
	bool high = b->kind == BUFFER_VRAM && b->size > BUFFER_PAGE && hidden;

	return va_allocator_take(buffer_space(b), b->size, b->size >= LARGE ? LARGE : BUFFER_PAGE, high, &b->offset);
}

void kfd_buffer_unplace(const struct buffer *b)
{
	va_allocator_release(buffer_space(b), b->offset, b->size);
}

/* --- releases --- */
/* Takes the pages and the addresses of a buffer that nothing uses any more. */
static void release_now(const struct buffer *b)
{
	if (b->alias)
		return;
	if (b->import.open) {
		munmap(b->host, b->size);
		close(b->import.fd);
	} else if (b->kind != BUFFER_USER &&
		fallocate(
			b->owner->render, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)b->offset, (off_t)b->size))
		driver_warn("cannot return %lu bytes of host memory to the system", (unsigned long)b->size);
	kfd_buffer_unplace(b);
}

void kfd_buffers_release_retained(void)
{
	size_t kept = 0;

	for (size_t i = 0; i < retained_count; i++) {
		const struct buffer *b = &retained[i];

		if (shared_memory_is_used(b->owner, b->offset, b->size)) {
			retained[kept++] = *b;
			continue;
		}
		*kfd_buffer_usage(b) -= b->size;
		release_now(b);
	}
	retained_count = kept;
}

/* The handle is withdrawn first, so nothing can open the memory after the test. Beyond RETAINED_MAX, the memory stays
 * until the end of the process. */
void kfd_buffer_release(const struct buffer *b)
{
	kfd_buffers_release_retained();
	if (b->shared) {
		shared_memory_withdraw(b->owner, b->shared - 1);
		if (shared_memory_is_used(b->owner, b->offset, b->size)) {
			*kfd_buffer_usage(b) += b->size;
			if (retained_count < RETAINED_MAX)
				retained[retained_count++] = *b;
			return;
		}
	}
	release_now(b);
}
