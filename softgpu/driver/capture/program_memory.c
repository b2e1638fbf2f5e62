#include "softgpu/driver/capture/program_memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "softgpu/capture/captured_launch.h"

#define MEMORY_MAX (UINT64_C(1) << 30) /* of one launch */
/* Documentation/admin-guide/mm/pagemap.rst of the Linux kernel: present, or swapped. */
#define PAGE_EXISTS (UINT64_C(3) << 62)
enum { PAGE = 4096, ENTRIES = 4096 };

static uint64_t entry[ENTRIES]; /* read last: many at once, because each launch reads those of gigabytes */
static struct program_run *runs;
static size_t run_count, run_capacity;
static uint64_t kept_bytes, run_bytes; /* those that exist; all */

static int open_pagemap(void)
{
	static int fd = -1;
	static pid_t of;

	if (of != getpid()) {
		fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
		of = getpid();
	}
	return fd;
}

/* Without the list of pages, all count as existing. */
static size_t read_entries(const uint8_t *host, size_t count, uint64_t *out)
{
	const ssize_t got =
		pread(open_pagemap(), out, count * sizeof *out, (off_t)((uintptr_t)host / PAGE * sizeof *out));

	for (size_t i = got > 0 ? (size_t)got / sizeof *out : 0; i < count; i++)
		out[i] = PAGE_EXISTS;
	return count;
}

static bool copy_run(struct program_run *r)
{
	r->before = malloc(r->bytes);
	const struct iovec to = {r->before, r->bytes}, from = {(void *)r->host, r->bytes};
	return r->before && process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)r->bytes;
}

static bool add_run(const uint8_t *host, uint64_t bytes, uint64_t at, bool exists)
{
	if (run_count == run_capacity) {
		const size_t capacity = 2 * run_capacity + 64;
		struct program_run *more = realloc(runs, capacity * sizeof *more);
		if (!more)
			return false;
		runs = more;
		run_capacity = capacity;
	}
	struct program_run *r = &runs[run_count++];
	*r = (struct program_run){at, bytes, NULL, host};
	run_bytes += bytes;
	kept_bytes += exists ? bytes : 0;
	return run_bytes <= CAPTURE_MEMORY_MAX / 2 && kept_bytes <= MEMORY_MAX && (!exists || copy_run(r));
}

/* Splits up to ENTRIES pages into runs that exist and runs that do not. */
static bool keep_pages(const uint8_t *host, size_t pages, uint64_t at)
{
	size_t first = 0;
	bool ok = true;

	read_entries(host, pages, entry);
	for (size_t i = 1; i <= pages; i++) {
		const bool exists = entry[first] & PAGE_EXISTS;
		if (i < pages && exists == !!(entry[i] & PAGE_EXISTS))
			continue;
		ok = add_run(host + first * PAGE, (i - first) * PAGE, at + first * PAGE, exists) && ok;
		first = i;
	}
	return ok;
}

bool program_memory_keep(const void *host, uint64_t bytes, uint64_t at)
{
	const uint8_t *p = host;
	bool ok = true;

	for (uint64_t done = 0; done < bytes; done += (uint64_t)ENTRIES * PAGE) {
		const uint64_t left = (bytes - done) / PAGE;
		ok = keep_pages(p + done, left < ENTRIES ? left : ENTRIES, at + done) && ok;
	}
	return ok;
}

const struct program_run *program_memory_runs(size_t *count)
{
	*count = run_count;
	return runs;
}

static bool is_zero(const uint8_t *p, uint64_t bytes)
{
	return !*p && !memcmp(p, p + 1, bytes - 1);
}

static bool pages_exist(const struct program_run *r)
{
	for (uint64_t done = 0; done < r->bytes / PAGE; done += ENTRIES) {
		const uint64_t left = r->bytes / PAGE - done, n = left < ENTRIES ? left : ENTRIES;
		read_entries(r->host + done * PAGE, n, entry);
		for (uint64_t i = 0; i < n; i++)
			if (entry[i] & PAGE_EXISTS)
				return true;
	}
	return false;
}

bool program_memory_has_changed(const struct program_run *r)
{
	if (r->before)
		return memcmp(r->before, r->host, r->bytes) != 0;
	return pages_exist(r) && !is_zero(r->host, r->bytes);
}

void program_memory_clear(void)
{
	for (size_t i = 0; i < run_count; i++)
		free(runs[i].before);
	run_count = 0;
	kept_bytes = run_bytes = 0;
}
