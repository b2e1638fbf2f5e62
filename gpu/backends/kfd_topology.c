#include "gpu/backends/kfd_topology.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *open_node_file(const char *nodes, unsigned node, const char *name)
{
	char path[512];
	snprintf(path, sizeof path, "%s/%u/%s", nodes, node, name);
	return fopen(path, "re");
}

/* Nodes of CPUs have the id 0. */
static bool is_gpu(const char *nodes, unsigned node)
{
	unsigned id = 0;
	FILE *in = open_node_file(nodes, node, "gpu_id");
	bool gpu = in && fscanf(in, "%u", &id) == 1 && id;
	if (in)
		fclose(in);
	return gpu;
}

/* Decimal: 10000 times the major version, 100 times the minor one, and the stepping. Names of targets have the last two
 * in hexadecimal: 90010 is gfx90a (kfd_topology.c of Linux; ROCr, topology.cpp). */
void kfd_format_arch(unsigned version, char out[DEVICE_ARCH])
{
	out[0] = 0;
	if (version)
		snprintf(out, DEVICE_ARCH, "gfx%u%x%x", version / 10000 % 100, version / 100 % 100, version % 100);
}

static void read_arch(const char *nodes, struct kfd_gpu *out)
{
	char line[128];
	unsigned v = 0;
	FILE *in = open_node_file(nodes, out->node, "properties");
	while (in && !v && fgets(line, sizeof line, in))
		sscanf(line, "gfx_target_version %u", &v);
	if (in)
		fclose(in);
	kfd_format_arch(v, out->arch);
}

static int compare_nodes(const void *a, const void *b)
{
	unsigned x = ((const struct kfd_gpu *)a)->node, y = ((const struct kfd_gpu *)b)->node;
	return x < y ? -1 : x > y;
}

size_t kfd_list_gpus(const char *nodes, struct kfd_gpu *out, size_t max)
{
	DIR *d = opendir(nodes);
	size_t count = 0;
	for (struct dirent *f; d && count < max && (f = readdir(d));) {
		char *end;
		unsigned long node = strtoul(f->d_name, &end, 10);
		if (end == f->d_name || *end || !is_gpu(nodes, (unsigned)node))
			continue;
		out[count].node = (unsigned)node;
		read_arch(nodes, &out[count++]);
	}
	if (d)
		closedir(d);
	qsort(out, count, sizeof *out, compare_nodes);
	return count;
}
