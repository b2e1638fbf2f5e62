#include "softgpu/driver/targets/program_targets.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "softgpu/core/model_config.h"
#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/interpose/strbuf.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/probe/driver_trace.h"
#include "softgpu/driver/targets/device_code.h"
#include "softgpu/probe.h"

#define SELF           "/proc/self/exe"
#define WRONG_REQUEST  2 /* ST_REQUEST of base/err.h */
#define HIP_COMPRESSED 6 /* the first version of HIP that may read compressed bundles: not 5.2.3, not 5.7.1 */

/* The program, or a library. */
struct code_owner {
	const char *name;
	const struct device_code *code;
};

static bool chooses_model(void)
{
	const char *text = getenv("SOFTGPU_TARGETS");

	return text && !strcmp(text, "choose");
}

static bool is_checked(void)
{
	const char *text = getenv("SOFTGPU_TARGETS");

	return text && (!strcmp(text, "choose") || !strcmp(text, "check"));
}

/* --- libraries --- */
static int append_library(struct dl_phdr_info *info, size_t size, void *paths)
{
	(void)size;
	if (info->dlpi_name && *info->dlpi_name)
		strbuf_append(paths, info->dlpi_name, strlen(info->dlpi_name) + 1);
	return 0;
}

static const char *next_library(const struct strbuf *paths, const char *last)
{
	const char *next = last ? last + strlen(last) + 1 : paths->data;

	return paths->data && next < paths->data + paths->length ? next : NULL;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The number behind "libamdhip64.so."; 0 if it is not loaded. */
static int find_hip_version(const struct strbuf *paths)
{
	static const char name[] = "libamdhip64.so.";

	for (const char *p = next_library(paths, NULL); p; p = next_library(paths, p))
		if (!strncmp(base_name(p), name, sizeof name - 1))
			return atoi(base_name(p) + sizeof name - 1);
	return 0;
}

/* --- messages --- */
static void warn_of_compressed(const struct code_owner *o)
{
	driver_warn("%s has compressed code, which HIP 5 does not read; compile with --no-offload-compress", o->name);
}

/* No GPU of the machine has code. `m` is one of them; NULL: any model could have been chosen. */
static void warn_of_misfit(const struct code_owner *o, const struct gpu_model *m)
{
	int other = device_code_choose(o->code);

	if (!m)
		driver_warn("%s has code for %s; compile with --offload-arch=%s", o->name, o->code->targets,
			model_at(0)->target->name);
	else
		driver_warn("%s has code for %s, and %s is %s; compile with --offload-arch=%s%s%s", o->name,
			o->code->targets, m->name, m->target->name, m->target->name,
			other < 0 ? "" : ", or use --model ", other < 0 ? "" : model_at((size_t)other)->name);
}

/* HIP 5.2 then aborts at the program's first call, HIP 5.7 at the first launch of such a kernel. */
static void warn_of_gap(const struct code_owner *o, const struct gpu_model *m)
{
	unsigned fits = device_code_fits(o->code, m);

	if (!fits)
		driver_warn("%s has no code for %s (%s), one of the GPUs; compile with --offload-arch=%s, too", o->name,
			m->name, m->target->name, m->target->name);
	else if (fits < o->code->bundles)
		driver_warn("%u of %u files in %s have no code for %s; compile all with --offload-arch=%s",
			o->code->bundles - fits, o->code->bundles, o->name, m->target->name, m->target->name);
}

/* --- the machine --- */
static bool set_model(const struct code_owner *o)
{
	int i = device_code_choose(o->code);

	if (i < 0) {
		warn_of_misfit(o, NULL);
		return false;
	}
	setenv("SOFTGPU", model_at((size_t)i)->name, 1);
	warn_of_gap(o, model_at((size_t)i));
	return true;
}

static bool check_machine(const struct code_owner *o)
{
	const char *text = getenv("SOFTGPU"), *set = getenv("SOFTGPU_SET");
	struct host_machine m;
	char why[256];
	bool fits = false;

	if (!machine_parse(&m, text && *text ? text : model_at(0)->name, set ? set : "", why, sizeof why))
		return true; /* reported when the device is opened */
	for (unsigned i = 0; i < m.count; i++)
		fits |= device_code_fits(o->code, m.gpu[i].gpu) > 0;
	for (unsigned i = 0; fits && i < m.count; i++)
		if (!i || m.gpu[i].gpu != m.gpu[i - 1].gpu)
			warn_of_gap(o, m.gpu[i].gpu);
	if (!fits)
		warn_of_misfit(o, m.gpu[0].gpu);
	return fits;
}

/* False if it cannot run. */
static bool check_code(const struct code_owner *o, int hip_version)
{
	if (o->code->compressed && hip_version < HIP_COMPRESSED)
		warn_of_compressed(o);
	if (o->code->compressed)
		return hip_version >= HIP_COMPRESSED;
	if (!o->code->bundles)
		return true;
	return chooses_model() ? set_model(o) : check_machine(o);
}

/* --- the program --- */
static bool has_own_code;

static void check_program(void)
{
	struct device_code code = {0};
	struct code_owner owner = {program_invocation_short_name, &code};
	struct strbuf paths = {0};
	bool ok;

	if (!is_checked())
		return;
	device_code_add_file(&code, SELF);
	has_own_code = code.bundles || code.compressed;
	if (!has_own_code)
		return;
	dl_iterate_phdr(append_library, &paths);
	ok = check_code(&owner, find_hip_version(&paths));
	strbuf_free(&paths);
	if (!ok)
		_exit(WRONG_REQUEST);
}

static pthread_once_t program_once = PTHREAD_ONCE_INIT;

/* Before the program's own constructors. */
__attribute__((constructor)) static void check_program_at_start(void)
{
	pthread_once(&program_once, check_program);
}

/* Those that are loaded when the device is first used. Whether the program needs their code is not known, so it goes
 * on. */
static void check_libraries(void)
{
	struct device_code code = {0};
	struct code_owner owner = {NULL, &code};
	struct strbuf paths = {0};

	dl_iterate_phdr(append_library, &paths);
	for (const char *p = next_library(&paths, NULL); p; p = next_library(&paths, p)) {
		device_code_add_file(&code, p);
		if (!owner.name && (code.bundles || code.compressed))
			owner.name = base_name(p);
	}
	check_code(&owner, find_hip_version(&paths));
	strbuf_free(&paths);
}

void program_targets_apply(void)
{
	pthread_once(&program_once, check_program);
	if (is_checked() && !has_own_code)
		check_libraries();
}

/* --- for `exec` --- */
EXPORT int softgpu_choose(const char *path, char *out, size_t size)
{
	struct device_code code = {0};
	int i;

	device_code_add_file(&code, path);
	i = device_code_choose(&code);
	if (i >= 0)
		snprintf(out, size, "%s", model_at((size_t)i)->name);
	return i < 0 ? -1 : 0;
}
