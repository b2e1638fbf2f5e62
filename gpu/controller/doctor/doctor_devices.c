/* The doctor's checks of devices. */
#include <dirent.h>
#include <grp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/sysfs_mount.h"
#include "gpu/backends/backend.h"
#include "gpu/controller/device_list.h"
#include "gpu/controller/doctor/doctor_report.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/header_record.h"

/* --- devices that open --- */
static double budget_percent; /* share of host memory that the software GPU may use; 0 until it has been opened */
static struct device_entry *devices; /* NULL: not opened yet */
static size_t device_count;

static void open_devices(void)
{
	if (!devices)
		device_count = device_probe_all(&devices);
}

void doctor_close_devices(void)
{
	device_entries_free(devices, device_count);
	devices = NULL;
	device_count = 0;
}

double doctor_memory_percent(void)
{
	return budget_percent;
}

/* "; NAME opens as TEXT (RUNTIME)" */
static void add_opened(struct buf *out, const struct device_entry *d)
{
	const char *runtime = record_get_text(device_get_versions(d->record), "runtime");

	buf_printf(out, "%s%s opens as %.100s%s%.160s%s", out->len ? "; " : "", d->device, d->text,
		*runtime ? " (" : "", runtime, *runtime ? ")" : "");
}

/* --- the software GPU --- */
/* Opens every model; reports the first that fails. If only others fail, the default one, which is the first, is of use.
 */
void doctor_check_models(struct doctor_check *c)
{
	struct buf opened = {0};
	const struct device_entry *closed = NULL, *first = NULL;

	open_devices();
	for (const struct device_entry *d = devices; d < devices + device_count; d++) {
		if (!device_can(d->device, DEVICE_SIMULATED))
			continue;
		first = first ? first : d;
		if (!d->record && !closed)
			closed = d;
		if (d->record && !opened.len)
			budget_percent = json_number_value(
				json_object_get(json_object_get(d->record, "constants"), "host_memory_percent"));
		if (d->record)
			add_opened(&opened, d);
	}
	if (!closed)
		REPORT_OK(c, "%s", opened.data);
	else if (first->record)
		REPORT_OK(c, "%s; %s: %.200s", opened.data, closed->device, closed->text);
	else
		REPORT_PROBLEM(c, CHECK_MISSING,
			"fix the problems above; `SOFTGPU_TRACE=1 wavedeck worker --device soft:mi25` shows where it stops",
			"%s: %.200s", closed->device, closed->text);
	buf_free(&opened);
}

/* --- AMD --- */
static bool in_group(const char *name)
{
	const struct group *g = getgrnam(name);
	gid_t groups[256];
	int n = getgroups(256, groups);
	for (int i = 0; g && i < n; i++)
		if (groups[i] == g->gr_gid)
			return true;
	return false;
}

void doctor_check_kfd(struct doctor_check *c)
{
	if (access("/dev/kfd", F_OK))
		REPORT_OK(c, "no AMD GPU (/dev/kfd not found); using the software GPU");
	else if (!sysfs_is_mounted())
		REPORT_PROBLEM(c, CHECK_WARNING, sysfs_mount_advice, "/sys is not mounted, where HIP finds GPUs");
	else if (!access("/dev/kfd", R_OK | W_OK))
		REPORT_OK(c, "/dev/kfd can be opened; the default device is %s", device_default_name());
	else
		REPORT_PROBLEM(c, CHECK_WARNING, "sudo usermod -a -G render,video $USER, then log in again",
			"no permission to open /dev/kfd%s",
			in_group("render") ? "" : "; you are not in the group 'render'");
}

/* librocm_smi keeps a mutex in shared memory, which a killed program leaves locked. Whether it is locked cannot be seen
 * from here; without a GPU the file is certainly stale. */
void doctor_check_smi_lock(struct doctor_check *c)
{
	DIR *d = opendir("/dev/shm");
	char found[64] = "";
	for (struct dirent *f; d && (f = readdir(d));)
		if (!strncmp(f->d_name, "rocm_smi_card", 13))
			snprintf(found, sizeof found, "/dev/shm/%.40s", f->d_name);
	if (d)
		closedir(d);
	if (*found && access("/dev/kfd", F_OK))
		REPORT_PROBLEM(
			c, CHECK_WARNING, "rm /dev/shm/rocm_smi_card*", "a rocm-smi program left %s behind", found);
	else if (*found)
		REPORT_OK(c, "%s exists; if clocks are missing while no rocm-smi program runs: rm %s", found, found);
	else
		REPORT_OK(c, "no stale lock");
}

/* --- NVIDIA --- */
/* Those that the kernel's driver has: /dev/nvidia0 and so on. */
void doctor_check_nvidia(struct doctor_check *c)
{
	struct buf opened = {0};
	const struct device_entry *closed = NULL;

	open_devices();
	for (const struct device_entry *d = devices; d < devices + device_count; d++) {
		if (strncmp(d->device, "cuda:", 5))
			continue;
		if (d->record)
			add_opened(&opened, d);
		else if (!closed)
			closed = d;
	}
	if (closed)
		REPORT_PROBLEM(c, CHECK_WARNING, "" /* the text says it */, "%s: %.200s", closed->device, closed->text);
	else if (opened.len)
		REPORT_OK(c, "%s", opened.data);
	else
		REPORT_OK(c, "none (/dev/nvidia0 not found)");
	buf_free(&opened);
}
