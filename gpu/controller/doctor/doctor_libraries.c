/* The doctor's checks of the libraries that are loaded at run time. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/host/package_advice.h"
#include "base/paths.h"
#include "gpu/backends/hip_runtime.h"
#include "gpu/backends/smi/smi.h"
#include "gpu/controller/doctor/doctor_report.h"
#include "gpu/softgpu-link/softlib.h"

/* HIP loads it. */
static const struct shared_library hsa_library = {"libhsa-runtime64.so", "1", NULL};

struct library_report {
	bool found;
	char path[300], version[64];
	char why[200]; /* why one that exists does not load; "": none exists */
};

static void describe_library(const struct shared_library *l, const struct smi_library *smi, struct library_report *r)
{
	struct err e;
	void *handle = shared_library_open(l, RTLD_NOW, r->why, sizeof r->why);
	if (!handle)
		return;
	r->found = true;
	shared_library_describe(handle, r->path, sizeof r->path, r->version, sizeof r->version);
	if (smi && smi->resolve(handle, &e))
		smi->version(r->version, sizeof r->version);
}

/* Loads the library in a child process, to keep it out of this one. `smi` (may be NULL) knows its version. */
static bool find_library(const struct shared_library *l, const struct smi_library *smi, struct library_report *r)
{
	int fd[2];
	memset(r, 0, sizeof *r);
	if (pipe(fd))
		return false;
	pid_t child = fork();
	if (child == 0) {
		describe_library(l, smi, r);
		_exit(write(fd[1], r, sizeof *r) != sizeof *r);
	}
	close(fd[1]);
	if (child < 0 || read(fd[0], r, sizeof *r) != sizeof *r)
		memset(r, 0, sizeof *r);
	close(fd[0]);
	if (child > 0)
		waitpid(child, NULL, 0);
	return r->found;
}

void doctor_check_hip(struct doctor_check *c)
{
	struct library_report r;
	if (find_library(&hip_library, NULL, &r))
		REPORT_OK(c, "%s, %s", r.version, r.path);
	else if (*r.why)
		REPORT_MISSING(
			c, CHECK_MISSING, "hip hsa", 0, "cannot be loaded, so no device can be opened: %s", r.why);
	else
		REPORT_MISSING(c, CHECK_WARNING, "hip", 0,
			"HIP runtime not found; software GPUs measure without it, but hardware and HIP programs need it");
}

void doctor_check_hsa(struct doctor_check *c)
{
	struct library_report r;
	if (find_library(&hsa_library, NULL, &r))
		REPORT_OK(c, "%s, %s", r.version, r.path);
	else
		REPORT_MISSING(c, CHECK_WARNING, "hsa", 0, "%s", *r.why ? r.why : "ROCr not found; HIP needs it");
}

void doctor_check_smi(struct doctor_check *c)
{
	struct library_report r;
	char why[sizeof r.why] = "";
	for (int i = 0; smi_libraries[i]; i++) {
		if (find_library(&smi_libraries[i]->library, smi_libraries[i], &r)) {
			REPORT_OK(c, "%s %s, %s", smi_libraries[i]->name, r.version, r.path);
			return;
		}
		if (!*why)
			strcpy(why, r.why);
	}
	REPORT_MISSING(c, CHECK_WARNING, "smi", 0,
		"%s; no clocks, temperature and power, so results in cycles are not available",
		*why ? why : "neither rocm-smi nor amd-smi found");
}

void doctor_check_softgpu(struct doctor_check *c)
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
