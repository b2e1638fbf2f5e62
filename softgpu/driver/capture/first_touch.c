#include "softgpu/driver/capture/first_touch.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "softgpu/capture/captured_launch.h"
#include "softgpu/driver/faults/fault_handler.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/kfd/softgpu_device.h"

enum { UNIT = 4096, DEVICE_PAGE = 65536 };
enum { MARK_WRITTEN = 1, MARK_PAGE = 2 };
#define DEVICE_BYTES (GTT_OFFSET + GTT_BYTES)
#define ROOM_BYTES   (UINT64_C(1) << 36) /* for the saved pages; reserved only */
#define PAGES_MAX    (1u << 24)

/* A handler may run in any thread, and calls only what is safe there. */
static atomic_flag busy = ATOMIC_FLAG_INIT;
static _Atomic bool watching;
static _Atomic unsigned ended_watches;
/* Of each page, at its first unit: 0: not touched; else MARK_PAGE times its number in `pages` + 1, and MARK_WRITTEN. */
static uint32_t *marks[GPUS_MAX];
static struct touched_page *pages;
static uint8_t *room;
static size_t page_count;
static uint64_t room_used;
static bool out_of_room;

static void *reserve(uint64_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* The device whose memory contains the address; NULL: none. */
static struct softgpu_device *find_device(const void *address)
{
	struct softgpu_device *d;

	for (unsigned i = 0; (d = device_at(i)); i++)
		if (d->memory && (uint64_t)((const uint8_t *)address - d->memory) < DEVICE_BYTES)
			return d;
	return NULL;
}

bool first_touch_offset(const void *host, uint64_t *at)
{
	const struct softgpu_device *d = find_device(host);

	if (d)
		*at = d->index * CAPTURE_DEVICE_BYTES + (uint64_t)((const uint8_t *)host - d->memory);
	return d;
}

static bool protect_device(const struct softgpu_device *d, int access)
{
	return syscall(SYS_mprotect, d->memory, DEVICE_BYTES, access) == 0;
}

static bool protect_all(int access)
{
	struct softgpu_device *d;
	bool ok = true;

	for (unsigned i = 0; (d = device_at(i)); i++)
		ok = protect_device(d, access) && ok;
	return ok;
}

/* --- saving a page --- */
/* A page without data in the file is zero, and stays without. */
static bool has_data(const struct softgpu_device *d, uint64_t offset, uint64_t bytes)
{
	const off_t data = lseek(d->render, (off_t)offset, SEEK_DATA);

	return data >= 0 && (uint64_t)data < offset + bytes;
}

static bool save_page(struct softgpu_device *d, uint64_t offset, uint64_t bytes)
{
	struct touched_page *p = &pages[page_count];

	if (page_count == PAGES_MAX || room_used + bytes > ROOM_BYTES) {
		out_of_room = true;
		return false;
	}
	*p = (struct touched_page){d->index * CAPTURE_DEVICE_BYTES + offset, bytes, NULL, d->memory + offset, false};
	if (has_data(d, offset, bytes)) {
		p->before = room + room_used;
		memcpy(p->before, p->now, bytes);
		room_used += bytes;
	}
	page_count++;
	return true;
}

/* Device memory, then host memory. */
static uint64_t page_bytes(uint64_t offset)
{
	return offset < GTT_OFFSET ? DEVICE_PAGE : UNIT;
}

static void touch_page(struct softgpu_device *d, uint64_t offset, bool write)
{
	const uint64_t bytes = page_bytes(offset), start = offset / bytes * bytes;
	uint32_t *mark = &marks[d->index][start / UNIT];

	if (!*mark) {
		syscall(SYS_mprotect, d->memory + start, bytes, PROT_READ);
		if (!save_page(d, start, bytes))
			write = true; /* the launch goes on, and is not kept */
		*mark = (uint32_t)page_count * MARK_PAGE;
	}
	if (!write || *mark & MARK_WRITTEN)
		return;
	if (!out_of_room)
		pages[*mark / MARK_PAGE - 1].written = true;
	*mark |= MARK_WRITTEN;
	syscall(SYS_mprotect, d->memory + start, bytes, PROT_READ | PROT_WRITE);
}

static void lock_pages(void)
{
	while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
		;
}

static void unlock_pages(void)
{
	atomic_flag_clear_explicit(&busy, memory_order_release);
}

/* A watch may end between a fault and its handler: then the access can go on. It does so once for each watch, because
 * memory may be lost for other reasons. */
static bool has_watch_ended(void)
{
	static __thread unsigned seen;
	const bool is_new = seen != ended_watches;

	seen = ended_watches;
	return is_new;
}

bool first_touch_take_fault(void *address, bool write)
{
	struct softgpu_device *d = watching || ended_watches ? find_device(address) : NULL;

	if (!d)
		return false;
	lock_pages();
	const bool goes_on = watching || has_watch_ended();
	if (watching)
		touch_page(d, (uint64_t)((uint8_t *)address - d->memory), write);
	unlock_pages();
	return goes_on;
}

void first_touch_keep(const void *host, uint64_t bytes)
{
	struct softgpu_device *d = find_device(host);

	if (!d)
		return;
	const uint64_t first = (uint64_t)((const uint8_t *)host - d->memory);
	lock_pages();
	for (uint64_t at = first; at < first + bytes; at = (at / page_bytes(at) + 1) * page_bytes(at))
		touch_page(d, at, false);
	unlock_pages();
}

/* --- begin and end --- */
static bool open_room(void)
{
	struct softgpu_device *d;

	if (!room)
		room = reserve(ROOM_BYTES);
	if (!pages)
		pages = reserve(PAGES_MAX * sizeof *pages);
	for (unsigned i = 0; (d = device_at(i)); i++) {
		if (!marks[i])
			marks[i] = reserve(DEVICE_BYTES / UNIT * sizeof **marks);
		if (!marks[i])
			return false;
	}
	return room && pages;
}

static void forget_pages(void)
{
	for (unsigned i = 0; out_of_room && i < GPUS_MAX; i++)
		if (marks[i])
			madvise(marks[i], DEVICE_BYTES / UNIT * sizeof **marks, MADV_DONTNEED);
	for (size_t i = 0; i < page_count; i++) {
		const uint64_t device = pages[i].at / CAPTURE_DEVICE_BYTES;
		marks[device][pages[i].at % CAPTURE_DEVICE_BYTES / UNIT] = 0;
	}
	page_count = 0;
	room_used = 0;
	out_of_room = false;
}

bool first_touch_begin(void)
{
	fault_handler_install();
	if (!open_room())
		return false;
	forget_pages();
	watching = true;
	if (fault_handler_is_installed() && protect_all(PROT_NONE))
		return true;
	protect_all(PROT_READ | PROT_WRITE);
	watching = false;
	return false;
}

static int compare_pages(const void *a, const void *b)
{
	const struct touched_page *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

const struct touched_page *first_touch_end(size_t *count, bool *lost)
{
	lock_pages();
	protect_all(PROT_READ | PROT_WRITE);
	watching = false;
	ended_watches++;
	unlock_pages();
	qsort(pages, page_count, sizeof *pages, compare_pages);
	*lost = out_of_room;
	*count = out_of_room ? 0 : page_count;
	return *count ? pages : NULL;
}
