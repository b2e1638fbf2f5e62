#include "gpu/backends/smi/kfd_users.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/host/host_paths.h"
#include "gpu/backends/smi/other_processes.h"

enum { PARTITIONS_MAX = 8, GPUS_MAX = 64, USERS_MAX = 64 };

static unsigned long ids[PARTITIONS_MAX]; /* of the driver, "gpu_id" */
static size_t id_count;

/* --- the GPU --- */
static unsigned long read_number(const char *path)
{
	unsigned long n = 0;
	FILE *in = fopen(path, "re");
	if (in && fscanf(in, "%lu", &n) != 1)
		n = 0;
	if (in)
		fclose(in);
	return n;
}

/* location_id: bus << 8 | device << 3 | function or partition. */
static bool is_at(const char *nodes, unsigned node, const struct device_info *info)
{
	char path[512], line[128];
	unsigned long place = 0, domain = 0;
	snprintf(path, sizeof path, "%s/%u/properties", nodes, node);
	FILE *in = fopen(path, "re");
	while (in && fgets(line, sizeof line, in))
		if (sscanf(line, "location_id %lu", &place) != 1)
			sscanf(line, "domain %lu", &domain);
	if (in)
		fclose(in);
	return place >> 3 == (info->pci_bus << 5 | info->pci_device) && domain == info->pci_domain;
}

void kfd_users_find(const char *nodes, const struct device_info *info)
{
	struct kfd_gpu gpus[GPUS_MAX];
	size_t count = kfd_list_gpus(nodes, gpus, GPUS_MAX);
	id_count = 0;
	for (size_t i = 0; i < count && id_count < PARTITIONS_MAX; i++) {
		char path[512];
		snprintf(path, sizeof path, "%s/%u/gpu_id", nodes, gpus[i].node);
		if (is_at(nodes, gpus[i].node, info))
			ids[id_count++] = read_number(path);
	}
}

/* --- its users --- */
static bool is_our_gpu(unsigned long id)
{
	for (size_t i = 0; i < id_count; i++)
		if (ids[i] == id)
			return true;
	return false;
}

/* "PROCESSES/PID/queues/NUMBER/gpuid" */
static bool has_queue(const char *processes, const char *pid)
{
	char path[512];
	bool found = false;
	snprintf(path, sizeof path, "%s/%s/queues", processes, pid);
	DIR *d = opendir(path);
	for (struct dirent *f; d && !found && (f = readdir(d));) {
		if (f->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s/queues/%.20s/gpuid", processes, pid, f->d_name);
		found = is_our_gpu(read_number(path));
	}
	if (d)
		closedir(d);
	return found;
}

size_t kfd_users_list(const char *processes, unsigned *pids, size_t max)
{
	size_t count = 0;
	DIR *d = opendir(processes);
	for (struct dirent *f; d && count < max && (f = readdir(d));) {
		char *end;
		unsigned long pid = strtoul(f->d_name, &end, 10);
		if (end != f->d_name && !*end && has_queue(processes, f->d_name))
			pids[count++] = (unsigned)pid;
	}
	if (d)
		closedir(d);
	return count;
}

unsigned kfd_count_others(void)
{
	unsigned pids[USERS_MAX];
	char *processes = host_path(KFD_PROCESSES);
	size_t count = kfd_users_list(processes, pids, USERS_MAX);
	free(processes);
	return count_other_processes(pids, count);
}
