/* The doctor's checks of the compilers and what they need. */
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/host/host_paths.h"
#include "base/host/package_advice.h"
#include "gpu/controller/doctor/doctor_report.h"
#include "kernels/compile/compiler.h"

static const char everything[] = "compiler linker device-libraries hip-headers";

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

void doctor_check_clang(struct doctor_check *c)
{
	const struct toolchain *t = toolchain_find();
	const char *chosen = getenv("WAVEDECK_CLANG");
	if (t->clang)
		REPORT_OK(c, "%s, %s%s", t->version + sizeof "clang", t->clang,
			chosen && *chosen ? " (from WAVEDECK_CLANG)" : "");
	else if (chosen && *chosen)
		REPORT_PROBLEM(c, CHECK_WARNING, "unset WAVEDECK_CLANG",
			"WAVEDECK_CLANG=%s is not the name of a clang 15 or later", chosen);
	else if (hiprtc_works())
		REPORT_MISSING(c, CHECK_WARNING, everything, 0,
			"not found; hiprtc compiles HIP kernels, but assembly kernels are not available");
	else
		REPORT_MISSING(c, CHECK_WARNING, everything, 0, "not found; only prebuilt kernels are available");
}

void doctor_check_linker(struct doctor_check *c)
{
	char version[64];
	const struct toolchain *t = toolchain_find();
	char *path = toolchain_find_linker(t, version, sizeof version);
	if (!t->clang)
		REPORT_OK(c, "not used without clang");
	else if (path)
		REPORT_OK(c, "%s, %s", version, path);
	else
		REPORT_MISSING(c, CHECK_WARNING, "linker", t->major, "not found; kernels cannot be linked");
	free(path);
}

void doctor_check_device_libraries(struct doctor_check *c)
{
	const struct toolchain *t = toolchain_find();
	if (!t->clang)
		REPORT_OK(c, "not used without clang");
	else if (t->bitcode)
		REPORT_OK(c, "%s", t->bitcode);
	else
		REPORT_MISSING(c, CHECK_WARNING, "device-libraries", t->major,
			"none that %s can read; HIP kernels are compiled by hiprtc or not at all", t->version);
}

void doctor_check_headers(struct doctor_check *c)
{
	const struct toolchain *t = toolchain_find();
	if (t->rocm)
		REPORT_OK(c, "%s/include/hip", t->rocm);
	else if (!t->clang)
		REPORT_OK(c, "not used without clang");
	else
		REPORT_MISSING(c, CHECK_WARNING, "hip-headers", 0,
			"include/hip not found; HIP kernels are compiled by hiprtc or not at all");
}

/* Only the tests use them. */
void doctor_check_llvm_tools(struct doctor_check *c)
{
	const struct toolchain *t = toolchain_find();
	char name[32];
	snprintf(name, sizeof name, "llvm-mc-%d", t->major);
	char *path = host_find_program(name);
	if (!path)
		path = toolchain_find_tool(t, "llvm-mc");
	if (path)
		REPORT_OK(c, "%s", path);
	else
		REPORT_OK(c, "not found; only `make check` uses them");
	free(path);
}
