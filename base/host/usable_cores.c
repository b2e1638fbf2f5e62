#include "base/host/usable_cores.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/min_max.h"

size_t read_host_text(const char *path, char *out, size_t size)
{
	const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	const ssize_t bytes = fd < 0 ? 0 : syscall(SYS_read, fd, out, size - 1);

	if (fd >= 0)
		syscall(SYS_close, fd);
	out[bytes > 0 ? bytes : 0] = '\0';
	return bytes > 0 ? bytes : 0;
}

static unsigned count_affinity(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

/* A container's quota: "max 100000" or "400000 100000" (cgroup-v2, cpu.max). */
static unsigned count_quota(void)
{
	char text[64];
	unsigned long long quota, period;

	read_host_text("/sys/fs/cgroup/cpu.max", text, sizeof text);
	if (sscanf(text, "%llu %llu", &quota, &period) != 2 || !period)
		return UINT_MAX;
	return quota / period;
}

/* Slurm does not always bind a job to its cores. */
static unsigned count_slurm_cores(void)
{
	const char *text = getenv("SLURM_CPUS_PER_TASK");
	const int n = text ? atoi(text) : 0;

	return n > 0 ? (unsigned)n : UINT_MAX;
}

unsigned usable_cores(void)
{
	return max_u64(min_u64(min_u64(count_affinity(), count_quota()), count_slurm_cores()), 1);
}
