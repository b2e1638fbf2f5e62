#include "softgpu/driver/interpose/sysfs_tree.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "softgpu/driver/kfd/device_identity.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/time/sensors.h"
#include "softgpu/driver/interpose/cpu_caches.h"
#include "softgpu/driver/interpose/topology_files.h"
#include "softgpu/driver/interpose/vfs.h"

#define GTT_TOTAL (UINT64_C(8) << 30)

static const struct device_identity *identity_of(unsigned gpu)
{
	return identity_of_model(machine_model(gpu));
}

/* --- PCI and DRM --- */
static void write_pci_id(struct strbuf *t, const char *which, unsigned gpu)
{
	const struct device_identity *id = identity_of(gpu);

	strbuf_printf(t, which[0] == 'r' ? "0x%02x\n" : "0x%04x\n",
		which[0] == 'd'           ? id->device_id
			: which[0] == 's' ? id->subsystem_id
					  : id->revision);
}

static void write_pci_config(struct strbuf *t, const char *unused, unsigned gpu)
{
	const struct device_identity *id = identity_of(gpu);
	uint16_t words[128] = {0x1002, (uint16_t)id->device_id, [4] = (uint16_t)id->revision, [5] = 0x0380,
		[0x16] = 0x1002, [0x17] = (uint16_t)id->subsystem_id};

	(void)unused;
	strbuf_append(t, words, sizeof words);
}

static void write_pci_uevent(struct strbuf *t, const char *unused, unsigned gpu)
{
	const struct device_identity *id = identity_of(gpu);

	(void)unused;
	strbuf_printf(t,
		"DRIVER=amdgpu\nPCI_CLASS=38000\nPCI_ID=1002:%04X\nPCI_SUBSYS_ID=1002:%04X\nPCI_SLOT_NAME=0000:%02x:00.0\n",
		id->device_id, id->subsystem_id, identity_pci_bus(gpu));
}

static void write_unique_id(struct strbuf *t, const char *unused, unsigned gpu)
{
	(void)unused;
	strbuf_printf(t, "%016lx\n", (unsigned long)identity_unique_id(machine_model(gpu), gpu));
}

/* The kernel reports 0 for a block without firmware. */
static void write_firmware_version(struct strbuf *t, const char *block, unsigned gpu)
{
	const struct model *m = machine_model(gpu);

	strbuf_printf(t, "0x%08x\n",
		block[0] == 'm'           ? identity_mec_firmware(m)
			: block[0] == 's' ? m->gpu->target->family->sdma_firmware
					  : 0);
}

static void write_vbios_version(struct strbuf *t, const char *unused, unsigned gpu)
{
	(void)unused;
	strbuf_printf(t, "%s\n", identity_of(gpu)->vbios);
}

static void write_cpu_list(struct strbuf *t, const char *unused, unsigned gpu)
{
	(void)unused, (void)gpu;
	strbuf_printf(t, "0-%d\n", get_nprocs_conf() - 1);
}

static void write_drm_uevent(struct strbuf *t, const char *name, unsigned gpu)
{
	bool render = name[0] == 'r';
	unsigned minor = render ? DRM_RENDER_MINOR + gpu : gpu;

	strbuf_printf(t, "MAJOR=226\nMINOR=%u\nDEVNAME=dri/%s%u\nDEVTYPE=drm_minor\n", minor,
		render ? "renderD" : "card", minor);
}

static void write_drm_number(struct strbuf *t, const char *name, unsigned gpu)
{
	strbuf_printf(t, "226:%u\n", name[0] == 'r' ? DRM_RENDER_MINOR + gpu : gpu);
}

/* The real list, then amdgpu. */
static void write_modules(struct strbuf *t, const char *unused, unsigned gpu)
{
	char piece[4096];
	long n;
	int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/modules", O_RDONLY | O_CLOEXEC, 0);

	(void)unused, (void)gpu;
	while (fd >= 0 && (n = read(fd, piece, sizeof piece)) > 0)
		strbuf_append(t, piece, (size_t)n);
	if (fd >= 0)
		close(fd);
	strbuf_printf(t, "amdgpu 6000000 0 - Live 0x0000000000000000\n");
}

/* --- sensors --- */
/* Finds the next level in a list of device_identity; false at the end. */
static bool next_level(const char **list, int *length)
{
	*list += strspn(*list, " ");
	*length = (int)strcspn(*list, " ");
	return *length > 0;
}

/* All levels of the list, then the model's own clock if there is one; the last level is the current one. */
static void write_clock_levels(struct strbuf *t, const char *list, int64_t top_khz)
{
	int i = 0, length;

	for (; next_level(&list, &length); list += length)
		strbuf_printf(t, "%d: %.*sMhz %s\n", i++, length, list, top_khz || list[length] ? "" : "*");
	if (top_khz)
		strbuf_printf(t, "%d: %ldMhz *\n", i, (long)(top_khz + 500) / 1000);
}

static void write_sclk_levels(struct strbuf *t, const char *unused, unsigned gpu)
{
	(void)unused;
	write_clock_levels(t, identity_of(gpu)->sclk_levels, sensors_read(gpu).sclk_khz);
}

static void write_mclk_levels(struct strbuf *t, const char *unused, unsigned gpu)
{
	(void)unused;
	write_clock_levels(t, identity_of(gpu)->mclk_levels, sensors_read(gpu).mclk_khz);
}

static void write_soc_levels(struct strbuf *t, const char *unused, unsigned gpu)
{
	(void)unused;
	write_clock_levels(t, identity_of(gpu)->socclk_levels, 0);
}

static void write_link_levels(struct strbuf *t, const char *unused, unsigned gpu)
{
	const char *list = identity_of(gpu)->pcie_levels;
	int i = 0, length;

	(void)unused;
	for (; next_level(&list, &length); list += length)
		strbuf_printf(t, "%d: %.*s, x16 619Mhz %s\n", i++, length, list, list[length] ? "" : "*");
}

/* "16.0 GT/s PCIe": the last level. */
static void write_link_speed(struct strbuf *t, const char *unused, unsigned gpu)
{
	const char *list = identity_of(gpu)->pcie_levels, *last = strrchr(list, ' ');

	(void)unused;
	last = last ? last + 1 : list;
	strbuf_printf(t, "%.*s GT/s PCIe\n", (int)strcspn(last, "G"), last);
}

/* A limit of a sensor in thousandths of a degree: "edge critical". */
static void write_temperature_limit(struct strbuf *t, const char *which, unsigned gpu)
{
	const struct device_identity *id = identity_of(gpu);
	const struct {
		const char *name;
		uint32_t celsius;
	} limits[] = {
		{"edge critical", id->edge.critical},
		{"edge emergency", id->edge.emergency},
		{"junction critical", id->junction.critical},
		{"junction emergency", id->junction.emergency},
		{"memory critical", id->memory.critical},
		{"memory emergency", id->memory.emergency},
	};

	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		if (!strcmp(limits[i].name, which))
			strbuf_printf(t, "%u000\n", limits[i].celsius);
}

/* Names, settings and columns as in the Linux kernel's vega10_hwmgr.c. The first profile is active. */
static void write_power_profiles(struct strbuf *t, const char *unused, unsigned gpu)
{
	static const struct {
		const char *name;
		int set_point, fps, rlc, level;
	} profiles[] = {
		{"BOOTUP_DEFAULT", 70, 60, 0, 0},
		{"3D_FULL_SCREEN", 70, 60, 1, 3},
		{"POWER_SAVING", 90, 60, 0, 0},
		{"VIDEO", 70, 60, 0, 0},
		{"VR", 70, 90, 0, 0},
		{"COMPUTE", 30, 60, 0, 6},
		{"CUSTOM", 0, 0, 0, 0},
	};

	(void)unused, (void)gpu;
	strbuf_printf(t, "NUM        MODE_NAME BUSY_SET_POINT FPS USE_RLC_BUSY MIN_ACTIVE_LEVEL\n");
	for (int i = 0; i < (int)(sizeof profiles / sizeof *profiles); i++)
		strbuf_printf(t, "%3d %14s%s: %14d %3d %10d %14d\n", i, profiles[i].name, i ? " " : "*",
			profiles[i].set_point, profiles[i].fps, profiles[i].rlc, profiles[i].level);
}

static void write_pm_info(struct strbuf *t, const char *unused, unsigned gpu)
{
	struct sensor_readings s = sensors_read(gpu);

	(void)unused;
	strbuf_printf(t,
		"GFX Clocks and Power:\n\t%ld MHz (MCLK)\n\t%ld MHz (SCLK)\n\t%ld.%ld W (average GPU)\n"
		"GPU Temperature: %ld C\nGPU Load: %ld %%\n",
		(long)s.mclk_khz / 1000, (long)s.sclk_khz / 1000, (long)s.power_uw / 1000000,
		(long)s.power_uw / 100000 % 10, (long)s.edge_mc / 1000, (long)s.busy_percent);
}

/* Files with one number, selected by the text in their table entry. */
static void write_reading(struct strbuf *t, const char *which, unsigned gpu)
{
	struct sensor_readings s = sensors_read(gpu);
	const struct {
		const char *name;
		int64_t value;
	} values[] = {
		{"edge", s.edge_mc},
		{"junction", s.junction_mc},
		{"memory", s.memory_mc},
		{"power", s.power_uw},
		{"cap", machine_model(gpu)->power_load_mw * 1000},
		{"sclk", s.sclk_khz * 1000},
		{"mclk", s.mclk_khz * 1000},
		{"busy", s.busy_percent},
		{"memory busy", s.memory_busy_percent},
		{"vram", (int64_t)s.vram_total},
		{"vram used", (int64_t)s.vram_used},
		{"gtt", (int64_t)GTT_TOTAL},
		{"gtt used", (int64_t)s.gtt_used},
	};

	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (!strcmp(values[i].name, which))
			strbuf_printf(t, "%ld\n", (long)values[i].value);
}

/* --- the tables --- */
struct tree_entry {
	const char *path;
	enum vfs_kind kind;
	const char *text;
	vfs_generate_fn *generate;
};

static const struct tree_entry tree_entries[] = {
	/* Real directories that contain virtual entries. */
	{"/sys", VFS_OVERLAY_DIR, NULL, NULL},
	{"/sys/class", VFS_OVERLAY_DIR, NULL, NULL},
	{"/sys/devices", VFS_OVERLAY_DIR, NULL, NULL},
	{"/sys/devices/virtual", VFS_OVERLAY_DIR, NULL, NULL},
	{"/sys/devices/pci0000:00", VFS_OVERLAY_DIR, NULL, NULL},
	{"/sys/dev", VFS_OVERLAY_DIR, NULL, NULL},
	{"/sys/dev/char", VFS_OVERLAY_DIR, NULL, NULL},
	{"/sys/module", VFS_OVERLAY_DIR, NULL, NULL},
	{"/sys/kernel", VFS_OVERLAY_DIR, NULL, NULL},
	{"/sys/kernel/debug", VFS_OVERLAY_DIR, NULL, NULL},
	{"/sys/bus", VFS_OVERLAY_DIR, NULL, NULL},
	{"/sys/bus/pci", VFS_OVERLAY_DIR, NULL, NULL},
	{"/sys/bus/pci/devices", VFS_OVERLAY_DIR, NULL, NULL},
	{"/sys/bus/pci/drivers", VFS_OVERLAY_DIR, NULL, NULL},
	{"/proc", VFS_OVERLAY_DIR, NULL, NULL},
	{"/dev", VFS_OVERLAY_DIR, NULL, NULL},
	{"/proc/modules", VFS_FILE, NULL, write_modules},
	{"/sys/module/amdgpu/initstate", VFS_FILE, "live\n", NULL},
	{"/sys/module/amdgpu/version", VFS_FILE, "5.16.9.22.20\n", NULL},
	{"/sys/module/amdgpu/refcnt", VFS_FILE, "1\n", NULL},
	{"/sys/module/amdgpu/coresize", VFS_FILE, "6000000\n", NULL},
	{"/sys/module/amdgpu/holders", VFS_DIR, NULL, NULL},
	{"/sys/module/amdgpu/parameters", VFS_DIR, NULL, NULL},
	{"/sys/bus/pci/drivers/amdgpu", VFS_DIR, NULL, NULL},
};

/* Of each GPU. In paths and in the targets of links, @p is its folder below /sys/devices, @a its PCI address, @c, @r
 * and
 * @h the numbers of its card, its render node and its sensors. */
#define PCI "/sys/devices/@p"
static const struct tree_entry gpu_entries[] = {
	{"/sys/devices/pci0000:00/@b", VFS_OVERLAY_DIR, NULL, NULL},
	{PCI "/vendor", VFS_FILE, "0x1002\n", NULL},
	{PCI "/device", VFS_FILE, "device", write_pci_id},
	{PCI "/subsystem_vendor", VFS_FILE, "0x1002\n", NULL},
	{PCI "/subsystem_device", VFS_FILE, "subsystem", write_pci_id},
	{PCI "/revision", VFS_FILE, "revision", write_pci_id},
	{PCI "/class", VFS_FILE, "0x038000\n", NULL},
	{PCI "/config", VFS_FILE, NULL, write_pci_config},
	{PCI "/uevent", VFS_FILE, NULL, write_pci_uevent},
	{PCI "/local_cpulist", VFS_FILE, NULL, write_cpu_list},
	{PCI "/numa_node", VFS_FILE, "0\n", NULL},
	{PCI "/unique_id", VFS_FILE, NULL, write_unique_id},
	{PCI "/vbios_version", VFS_FILE, NULL, write_vbios_version},
	{PCI "/fw_version/asd_fw_version", VFS_FILE, "none", write_firmware_version},
	{PCI "/fw_version/ce_fw_version", VFS_FILE, "none", write_firmware_version},
	{PCI "/fw_version/dmcu_fw_version", VFS_FILE, "none", write_firmware_version},
	{PCI "/fw_version/mc_fw_version", VFS_FILE, "none", write_firmware_version},
	{PCI "/fw_version/me_fw_version", VFS_FILE, "none", write_firmware_version},
	{PCI "/fw_version/mec_fw_version", VFS_FILE, "mec", write_firmware_version},
	{PCI "/fw_version/mec2_fw_version", VFS_FILE, "mec", write_firmware_version},
	{PCI "/fw_version/pfp_fw_version", VFS_FILE, "none", write_firmware_version},
	{PCI "/fw_version/rlc_fw_version", VFS_FILE, "none", write_firmware_version},
	{PCI "/fw_version/rlc_srlc_fw_version", VFS_FILE, "none", write_firmware_version},
	{PCI "/fw_version/rlc_srlg_fw_version", VFS_FILE, "none", write_firmware_version},
	{PCI "/fw_version/rlc_srls_fw_version", VFS_FILE, "none", write_firmware_version},
	{PCI "/fw_version/sdma_fw_version", VFS_FILE, "sdma", write_firmware_version},
	{PCI "/fw_version/sdma2_fw_version", VFS_FILE, "sdma", write_firmware_version},
	{PCI "/fw_version/smc_fw_version", VFS_FILE, "none", write_firmware_version},
	{PCI "/fw_version/sos_fw_version", VFS_FILE, "none", write_firmware_version},
	{PCI "/fw_version/ta_ras_fw_version", VFS_FILE, "none", write_firmware_version},
	{PCI "/fw_version/ta_xgmi_fw_version", VFS_FILE, "none", write_firmware_version},
	{PCI "/fw_version/uvd_fw_version", VFS_FILE, "none", write_firmware_version},
	{PCI "/fw_version/vce_fw_version", VFS_FILE, "none", write_firmware_version},
	{PCI "/fw_version/vcn_fw_version", VFS_FILE, "none", write_firmware_version},
	{PCI "/pp_dpm_sclk", VFS_FILE, NULL, write_sclk_levels},
	{PCI "/pp_dpm_mclk", VFS_FILE, NULL, write_mclk_levels},
	{PCI "/pp_dpm_socclk", VFS_FILE, NULL, write_soc_levels},
	{PCI "/pp_dpm_dcefclk", VFS_FILE, "0: 600Mhz *\n", NULL},
	{PCI "/pp_dpm_pcie", VFS_FILE, NULL, write_link_levels},
	{PCI "/pp_od_clk_voltage", VFS_FILE, "", NULL},
	{PCI "/pp_sclk_od", VFS_FILE, "0\n", NULL},
	{PCI "/pp_mclk_od", VFS_FILE, "0\n", NULL},
	{PCI "/power_dpm_force_performance_level", VFS_FILE, "auto\n", NULL},
	{PCI "/power_dpm_state", VFS_FILE, "performance\n", NULL},
	{PCI "/pp_power_profile_mode", VFS_FILE, NULL, write_power_profiles},
	{PCI "/gpu_busy_percent", VFS_FILE, "busy", write_reading},
	{PCI "/mem_busy_percent", VFS_FILE, "memory busy", write_reading},
	{PCI "/mem_info_vram_total", VFS_FILE, "vram", write_reading},
	{PCI "/mem_info_vram_used", VFS_FILE, "vram used", write_reading},
	{PCI "/mem_info_vis_vram_total", VFS_FILE, "vram", write_reading},
	{PCI "/mem_info_vis_vram_used", VFS_FILE, "vram used", write_reading},
	{PCI "/mem_info_gtt_total", VFS_FILE, "gtt", write_reading},
	{PCI "/mem_info_gtt_used", VFS_FILE, "gtt used", write_reading},
	{PCI "/mem_info_vram_vendor", VFS_FILE, "samsung\n", NULL},
	{PCI "/pcie_replay_count", VFS_FILE, "0\n", NULL},
	{PCI "/pcie_bw", VFS_FILE, "0 0 256\n", NULL},
	{PCI "/current_link_speed", VFS_FILE, NULL, write_link_speed},
	{PCI "/current_link_width", VFS_FILE, "16\n", NULL},
	{PCI "/max_link_speed", VFS_FILE, NULL, write_link_speed},
	{PCI "/max_link_width", VFS_FILE, "16\n", NULL},
	{PCI "/driver", VFS_LINK, "../../../../bus/pci/drivers/amdgpu", NULL},
	{PCI "/subsystem", VFS_LINK, "../../../../bus/pci", NULL},
	{PCI "/hwmon/hwmon@h/name", VFS_FILE, "amdgpu\n", NULL},
	{PCI "/hwmon/hwmon@h/temp1_input", VFS_FILE, "edge", write_reading},
	{PCI "/hwmon/hwmon@h/temp1_label", VFS_FILE, "edge\n", NULL},
	{PCI "/hwmon/hwmon@h/temp1_crit", VFS_FILE, "edge critical", write_temperature_limit},
	{PCI "/hwmon/hwmon@h/temp1_crit_hyst", VFS_FILE, "-273150\n", NULL},
	{PCI "/hwmon/hwmon@h/temp1_emergency", VFS_FILE, "edge emergency", write_temperature_limit},
	{PCI "/hwmon/hwmon@h/temp2_input", VFS_FILE, "junction", write_reading},
	{PCI "/hwmon/hwmon@h/temp2_label", VFS_FILE, "junction\n", NULL},
	{PCI "/hwmon/hwmon@h/temp2_crit", VFS_FILE, "junction critical", write_temperature_limit},
	{PCI "/hwmon/hwmon@h/temp2_emergency", VFS_FILE, "junction emergency", write_temperature_limit},
	{PCI "/hwmon/hwmon@h/temp3_input", VFS_FILE, "memory", write_reading},
	{PCI "/hwmon/hwmon@h/temp3_label", VFS_FILE, "mem\n", NULL},
	{PCI "/hwmon/hwmon@h/temp3_crit", VFS_FILE, "memory critical", write_temperature_limit},
	{PCI "/hwmon/hwmon@h/temp3_emergency", VFS_FILE, "memory emergency", write_temperature_limit},
	{PCI "/hwmon/hwmon@h/power1_average", VFS_FILE, "power", write_reading},
	{PCI "/hwmon/hwmon@h/power1_cap", VFS_FILE, "cap", write_reading},
	{PCI "/hwmon/hwmon@h/power1_cap_max", VFS_FILE, "cap", write_reading},
	{PCI "/hwmon/hwmon@h/power1_cap_default", VFS_FILE, "cap", write_reading},
	{PCI "/hwmon/hwmon@h/power1_cap_min", VFS_FILE, "0\n", NULL},
	{PCI "/hwmon/hwmon@h/in0_input", VFS_FILE, "900\n", NULL},
	{PCI "/hwmon/hwmon@h/in0_label", VFS_FILE, "vddgfx\n", NULL},
	/* Passive cooling: rocm-smi reports an error if the file is missing. */
	{PCI "/hwmon/hwmon@h/fan1_input", VFS_FILE, "0\n", NULL},
	{PCI "/hwmon/hwmon@h/pwm1", VFS_FILE, "0\n", NULL},
	{PCI "/hwmon/hwmon@h/pwm1_min", VFS_FILE, "0\n", NULL},
	{PCI "/hwmon/hwmon@h/pwm1_max", VFS_FILE, "255\n", NULL},
	{PCI "/hwmon/hwmon@h/pwm1_enable", VFS_FILE, "2\n", NULL},
	{PCI "/hwmon/hwmon@h/freq1_input", VFS_FILE, "sclk", write_reading},
	{PCI "/hwmon/hwmon@h/freq1_label", VFS_FILE, "sclk\n", NULL},
	{PCI "/hwmon/hwmon@h/freq2_input", VFS_FILE, "mclk", write_reading},
	{PCI "/hwmon/hwmon@h/freq2_label", VFS_FILE, "mclk\n", NULL},
	{"/sys/bus/pci/devices/@a", VFS_LINK, "../../../devices/@p", NULL},
	{"/sys/bus/pci/drivers/amdgpu/@a", VFS_LINK, "../../../../devices/@p", NULL},
	{"/sys/class/hwmon/hwmon@h", VFS_LINK, "../../devices/@p/hwmon/hwmon@h", NULL},

	{PCI "/drm/card@c/dev", VFS_FILE, "card", write_drm_number},
	{PCI "/drm/card@c/uevent", VFS_FILE, "card", write_drm_uevent},
	{PCI "/drm/card@c/device", VFS_LINK, "../../../@a", NULL},
	{PCI "/drm/renderD@r/dev", VFS_FILE, "renderD", write_drm_number},
	{PCI "/drm/renderD@r/uevent", VFS_FILE, "renderD", write_drm_uevent},
	{PCI "/drm/renderD@r/device", VFS_LINK, "../../../@a", NULL},
	{"/sys/class/drm/card@c", VFS_LINK, "../../devices/@p/drm/card@c", NULL},
	{"/sys/class/drm/renderD@r", VFS_LINK, "../../devices/@p/drm/renderD@r", NULL},
	{"/sys/dev/char/226:@c", VFS_LINK, "../../devices/@p/drm/card@c", NULL},
	{"/sys/dev/char/226:@r", VFS_LINK, "../../devices/@p/drm/renderD@r", NULL},
	{"/sys/kernel/debug/dri/@c/amdgpu_pm_info", VFS_FILE, NULL, write_pm_info},
};

static void append_of_gpu(struct strbuf *t, char what, unsigned gpu)
{
	unsigned bus = identity_pci_bus(gpu), port = identity_root_port(gpu);

	switch (what) {
	case 'p': strbuf_printf(t, "pci0000:00/0000:00:%02x.0/0000:%02x:00.0", port, bus); break;
	case 'b': strbuf_printf(t, "0000:00:%02x.0", port); break;
	case 'a': strbuf_printf(t, "0000:%02x:00.0", bus); break;
	case 'c': strbuf_printf(t, "%u", gpu); break;
	case 'r': strbuf_printf(t, "%u", DRM_RENDER_MINOR + gpu); break;
	case 'h': strbuf_printf(t, "%u", HWMON_NUMBER + gpu); break;
	}
}

/* The caller owns the text, which may be NULL. */
static char *expand_text(const char *text, unsigned gpu)
{
	struct strbuf t = {0};

	for (; *text; text++)
		if (*text == '@')
			append_of_gpu(&t, *++text, gpu);
		else
			strbuf_append(&t, text, 1);
	return t.data;
}

/* The tree keeps the targets of links until the end. */
static void add_gpu_entry(const struct tree_entry *e, unsigned gpu)
{
	char *path = expand_text(e->path, gpu);
	const char *text = e->kind == VFS_LINK ? expand_text(e->text, gpu) : e->text;

	if (path)
		vfs_add(path, e->kind, text, e->generate, (int)gpu);
	free(path);
}

static void add_device_nodes(void)
{
	char path[64];

	vfs_add("/dev/kfd", VFS_DEVICE, NULL, NULL, (int)makedev(235, 0));
	for (unsigned i = 0; i < machine_gpu_count(); i++) {
		snprintf(path, sizeof path, "/dev/dri/card%u", i);
		vfs_add(path, VFS_DEVICE, NULL, NULL, (int)makedev(226, i));
		snprintf(path, sizeof path, "/dev/dri/renderD%u", DRM_RENDER_MINOR + i);
		vfs_add(path, VFS_DEVICE, NULL, NULL, (int)makedev(226, DRM_RENDER_MINOR + i));
	}
}

static bool tree_built;

static void build_tree(void)
{
	if (!machine_from_env())
		return;
	for (size_t i = 0; i < sizeof tree_entries / sizeof *tree_entries; i++)
		vfs_add(tree_entries[i].path, tree_entries[i].kind, tree_entries[i].text, tree_entries[i].generate, 0);
	for (unsigned gpu = 0; gpu < machine_gpu_count(); gpu++)
		for (size_t i = 0; i < sizeof gpu_entries / sizeof *gpu_entries; i++)
			add_gpu_entry(&gpu_entries[i], gpu);
	vfs_add("/sys/class/drm/version", VFS_FILE, "drm 1.1.0 20060810\n", NULL, 0);
	topology_add_files();
	cpu_caches_add_files();
	add_device_nodes();
	tree_built = true;
}

/* Path prefixes of all table entries. The test of the first characters rejects most paths quickly. */
static bool may_be_virtual(const char *p)
{
	static const char *const starts[] = {
		"/sys/devices/",
		"/sys/class/",
		"/sys/dev/char/226:",
		"/sys/module/amdgpu",
		"/sys/kernel/debug/dri",
		"/sys/bus/pci/devices",
		"/sys/bus/pci/drivers/amdgpu",
		"/proc/modules",
		"/dev/kfd",
		"/dev/dri",
	};

	if (p[0] != '/' || (p[1] != 's' && p[1] != 'd' && p[1] != 'p'))
		return false;
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (!strncmp(p, starts[i], strlen(starts[i])))
			return true;
	return false;
}

bool sysfs_covers_path(const char *path)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (!may_be_virtual(path))
		return false;
	pthread_once(&once, build_tree);
	return tree_built;
}
