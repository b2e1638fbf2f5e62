/* The checks of `wavedeck doctor`. */
#include "gpu/controller/doctor/doctor.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/units.h"
#include "gpu/controller/doctor/doctor_report.h"

const char *check_state_name(enum check_state s)
{
	static const char *const names[] = {"ok", "warning", "missing"};
	return names[s];
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
	const double percent = doctor_memory_percent(), bytes = read_meminfo("MemAvailable:"),
		     most = read_meminfo("MemTotal:") * percent / 100;
	units_format(available, sizeof available, bytes, "B", 3);
	units_format(budget, sizeof budget, most, "B", 3);
	if (bytes < 0x1p30)
		REPORT_PROBLEM(
			c, CHECK_WARNING, "close other programs or choose smaller sizes", "only %s free", available);
	else if (percent > 0)
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
	{"soft:mi25", doctor_check_models},
	{"/dev/kfd", doctor_check_kfd},
	{"rocm-smi lock", doctor_check_smi_lock},
	{"NVIDIA GPU", doctor_check_nvidia},
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
	doctor_close_devices();
	*out = list;
	return count;
}
