/* The checks of `wavedeck doctor`. */
#include "gpu/controller/doctor.h"

#include <dirent.h>
#include <dlfcn.h>
#include <grp.h>
#include <langinfo.h>
#include <link.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/paths.h"
#include "base/units.h"
#include "gpu/controller/device_list.h"
#include "gpu/backends/backend.h"
#include "gpu/backends/hip_runtime.h"
#include "gpu/backends/smi.h"
#include "gpu/softgpu-link/softlib.h"
#include "kernels/compile/compiler.h"

const char *check_state_name(enum check_state s)
{
	static const char *const names[] = {"ok", "warning", "missing"};
	return names[s];
}

#define REPORT_OK(c, ...) ((c)->state = CHECK_OK, (void)snprintf((c)->text, sizeof(c)->text, __VA_ARGS__))
#define REPORT_PROBLEM(c, how, advice, ...)                                          \
	((c)->state = (how), (void)snprintf((c)->fix, sizeof(c)->fix, "%s", advice), \
		(void)snprintf((c)->text, sizeof(c)->text, __VA_ARGS__))

/* --- libraries --- */
/* Loads the library in a child process, to keep it out of this one, and sends its path. */
static void load_in_child(const char *const *sonames, int fd)
{
	struct link_map *map = NULL;
	for (int i = 0; sonames[i]; i++) {
		void *lib = dlopen(sonames[i], RTLD_NOW);
		if (!lib || dlinfo(lib, RTLD_DI_LINKMAP, &map) || !map)
			continue;
		if (write(fd, map->l_name, strlen(map->l_name)) < 0)
			_exit(1);
		break;
	}
	_exit(0);
}

static bool find_library(const char *const *sonames, char *path, size_t size)
{
	int fd[2];
	memset(path, 0, size);
	if (pipe(fd))
		return false;
	pid_t child = fork();
	if (child == 0)
		load_in_child(sonames, fd[1]);
	close(fd[1]);
	ssize_t n = child < 0 ? 0 : read(fd[0], path, size - 1);
	close(fd[0]);
	if (child > 0)
		waitpid(child, NULL, 0);
	return n > 0;
}

static void check_hip_library(struct doctor_check *c)
{
	char path[300];
	if (find_library(hip_sonames, path, sizeof path))
		REPORT_OK(c, "%s", path);
	else
		REPORT_PROBLEM(c, CHECK_MISSING, "sudo apt-get install libamdhip64-5 libhsa-runtime64-1",
			"HIP runtime not found; no device can be opened");
}

static void check_smi_library(struct doctor_check *c)
{
	char path[300];
	if (find_library(smi_sonames, path, sizeof path))
		REPORT_OK(c, "%s", path);
	else
		REPORT_PROBLEM(c, CHECK_WARNING, "sudo apt-get install librocm-smi64-1",
			"not found; no clocks, temperature and power, so results in cycles are not available");
}

/* --- programs --- */
static bool in_path(const char *program, char *path, size_t size)
{
	const char *folders = getenv("PATH");
	for (const char *s = folders ? folders : "/usr/bin"; *s;) {
		size_t n = strcspn(s, ":");
		snprintf(path, size, "%.*s/%s", (int)n, s, program);
		if (n && !access(path, X_OK))
			return true;
		s += n + (s[n] != 0);
	}
	return false;
}

static void check_program(struct doctor_check *c, const char *const *names, const char *fix, const char *problem)
{
	char path[300];
	for (int i = 0; names[i]; i++)
		if (in_path(names[i], path, sizeof path)) {
			REPORT_OK(c, "%s", path);
			return;
		}
	REPORT_PROBLEM(c, CHECK_WARNING, fix, "%s", problem);
}

/* In a child process, so that no HIP library stays loaded here. */
static bool hiprtc_works(void)
{
	const char *version;
	int status = 1;
	pid_t child = fork();
	if (child == 0)
		_exit(hiprtc_find(&version) ? 0 : 1);
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void check_clang(struct doctor_check *c)
{
	const char *path, *version;
	if (!clang_find(&path, &version) && hiprtc_works()) {
		REPORT_PROBLEM(c, CHECK_WARNING, "sudo apt-get install clang-15",
			"clang not found; hiprtc compiles HIP kernels, but assembly kernels are not available");
		return;
	}
	check_program(c, (const char *const[]){"clang++-15", "clang-15", "amdclang++", NULL},
		"sudo apt-get install clang-15", "clang not found; only prebuilt kernels are available");
}

static void check_lld(struct doctor_check *c)
{
	check_program(c, (const char *const[]){"ld.lld-15", "lld-15", "ld.lld", NULL}, "sudo apt-get install lld-15",
		"lld not found; kernels cannot be linked");
}

static void check_device_libs(struct doctor_check *c)
{
	static const char *const folders[] = {
		"/usr/lib/x86_64-linux-gnu/amdgcn/bitcode", "/usr/lib/amdgcn/bitcode", "/opt/rocm/amdgcn/bitcode"};
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		char path[300];
		snprintf(path, sizeof path, "%s/ockl.bc", folders[i]);
		if (!access(path, R_OK)) {
			REPORT_OK(c, "%s", folders[i]);
			return;
		}
	}
	REPORT_PROBLEM(c, CHECK_WARNING, "sudo apt-get install rocm-device-libs",
		"device libraries of the compiler not found");
}

/* --- devices --- */
static void check_softgpu(struct doctor_check *c)
{
	struct err e;
	char *path = path_build(SOFTLIB_NAME);
	void *lib = softlib_open(&e);
	if (lib)
		REPORT_OK(c, "%s", path);
	else
		REPORT_PROBLEM(c, CHECK_MISSING, "remove it if it exists, then: make", "%.*s",
			(int)strcspn(e.text, ";"), e.text);
	if (lib)
		dlclose(lib);
	free(path);
}

static double budget_percent; /* share of host memory that the software GPU may use; 0 until it has been opened */

/* Opens every model; reports the first that fails. */
static void check_models(struct doctor_check *c)
{
	struct device_entry *list;
	struct buf opened = {0};
	size_t n = device_probe_all(&list);
	const struct device_entry *closed = NULL;
	for (size_t i = 0; i < n; i++) {
		if (!device_can(list[i].device, DEVICE_SIMULATED))
			continue;
		if (!list[i].record && !closed)
			closed = &list[i];
		if (list[i].record && !opened.len)
			budget_percent = json_number_value(
				json_object_get(json_object_get(list[i].record, "constants"), "host_memory_percent"));
		buf_printf(&opened, "%s%s opens as %.100s", opened.len ? "; " : "", list[i].device, list[i].text);
	}
	if (!closed)
		REPORT_OK(c, "%s", opened.data);
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
	{"libamdhip64", check_hip_library},
	{"librocm_smi64", check_smi_library},
	{"libsoftgpu", check_softgpu},
	{"clang-15", check_clang},
	{"lld", check_lld},
	{"rocm-device-libs", check_device_libs},
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
