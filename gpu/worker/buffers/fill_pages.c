/* Maps one block of memory many times. */
#include "gpu/worker/buffers/fill_pages.h"

#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

static int block_open(const struct element_type *t, const struct fill_rule *f)
{
	int fd = memfd_create("wavedeck-block", MFD_CLOEXEC);
	void *block = fd < 0 || ftruncate(fd, FILL_PAGES_BLOCK)
		? MAP_FAILED
		: mmap(NULL, FILL_PAGES_BLOCK, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (block != MAP_FAILED) {
		fill_store(t, f, block, 0, FILL_PAGES_BLOCK / t->part);
		munmap(block, FILL_PAGES_BLOCK);
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Replaces the address range reserved at `to`. */
static bool map_blocks(int fd, char *to, size_t bytes)
{
	for (size_t at = 0, n; at < bytes; at += n) {
		n = bytes - at < FILL_PAGES_BLOCK ? bytes - at : FILL_PAGES_BLOCK;
		if (mmap(to + at, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, fd, 0) ==
			MAP_FAILED)
			return false;
	}
	return true;
}

void *fill_pages_alloc(const struct element_type *t, const struct fill_rule *f, size_t bytes)
{
	int fd = block_open(t, f);
	if (fd < 0)
		return NULL;
	void *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	bool reserved = p != MAP_FAILED, ok = reserved && map_blocks(fd, p, bytes);
	close(fd);
	if (ok) {
		madvise(p, bytes, MADV_POPULATE_READ); /* avoids page faults; no effect before Linux 5.14 */
		return p;
	}
	if (reserved)
		munmap(p, bytes);
	return NULL;
}

void fill_pages_free(void *p, size_t bytes)
{
	munmap(p, bytes);
}
