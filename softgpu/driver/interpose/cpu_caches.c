#include "softgpu/driver/interpose/cpu_caches.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "softgpu/driver/interpose/vfs.h"

#define CPUS "/sys/devices/system/cpu"

/* Levels and types as in Documentation/ABI/testing/sysfs-devices-system-cpu of the Linux kernel. */
static const struct {
	int level;
	const char *type;
	int size, ways, line; /* of sysconf */
} caches[] = {
	{1, "Data", _SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL1_DCACHE_ASSOC, _SC_LEVEL1_DCACHE_LINESIZE},
	{1, "Instruction", _SC_LEVEL1_ICACHE_SIZE, _SC_LEVEL1_ICACHE_ASSOC, _SC_LEVEL1_ICACHE_LINESIZE},
	{2, "Unified", _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL2_CACHE_ASSOC, _SC_LEVEL2_CACHE_LINESIZE},
	{3, "Unified", _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL3_CACHE_ASSOC, _SC_LEVEL3_CACHE_LINESIZE},
};

enum { CACHES = sizeof caches / sizeof *caches, MAP_BITS = 32 };

/* The C library does not know who shares a cache: all processors the third level, none the others. */
static void find_sharers(unsigned cpu, unsigned cache, unsigned *first, unsigned *last)
{
	bool shared = caches[cache].level == 3;

	*first = shared ? 0 : cpu;
	*last = shared ? (unsigned)get_nprocs_conf() - 1 : cpu;
}

static void write_shared_map(struct strbuf *t, unsigned first, unsigned last)
{
	for (unsigned word = ((unsigned)get_nprocs_conf() - 1) / MAP_BITS + 1; word--;) {
		unsigned bits = 0;

		for (unsigned i = 0; i < MAP_BITS; i++)
			if (word * MAP_BITS + i >= first && word * MAP_BITS + i <= last)
				bits |= 1u << i;
		strbuf_printf(t, "%08x%s", bits, word ? "," : "\n");
	}
}

/* `number`: of the cache, counted over all processors. */
static void write_cache_file(struct strbuf *t, const char *file, unsigned number)
{
	unsigned cache = number % CACHES, first, last;

	find_sharers(number / CACHES, cache, &first, &last);
	if (!strcmp(file, "level"))
		strbuf_printf(t, "%d\n", caches[cache].level);
	else if (!strcmp(file, "type"))
		strbuf_printf(t, "%s\n", caches[cache].type);
	else if (!strcmp(file, "size"))
		strbuf_printf(t, "%ldK\n", sysconf(caches[cache].size) / 1024);
	else if (!strcmp(file, "ways_of_associativity"))
		strbuf_printf(t, "%ld\n", sysconf(caches[cache].ways));
	else if (!strcmp(file, "coherency_line_size"))
		strbuf_printf(t, "%ld\n", sysconf(caches[cache].line));
	else if (!strcmp(file, "physical_line_partition"))
		strbuf_printf(t, "1\n");
	else if (!strcmp(file, "shared_cpu_map"))
		write_shared_map(t, first, last);
	else if (first == last)
		strbuf_printf(t, "%u\n", first);
	else
		strbuf_printf(t, "%u-%u\n", first, last);
}

static void add_cache(unsigned cpu, unsigned cache)
{
	static const char *const files[] = {"level", "type", "size", "ways_of_associativity", "coherency_line_size",
		"physical_line_partition", "shared_cpu_map", "shared_cpu_list"};
	char path[128];

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		snprintf(path, sizeof path, CPUS "/cpu%u/cache/index%u/%s", cpu, cache, files[i]);
		vfs_add(path, VFS_FILE, files[i], write_cache_file, (int)(cpu * CACHES + cache));
	}
}

void cpu_caches_add_files(void)
{
	/* Not access, which is a hook and waits for this tree. */
	if (!syscall(SYS_faccessat, AT_FDCWD, CPUS "/cpu0/cache/index0", F_OK))
		return;
	for (unsigned cpu = 0; cpu < (unsigned)get_nprocs_conf(); cpu++)
		for (unsigned cache = 0; cache < CACHES; cache++)
			add_cache(cpu, cache);
}
