#include "softgpu/driver/interpose/topology_files.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/sysinfo.h>

#include "softgpu/driver/interpose/vfs.h"
#include "softgpu/driver/kfd/device_identity.h"
#include "softgpu/driver/kfd/host_machine.h"

#define TOPOLOGY    "/sys/devices/virtual/kfd/kfd/topology"
#define CPU_NODE    TOPOLOGY "/nodes/0"
#define FIRST_SIMD  2147487744 /* simd_id_base: the top bit marks a GPU */
#define LINK_WEIGHT 20         /* of PCIe: kfd_parse_subtype_iolink in kfd_crat.c of the Linux kernel */
#define HIVE        0          /* none: the GPUs are connected by PCIe */

static const struct model *current_model(unsigned gpu)
{
	return machine_model(gpu);
}

/* --- the host --- */
static void write_host_properties(struct strbuf *t, const char *unused, unsigned gpu)
{
	(void)unused, (void)gpu;
	strbuf_printf(t, "cpu_cores_count %d\nsimd_count 0\nmem_banks_count 1\ncaches_count 0\nio_links_count %u\n",
		get_nprocs_conf(), machine_gpu_count());
	strbuf_printf(t,
		"p2p_links_count 0\ncpu_core_id_base 0\nsimd_id_base 0\nmax_waves_per_simd 0\nlds_size_in_kb 0\n"
		"gds_size_in_kb 0\nwave_front_size 0\narray_count 0\nsimd_arrays_per_engine 0\ncu_per_simd_array 0\n"
		"simd_per_cu 0\nmax_slots_scratch_cu 0\ngfx_target_version 0\nvendor_id 0\ndevice_id 0\n");
	strbuf_printf(t,
		"location_id 0\ndomain 0\ndrm_render_minor 0\nhive_id 0\nnum_sdma_engines 0\n"
		"num_sdma_xgmi_engines 0\nnum_sdma_queues_per_engine 0\nnum_cp_queues 0\nmax_engine_clk_ccompute 2300\n");
}

static void write_bank(struct strbuf *t, int heap, uint64_t bytes, int width, int64_t mhz)
{
	strbuf_printf(t, "heap_type %d\nsize_in_bytes %lu\nflags 0\nwidth %d\nmem_clk_max %ld\n", heap,
		(unsigned long)bytes, width, (long)mhz);
}

static void write_host_bank(struct strbuf *t, const char *unused, unsigned gpu)
{
	struct sysinfo info;

	(void)unused, (void)gpu;
	sysinfo(&info);
	write_bank(t, 0, (uint64_t)info.totalram * info.mem_unit, 64, 2666);
}

/* CRAT_IOLINK_FLAGS in kfd_crat.h. */
enum { LINK_ENABLED = 1, LINK_NON_COHERENT = 2, LINK_NO_ATOMICS = 4 | 8 /* of 32 and 64 bits */ };

static void write_link(struct strbuf *t, unsigned from, unsigned to, unsigned weight, unsigned flags)
{
	strbuf_printf(t,
		"type 2\nversion_major 0\nversion_minor 0\nnode_from %u\nnode_to %u\nweight %u\nmin_latency 0\n"
		"max_latency 0\nmin_bandwidth 0\nmax_bandwidth 0\nrecommended_transfer_size 0\nflags %u\n",
		from, to, weight, flags);
}

static void write_host_link(struct strbuf *t, const char *from, unsigned gpu)
{
	if (from[0] == 'g')
		write_link(t, gpu + 1, 0, LINK_WEIGHT, LINK_ENABLED);
	else
		write_link(t, 0, gpu + 1, LINK_WEIGHT, LINK_ENABLED | LINK_NO_ATOMICS);
}

/* Peers are reached over PCIe and the host's node, and the weights of both links add up (kfd_add_peer_prop in
 * kfd_topology.c, Linux 6.0 and later). KFD lists only peers with a large BAR, as all GPUs here have. Its
 * kfd_fill_iolink_non_crat_info sets the flags in the order in which it finds the GPUs, so to a later one they lack
 * atomics, as they do from the host, and not to an earlier one. */
static void write_peer_link(struct strbuf *t, const char *peer, unsigned gpu)
{
	unsigned to = (unsigned)(peer[0] - '0');

	write_link(t, gpu + 1, to + 1, 2 * LINK_WEIGHT,
		LINK_ENABLED | LINK_NON_COHERENT | (to > gpu ? LINK_NO_ATOMICS : 0));
}

/* --- the GPU --- */
static void write_gpu_id(struct strbuf *t, const char *unused, unsigned gpu)
{
	(void)unused;
	strbuf_printf(t, "%d\n", (int)identity_gpu_id(gpu));
}

static void write_gpu_name(struct strbuf *t, const char *unused, unsigned gpu)
{
	(void)unused;
	strbuf_printf(t, "%s\n", identity_of_model(current_model(gpu))->chip);
}

/* Heap type 1: all memory is public (large BAR), so the host can reach it directly. */
static void write_gpu_bank(struct strbuf *t, const char *unused, unsigned gpu)
{
	(void)unused;
	write_bank(t, 1, (uint64_t)current_model(gpu)->memory_bytes,
		(int)identity_of_model(current_model(gpu))->memory_bus_bits, current_model(gpu)->mclk_khz / 1000);
}

/* The data caches that vector memory accesses use. KFD lists every instance; the libraries need one of each kind. */
struct topology_cache {
	unsigned level, line_bytes;
	int64_t bytes, ways; /* ways 0: unknown, as KFD reports it */
};
enum { TOPOLOGY_CACHES_MAX = 4 };

/* KFD counts the L1 cache of a shader array as level 1, too. */
static size_t list_caches(const struct model *m, struct topology_cache out[TOPOLOGY_CACHES_MAX])
{
	const unsigned line = m->gpu->target->family->cache_line_bytes;
	const struct topology_cache all[TOPOLOGY_CACHES_MAX] = {
		{1, line, m->l1_bytes, m->l1_ways},
		{1, line, m->gl1_bytes, 0},
		{2, line, m->l2_bytes, m->l2_ways},
		{3, 0, m->l3_bytes, 0},
	};
	size_t count = 0;

	for (size_t k = 0; k < TOPOLOGY_CACHES_MAX; k++)
		if (all[k].bytes)
			out[count++] = all[k];
	return count;
}

static void write_gpu_cache(struct strbuf *t, const char *number, unsigned gpu)
{
	struct topology_cache all[TOPOLOGY_CACHES_MAX];

	list_caches(current_model(gpu), all);
	const struct topology_cache *c = &all[number[0] - '0'];
	strbuf_printf(t,
		"processor_id_low %lu\nlevel %u\nsize %ld\ncache_line_size %u\ncache_lines_per_tag 1\nassociation %ld\n"
		"latency 0\ntype 9\nsibling_map 1",
		(unsigned long)FIRST_SIMD, c->level, (long)c->bytes / 1024, c->line_bytes, (long)c->ways);
	for (int i = 0; i < 62; i++)
		strbuf_append(t, ",0", 2);
	strbuf_append(t, "\n", 1);
}

static void write_shader_array(struct strbuf *t, const struct model *m)
{
	const struct gpu_family *f = m->gpu->target->family;
	long arrays = (long)m->shader_engines * f->arrays_per_engine;

	strbuf_printf(t, "p2p_links_count %u\ncpu_core_id_base 0\nsimd_id_base %lu\nmax_waves_per_simd %ld\n",
		machine_gpu_count() - 1, (unsigned long)FIRST_SIMD, (long)m->waves_per_simd);
	strbuf_printf(t, "lds_size_in_kb %ld\ngds_size_in_kb 0\nnum_gws %u\nwave_front_size %u\n",
		(long)m->lds_bytes / 1024, f->gws_resources, f->wave_lanes);
	strbuf_printf(t, "array_count %ld\nsimd_arrays_per_engine %u\ncu_per_simd_array %ld\nsimd_per_cu %u\n", arrays,
		f->arrays_per_engine, (long)(m->compute_units + arrays - 1) / arrays, f->simds_per_cu);
	strbuf_printf(t, "max_slots_scratch_cu %u\n", (unsigned)gpu_scratch_waves_of_cu(m->gpu->target));
}

static void write_gpu_properties(struct strbuf *t, const char *unused, unsigned gpu)
{
	const struct model *m = current_model(gpu);
	const struct device_identity *id = identity_of_model(m);
	const struct gpu_family *f = m->gpu->target->family;
	struct topology_cache caches[TOPOLOGY_CACHES_MAX];

	(void)unused;
	strbuf_printf(t, "cpu_cores_count 0\nsimd_count %ld\nmem_banks_count 1\ncaches_count %zu\nio_links_count 1\n",
		(long)m->compute_units * f->simds_per_cu, list_caches(m, caches));
	write_shader_array(t, m);
	strbuf_printf(t, "gfx_target_version %u\n", id->gfx_target_version);
	strbuf_printf(t, "vendor_id 4098\ndevice_id %u\nlocation_id %u\ndomain 0\ndrm_render_minor %u\nhive_id %d\n",
		id->device_id, identity_pci_location(gpu), DRM_RENDER_MINOR + gpu, HIVE);
	strbuf_printf(t,
		"num_sdma_engines 2\nnum_sdma_xgmi_engines 0\nnum_sdma_queues_per_engine %u\nnum_cp_queues %u\n"
		"max_engine_clk_fcompute %ld\nlocal_mem_size %ld\nfw_version %u\ncapability %u\ndebug_prop 0\n",
		f->sdma_queues, f->cp_queues, (long)m->sclk_khz / 1000, (long)m->memory_bytes, identity_mec_firmware(m),
		id->capability);
	strbuf_printf(t, "sdma_fw_version %u\nunique_id %lu\nmax_engine_clk_ccompute 2300\n", f->sdma_firmware,
		(unsigned long)identity_unique_id(m, gpu));
}

/* --- the files --- */
struct topology_file {
	const char *path; /* of a GPU: below its node */
	const char *text;
	vfs_generate_fn *generate;
};

static void add_node_file(unsigned gpu, const struct topology_file *f)
{
	char path[128];

	snprintf(path, sizeof path, TOPOLOGY "/nodes/%u/%s", gpu + 1, f->path);
	vfs_add(path, VFS_FILE, f->text, f->generate, (int)gpu);
}

static void add_gpu_files(unsigned gpu)
{
	static const struct topology_file files[] = {
		{"gpu_id", NULL, write_gpu_id},
		{"name", NULL, write_gpu_name},
		{"properties", NULL, write_gpu_properties},
		{"mem_banks/0/properties", NULL, write_gpu_bank},
		{"io_links/0/properties", "gpu", write_host_link},
	};
	static const struct topology_file cache_files[TOPOLOGY_CACHES_MAX] = {
		{"caches/0/properties", "0", write_gpu_cache},
		{"caches/1/properties", "1", write_gpu_cache},
		{"caches/2/properties", "2", write_gpu_cache},
		{"caches/3/properties", "3", write_gpu_cache},
	};
	struct topology_cache caches[TOPOLOGY_CACHES_MAX];
	size_t count = list_caches(current_model(gpu), caches);

	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		add_node_file(gpu, &files[i]);
	for (size_t k = 0; k < count; k++)
		add_node_file(gpu, &cache_files[k]);
}

static void add_peer_links(unsigned gpu)
{
	static const char *const peers[GPUS_MAX] = {"0", "1", "2", "3", "4", "5", "6", "7"};
	char path[128];
	unsigned link = 0;

	for (unsigned peer = 0; peer < machine_gpu_count(); peer++) {
		if (peer == gpu)
			continue;
		snprintf(path, sizeof path, TOPOLOGY "/nodes/%u/p2p_links/%u/properties", gpu + 1, link++);
		vfs_add(path, VFS_FILE, peers[peer], write_peer_link, (int)gpu);
	}
}

static void add_host_link(unsigned gpu)
{
	char path[128];

	snprintf(path, sizeof path, CPU_NODE "/io_links/%u/properties", gpu);
	vfs_add(path, VFS_FILE, "host", write_host_link, (int)gpu);
}

void topology_add_files(void)
{
	static const struct topology_file files[] = {
		{TOPOLOGY "/generation_id", "2\n", NULL},
		{TOPOLOGY "/system_properties", "platform_oem 0\nplatform_id 0\nplatform_rev 0\n", NULL},
		{CPU_NODE "/gpu_id", "0\n", NULL},
		{CPU_NODE "/name", "\n", NULL},
		{CPU_NODE "/properties", NULL, write_host_properties},
		{CPU_NODE "/mem_banks/0/properties", NULL, write_host_bank},
	};

	vfs_add("/sys/class/kfd/kfd", VFS_LINK, "../../devices/virtual/kfd/kfd", NULL, 0);
	vfs_add("/sys/devices/virtual/kfd/kfd/proc", VFS_DIR, NULL, NULL, 0);
	vfs_add(CPU_NODE "/caches", VFS_DIR, NULL, NULL, 0);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		vfs_add(files[i].path, VFS_FILE, files[i].text, files[i].generate, 0);
	for (unsigned gpu = 0; gpu < machine_gpu_count(); gpu++) {
		add_host_link(gpu);
		add_gpu_files(gpu);
		add_peer_links(gpu);
	}
}
