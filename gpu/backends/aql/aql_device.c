/* Opens a GPU by the kernel driver's interface, and maps its memory. */
#include "gpu/backends/aql/aql_device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "base/buf.h"
#include "softgpu/abi/kfd_abi.h"

enum { PAGE = 4096, LARGE_PAGE = 2 << 20, NODES_MAX = 16, DOORBELL_BYTES = 8192, NORMAL_PRIORITY = 7 };
enum {
	CREATE_QUEUE = 0x02,
	GET_CLOCK_COUNTERS = 0x05,
	ACQUIRE_VM = 0x15,
	ALLOC_MEMORY = 0x16,
	FREE_MEMORY = 0x17,
	MAP_MEMORY = 0x18,
	UNMAP_MEMORY = 0x19
}; /* linux/kfd_ioctl.h */

struct aql_memory {
	struct aql_memory *next;
	void *at;
	size_t bytes;
	uint64_t handle;
};

bool aql_device_request(
	const struct aql_device *d, unsigned number, void *argument, size_t size, const char *what, struct err *e)
{
	return !ioctl(d->kfd, _IOC(_IOC_READ | _IOC_WRITE, KFD_IOCTL_TYPE, number, size), argument) ||
		err_set(e, ST_FAILED, "the kernel driver refuses to %s: %s", what, strerror(errno));
}

/* --- topology --- */
static FILE *open_node_file(unsigned node, const char *file)
{
	char path[200];
	snprintf(path, sizeof path, "/sys/class/kfd/kfd/topology/nodes/%u/%s", node, file);
	return fopen(path, "re");
}

uint64_t aql_device_property(const struct aql_device *d, const char *file, const char *key)
{
	FILE *in = open_node_file(d->node, file);
	char line[200], name[80];
	unsigned long long value = 0;
	bool found = false;
	while (in && !found && fgets(line, sizeof line, in))
		found = sscanf(line, "%79s %llu", name, &value) == 2 && !strcmp(name, key);
	if (in)
		fclose(in);
	return found ? value : 0;
}

/* Nodes of CPUs have the id 0. */
static bool find_gpu(struct aql_device *d)
{
	for (d->node = 0; d->node < NODES_MAX; d->node++) {
		FILE *in = open_node_file(d->node, "gpu_id");
		unsigned id = 0;
		bool gpu = in && fscanf(in, "%u", &id) == 1 && id;
		if (in)
			fclose(in);
		d->gpu_id = id;
		if (gpu)
			return true;
	}
	return false;
}

/* --- open --- */
static bool read_counters(const struct aql_device *d, struct kfd_clock_counters *out, struct err *e)
{
	*out = (struct kfd_clock_counters){.gpu_id = d->gpu_id};
	return aql_device_request(d, GET_CLOCK_COUNTERS, out, sizeof *out, "read its clocks", e);
}

static bool measure_tick(struct aql_device *d, struct err *e)
{
	struct kfd_clock_counters a, b;
	if (!read_counters(d, &a, e) || !read_counters(d, &b, e))
		return false;
	if (b.gpu == a.gpu || !b.system_hz)
		return err_set(e, ST_FAILED, "the GPU's clock stands still");
	d->tick_seconds = (double)(b.system - a.system) / (double)b.system_hz / (double)(b.gpu - a.gpu);
	return true;
}

bool aql_device_open(struct aql_device *d, struct err *e)
{
	char path[80];
	if (!find_gpu(d))
		return err_set(e, ST_FAILED, "the kernel driver shows no GPU");
	snprintf(path, sizeof path, "/dev/dri/renderD%llu",
		(unsigned long long)aql_device_property(d, "properties", "drm_render_minor"));
	d->kfd = open("/dev/kfd", O_RDWR | O_CLOEXEC);
	d->render = open(path, O_RDWR | O_CLOEXEC);
	if (d->kfd < 0 || d->render < 0)
		return err_set(e, ST_FAILED, "cannot open %s: %s", d->kfd < 0 ? "/dev/kfd" : path, strerror(errno));
	struct kfd_acquire_vm vm = {(uint32_t)d->render, d->gpu_id};
	return aql_device_request(d, ACQUIRE_VM, &vm, sizeof vm, "open the GPU's address space", e) &&
		measure_tick(d, e);
}

/* --- memory --- */
static void *reserve_addresses(size_t bytes, size_t align)
{
	uint8_t *p = mmap(NULL, bytes + align, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	size_t before = (align - (uintptr_t)p % align) % align;
	if (before)
		munmap(p, before);
	if (before < align)
		munmap(p + before + bytes, align - before);
	return p + before;
}

static uint32_t memory_flags(enum aql_place place)
{
	static const uint32_t flags[] = {KFD_MEMORY_VRAM, KFD_MEMORY_GTT, KFD_MEMORY_DOORBELL};
	return flags[place] | KFD_MEMORY_WRITABLE | (place == AQL_DOORBELLS ? 0 : KFD_MEMORY_EXECUTABLE);
}

/* The host's mapping precedes the GPU's: the driver expects it of doorbells. */
static bool map_memory(struct aql_device *d, struct aql_memory *m, int file, uint64_t offset, struct err *e)
{
	struct kfd_map_memory map = {.handle = m->handle, .devices = (uintptr_t)&d->gpu_id, .count = 1};
	if (mmap(m->at, m->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)offset) == MAP_FAILED)
		return err_set(e, ST_FAILED, "cannot map device memory: %s", strerror(errno));
	return aql_device_request(d, MAP_MEMORY, &map, sizeof map, "map device memory", e);
}

static void release_memory(struct aql_device *d, struct aql_memory *m)
{
	struct kfd_map_memory map = {.handle = m->handle, .devices = (uintptr_t)&d->gpu_id, .count = 1};
	struct kfd_free_memory what = {m->handle};
	aql_device_request(d, UNMAP_MEMORY, &map, sizeof map, "unmap device memory", NULL);
	aql_device_request(d, FREE_MEMORY, &what, sizeof what, "free device memory", NULL);
	munmap(m->at, m->bytes);
	free(m);
}

void *aql_device_alloc(struct aql_device *d, enum aql_place place, size_t bytes, struct err *e)
{
	struct aql_memory *m = xcalloc(1, sizeof *m);
	size_t align = bytes >= LARGE_PAGE ? LARGE_PAGE : PAGE;
	m->bytes = (bytes + PAGE - 1) / PAGE * PAGE;
	m->at = reserve_addresses(m->bytes, align);
	struct kfd_alloc_memory a = {
		.va = (uintptr_t)m->at, .size = m->bytes, .gpu_id = d->gpu_id, .flags = memory_flags(place)};
	if (!m->at || !aql_device_request(d, ALLOC_MEMORY, &a, sizeof a, "allocate device memory", e)) {
		if (!m->at)
			err_set(e, ST_FAILED, "no room for %zu bytes among the addresses", m->bytes);
		else
			munmap(m->at, m->bytes);
		free(m);
		return NULL;
	}
	m->handle = a.handle;
	if (!map_memory(d, m, place == AQL_DOORBELLS ? d->kfd : d->render, a.mmap_offset, e)) {
		release_memory(d, m);
		return NULL;
	}
	m->next = d->memory;
	d->memory = m;
	return m->at;
}

void aql_device_free(struct aql_device *d, void *p)
{
	for (struct aql_memory **at = &d->memory; *at; at = &(*at)->next)
		if ((*at)->at == p) {
			struct aql_memory *m = *at;
			*at = m->next;
			release_memory(d, m);
			return;
		}
}

bool aql_device_sees(const struct aql_device *d, const void *p)
{
	for (const struct aql_memory *m = d->memory; m; m = m->next)
		if ((uintptr_t)p - (uintptr_t)m->at < m->bytes)
			return true;
	return false;
}

/* --- queues --- */
volatile uint64_t *aql_device_create_queue(struct aql_device *d, unsigned type, void *ring, size_t bytes,
	void *read_pointer, void *write_pointer, struct err *e)
{
	struct kfd_create_queue a = {.ring = (uintptr_t)ring,
		.write_pointer = (uintptr_t)write_pointer,
		.read_pointer = (uintptr_t)read_pointer,
		.ring_bytes = (uint32_t)bytes,
		.gpu_id = d->gpu_id,
		.type = type,
		.percentage = KFD_TOP_PERCENTAGE,
		.priority = NORMAL_PRIORITY};
	if (!d->doorbells)
		d->doorbells = aql_device_alloc(d, AQL_DOORBELLS, DOORBELL_BYTES, e);
	if (!d->doorbells || !aql_device_request(d, CREATE_QUEUE, &a, sizeof a, "create a queue", e))
		return NULL;
	return (volatile uint64_t *)(d->doorbells + a.doorbell_offset % DOORBELL_BYTES);
}
