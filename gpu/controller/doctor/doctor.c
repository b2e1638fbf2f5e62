/* The checks of `wavedeck doctor`. */
#include "gpu/controller/doctor/doctor.h"

#include <dirent.h>
#include <grp.h>
#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/sysfs_mount.h"
#include "base/units.h"
#include "gpu/backends/backend.h"
#include "gpu/controller/device_list.h"
#include "gpu/controller/doctor/doctor_report.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/header_record.h"

const char *check_state_name(enum check_state s)
{
	static const char *const names[] = {"ok", "warning", "missing"};
	return names[s];
}

/* --- devices --- */
static double budget_percent; /* share of host memory that the software GPU may use; 0 until it has been opened */

/* Opens every model; reports the first that fails. If only others fail, the default one, which is the first, is of use.
 */
static void check_models(struct doctor_check *c)
{
	struct device_entry *list;
	struct buf opened = {0};
	size_t n = device_probe_all(&list);
	const struct device_entry *closed = NULL, *first = NULL;
	for (size_t i = 0; i < n; i++) {
		if (!device_can(list[i].device, DEVICE_SIMULATED))
			continue;
		first = first ? first : &list[i];
		if (!list[i].record && !closed)
			closed = &list[i];
		if (list[i].record && !opened.len)
			budget_percent = json_number_value(
				json_object_get(json_object_get(list[i].record, "constants"), "host_memory_percent"));
		const char *runtime = record_get_text(device_get_versions(list[i].record), "runtime");
		if (list[i].record)
			buf_printf(&opened, "%s%s opens as %.100s%s%.160s%s", opened.len ? "; " : "", list[i].device,
				list[i].text, *runtime ? " (" : "", runtime, *runtime ? ")" : "");
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
	device_entries_free(list, n);
}

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

static void check_kfd(struct doctor_check *c)
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
static void check_smi_lock(struct doctor_check *c)
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

/* --- terminal, memory, processor --- */
static void check_terminal(struct doctor_check *c)
{
	const char *term = getenv("TERM");
	if (!isatty(1))
		REPORT_OK(c, "standard output is not a terminal; the command line works, the screen needs a terminal");
	else if (term && *term && strcmp(term, "dumb"))
		REPORT_OK(c, "%s", term);
	else
		REPORT_PROBLEM(c, CHECK_WARNING, "export TERM=xterm-256color", "TERM is %s; the screen cannot be drawn",
			term && *term ? term : "not set");
}

static void check_locale(struct doctor_check *c)
{
	locale_t user = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	const char *codes = user ? nl_langinfo_l(CODESET, user) : "unknown";
	if (!strcmp(codes, "UTF-8"))
		REPORT_OK(c, "UTF-8");
	else
		REPORT_PROBLEM(c, CHECK_WARNING, "export LC_ALL=C.UTF-8",
			"character encoding is %s; lines are drawn in ASCII", codes);
	if (user)
		freelocale(user);
}

/* In bytes; 0 if /proc/meminfo has no such row. */
static double read_meminfo(const char *row)
{
	FILE *in = fopen("/proc/meminfo", "re");
	char line[200];
	double kib = 0;
	size_t n = strlen(row);
	while (in && !kib && fgets(line, sizeof line, in))
		if (!strncmp(line, row, n))
			kib = number_parse(line + n, NULL);
	if (in)
		fclose(in);
	return kib * 1024;
}

static void check_memory(struct doctor_check *c)
{
	char available[40], budget[40];
	double bytes = read_meminfo("MemAvailable:"), most = read_meminfo("MemTotal:") * budget_percent / 100;
	units_format(available, sizeof available, bytes, "B", 3);
	units_format(budget, sizeof budget, most, "B", 3);
	if (bytes < 0x1p30)
		REPORT_PROBLEM(
			c, CHECK_WARNING, "close other programs or choose smaller sizes", "only %s free", available);
	else if (budget_percent > 0)
		REPORT_OK(
			c, "%s free; the software GPU may use %s for buffers (host_memory_percent)", available, budget);
	else
		REPORT_OK(c, "%s free", available);
}

static void check_cpu(struct doctor_check *c)
{
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
		REPORT_OK(c, "AVX2, FMA, BMI2");
	else
		REPORT_PROBLEM(c, CHECK_WARNING, "use another machine for long sweeps",
			"no AVX2; the software GPU is about 25 times slower on arithmetic");
}

static const struct {
	const char *name;
	void (*run)(struct doctor_check *);
} checks[] = {
	{"libamdhip64", doctor_check_hip},
	{"libhsa-runtime64", doctor_check_hsa},
	{"SMI library", doctor_check_smi},
	{"libsoftgpu", doctor_check_softgpu},
	{"clang", doctor_check_clang},
	{"lld", doctor_check_linker},
	{"device libraries", doctor_check_device_libraries},
	{"HIP headers", doctor_check_headers},
	{"llvm tools", doctor_check_llvm_tools},
	{"soft:mi25", check_models},
	{"/dev/kfd", check_kfd},
	{"rocm-smi lock", check_smi_lock},
	{"terminal", check_terminal},
	{"locale", check_locale},
	{"memory", check_memory},
	{"processor", check_cpu},
};

size_t doctor_run_checks(struct doctor_check **out)
{
	size_t count = sizeof checks / sizeof *checks;
	struct doctor_check *list = xcalloc(count, sizeof *list);
	for (size_t i = 0; i < count; i++) {
		list[i].name = checks[i].name;
		checks[i].run(&list[i]);
	}
	*out = list;
	return count;
}
