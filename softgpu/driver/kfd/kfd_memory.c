#include "softgpu/driver/kfd/kfd_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "softgpu/driver/kfd/kfd_abi.h"
#include "softgpu/driver/kfd/shared_memory.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/queues/doorbell.h"
#include "softgpu/driver/queues/launch_slots.h"
#include "softgpu/driver/kfd/va_allocator.h"
#include "softgpu/driver/probe/driver_trace.h"

#define PAGE  UINT64_C(4096)
#define LARGE (UINT64_C(2) << 20) /* the Linux driver's large page */
/* Physical addresses beyond the GPU's own memory, within VM_SYSTEM: those of a GPU's render file, and registered host
 * memory. */
#define GTT_PHYS(gpu)  ((uint64_t)(gpu) << 38)
#define PEER_PHYS(gpu) (UINT64_C(1) << 44 | (uint64_t)(gpu) << 38)
#define USER_PHYS      (UINT64_C(1) << 45)
/* For libhsakmt's mapping of imported memory, which is replaced (map_import). No byte of a GPU's file is there. */
#define IMPORT_OFFSET (UINT64_C(1) << 40)
#define RETAINED_MAX  4096
#define FLUSH_POLL_NS 20000 /* between checks whether the device thread has applied the changes */

enum buffer_kind { BUFFER_NONE, BUFFER_VRAM, BUFFER_GTT, BUFFER_USER, BUFFER_REGISTERS };

struct buffer {
	enum buffer_kind kind;
	struct softgpu_device *owner; /* the GPU in whose file it is */
	uint32_t mapped;              /* a bit for each GPU */
	uint32_t flags;
	uint64_t va, size;
	uint64_t offset; /* in VRAM, GTT or user space */
	uint8_t *host;
	uint32_t shared; /* 1 + its entry in the table of what other processes may open; 0: none */
	struct {
		bool open;
		int fd;
		uint64_t offset; /* in that file */
	} import;                /* of another process */
};

enum change { CHANGE_MAP, CHANGE_UNMAP, CHANGE_RELEASE };
struct pending {
	enum change change;
	struct softgpu_device *on; /* not for CHANGE_RELEASE */
	struct buffer buffer;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct va_allocator user;
static struct buffer *buffers; /* indexed by the low half of a handle; entry 0 is unused */
static size_t buffer_count;
static struct pending *pending;
static size_t pending_count, pending_capacity;
static struct buffer retained[RETAINED_MAX]; /* freed, but still open in other processes */
static size_t retained_count;

bool kfd_memory_init(struct softgpu_device *d)
{
	uint64_t total = (uint64_t)d->model.memory_bytes & ~(PAGE - 1);

	d->space.vram_total = total;
	return total <= GTT_OFFSET && va_allocator_init(&d->space.vram, 0, total) &&
		va_allocator_init(&d->space.gtt, GTT_OFFSET, GTT_OFFSET + GTT_BYTES) &&
		(user.free || va_allocator_init(&user, 0, USER_PHYS));
}

void kfd_memory_reset_in_child(void)
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
	free(pending);
	buffers = NULL;
	pending = NULL;
	buffer_count = pending_count = pending_capacity = 0;
	pthread_mutex_init(&lock, NULL);
}

/* --- the core's view --- */
/* The memory of another GPU is reached over the link, as host memory is. */
static uint64_t buffer_phys(const struct buffer *b, const struct softgpu_device *from)
{
	switch (b->kind) {
	case BUFFER_VRAM: return b->owner == from ? b->offset : VM_SYSTEM | PEER_PHYS(b->owner->index) | b->offset;
	case BUFFER_GTT: return VM_SYSTEM | GTT_PHYS(b->owner->index) | (b->offset - GTT_OFFSET);
	default: return VM_SYSTEM | USER_PHYS | b->offset;
	}
}

static struct va_allocator *buffer_space(const struct buffer *b)
{
	return b->kind == BUFFER_VRAM ? &b->owner->space.vram : b->kind == BUFFER_GTT ? &b->owner->space.gtt : &user;
}

static uint64_t *buffer_usage(const struct buffer *b)
{
	return b->kind == BUFFER_VRAM ? &b->owner->space.vram_used : &b->owner->space.gtt_used;
}

/* Takes the pages and the addresses of a buffer that nothing uses any more. */
static void release_now(const struct buffer *b)
{
	if (b->import.open) {
		munmap(b->host, b->size);
		close(b->import.fd);
	} else if (b->kind != BUFFER_USER &&
		fallocate(
			b->owner->render, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)b->offset, (off_t)b->size))
		driver_warn("cannot return %lu bytes of host memory to the system", (unsigned long)b->size);
	va_allocator_release(buffer_space(b), b->offset, b->size);
}

static void release_retained(void)
{
	size_t kept = 0;

	for (size_t i = 0; i < retained_count; i++) {
		const struct buffer *b = &retained[i];

		if (shared_memory_is_used(b->owner, b->offset, b->size)) {
			retained[kept++] = *b;
			continue;
		}
		*buffer_usage(b) -= b->size;
		release_now(b);
	}
	retained_count = kept;
}

/* The handle is withdrawn first, so nothing can open the memory after the test. */
static void release_buffer(const struct buffer *b)
{
	release_retained();
	if (b->shared) {
		shared_memory_withdraw(b->owner, b->shared - 1);
		if (shared_memory_is_used(b->owner, b->offset, b->size) && retained_count < RETAINED_MAX) {
			*buffer_usage(b) += b->size;
			retained[retained_count++] = *b;
			return;
		}
	}
	release_now(b);
}

static void apply_change(const struct pending *p)
{
	const struct buffer *b = &p->buffer;
	unsigned access = VM_READ | (b->flags & KFD_MEMORY_WRITABLE ? VM_WRITE : 0) |
		(b->flags & KFD_MEMORY_EXECUTABLE ? VM_EXEC : 0);

	switch (p->change) {
	case CHANGE_MAP:
		if (!launch_slots_map(p->on, b->va, b->size, b->host, buffer_phys(b, p->on), access))
			driver_warn("cannot map %#lx bytes at %#lx; possibly out of memory", (unsigned long)b->size,
				(unsigned long)b->va);
		break;
	case CHANGE_UNMAP: launch_slots_unmap(p->on, b->va, b->size); break;
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
	a->mmap_offset = a->flags & KFD_MEMORY_DOORBELL ? DOORBELL_OFFSET(b->owner->index) : HDP_REMAP_OFFSET;
	return 0;
}

/* Tries with the currently free memory; if that fails, once more after pending frees. */
static int init_memory_buffer(struct buffer *b, struct kfd_alloc_memory *a)
{
	bool is_vram = a->flags & KFD_MEMORY_VRAM, is_user = a->flags & KFD_MEMORY_USER;

	b->kind = is_vram ? BUFFER_VRAM : is_user ? BUFFER_USER : BUFFER_GTT;
	if (retained_count)
		release_retained();
	if (!place_buffer(b)) {
		pthread_mutex_unlock(&lock);
		wait_until_flushed();
		pthread_mutex_lock(&lock);
		if (!place_buffer(b))
			return ENOMEM;
	}
	if (is_vram && b->size > b->owner->space.vram_total - b->owner->space.vram_used) {
		va_allocator_release(buffer_space(b), b->offset, b->size);
		return ENOMEM;
	}
	if (is_user)
		b->host = (uint8_t *)(uintptr_t)a->mmap_offset;
	else
		b->host = b->owner->memory + b->offset, a->mmap_offset = b->offset;
	*buffer_usage(b) += b->size;
	return 0;
}

static bool is_valid_alloc(const struct kfd_alloc_memory *a)
{
	return a->size && a->va % PAGE == 0 && a->size % PAGE == 0 && a->va + a->size > a->va &&
		(!(a->flags & KFD_MEMORY_USER) || a->mmap_offset % PAGE == 0);
}

int kfd_memory_alloc(struct kfd_alloc_memory *a)
{
	struct buffer draft = {.owner = device_find(a->gpu_id), .flags = a->flags, .va = a->va, .size = a->size}, *b;
	int error;

	if (!is_valid_alloc(a) || !draft.owner)
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
		doorbell_set_mapping(b->owner->index, b->va, b->size);
}

/* --- other processes --- */
/* The same handle for the same buffer. */
int kfd_memory_export(struct kfd_ipc_export *a)
{
	struct buffer *b;
	int error = EINVAL;

	pthread_mutex_lock(&lock);
	b = find_memory_buffer(a->handle);
	if (b && (b->kind == BUFFER_VRAM || b->kind == BUFFER_GTT) && !b->import.open) {
		struct shared_range r = {
			.offset = b->offset, .size = b->size, .flags = b->flags, .runtime_flags = a->flags};
		uint32_t entry = b->shared - 1;

		error = b->shared ? 0 : shared_memory_enter(b->owner, &r, &entry);
		if (!error) {
			b->shared = entry + 1;
			shared_memory_make_handle(b->owner, entry, a->share_handle);
		}
	}
	pthread_mutex_unlock(&lock);
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
	if (place_buffer(b))
		return 0;
	munmap(b->host, b->size);
	return ENOMEM;
}

int kfd_memory_import(struct kfd_ipc_import *a)
{
	struct buffer draft = {.va = a->va}, *b = NULL;
	struct shared_range r;
	int error = a->va % PAGE ? EINVAL : shared_memory_open(a->share_handle, &r, &draft.import.fd);

	if (error)
		return error;
	draft.owner = device_at(r.gpu);
	draft.size = r.size;
	draft.flags = r.flags;
	pthread_mutex_lock(&lock);
	error = init_import(&draft, &r);
	b = error ? NULL : new_buffer_slot();
	if (b) {
		*b = draft;
		*buffer_usage(b) += b->size;
		a->handle = (uint64_t)b->owner->gpu_id << 32 | (uint64_t)(b - buffers);
		a->gpu_id = b->owner->gpu_id;
		a->flags = r.runtime_flags;
		a->mmap_offset = IMPORT_OFFSET;
	} else if (error) {
		close(draft.import.fd);
	} else {
		release_now(&draft);
		error = ENOMEM;
	}
	pthread_mutex_unlock(&lock);
	return error;
}

/* The program's view of it. libhsakmt has mapped the GPU's own file there, because it knows no other, before it maps
 * the memory to GPUs. */
static bool map_import(const struct buffer *b)
{
	return map_shared_range(b, (void *)(uintptr_t)b->va) != NULL;
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

	pthread_mutex_lock(&lock);
	b = find_memory_buffer(handle);
	if (!b) {
		error = EINVAL;
	} else if (b->kind != BUFFER_REGISTERS && !(b->mapped & bit) == (change == CHANGE_MAP)) {
		address_reused = change == CHANGE_MAP && overlaps_pending_unmap(b, on);
		error = queue_change(change, on, b) ? 0 : ENOMEM;
		if (!error && b->import.open && !b->mapped && !map_import(b))
			driver_warn("cannot map the memory of another process: %s", strerror(errno));
	}
	if (!error)
		b->mapped = change == CHANGE_MAP ? b->mapped | bit : b->mapped & ~bit;
	if (!error && b->kind == BUFFER_REGISTERS && b->mapped)
		map_doorbells(b);
	pthread_mutex_unlock(&lock);
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

	pthread_mutex_lock(&lock);
	b = find_memory_buffer(handle);
	if (!b) {
		pthread_mutex_unlock(&lock);
		return EINVAL;
	}
	if (b->kind != BUFFER_REGISTERS) {
		*buffer_usage(b) -= b->size;
		queue_release(b);
	}
	b->kind = BUFFER_NONE;
	pthread_mutex_unlock(&lock);
	flush_if_idle();
	return 0;
}

/* --- usage --- */
struct kfd_memory_usage kfd_memory_usage(const struct softgpu_device *d)
{
	struct kfd_memory_usage now;

	pthread_mutex_lock(&lock);
	now = (struct kfd_memory_usage){d->space.vram_total, d->space.vram_used, d->space.gtt_used};
	pthread_mutex_unlock(&lock);
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
