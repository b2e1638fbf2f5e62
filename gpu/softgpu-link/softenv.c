/* Sets the environment variables that preload the software GPU into a program. */
#include "gpu/softgpu-link/softenv.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/host_paths.h"
#include "base/paths.h"
#include "gpu/softgpu-link/fault_model.h"
#include "gpu/softgpu-link/noise_model.h"
#include "gpu/softgpu-link/soft_name.h"
#include "gpu/softgpu-link/softlib.h"
#include "softgpu/probe.h"

#define LIBRARY SOFTLIB_NAME

extern char **environ;

/* --- vendor variables --- */
/* The user's settings for a real GPU would change or hide the software GPU (HSA_OVERRIDE_GFX_VERSION,
 * ROCR_VISIBLE_DEVICES, ...). */
static bool is_vendor_variable(const char *entry)
{
	static const char *const prefixes[] = {
		"HSA_", "HIP_", "ROCR_", "GPU_DEVICE_ORDINAL=", "CUDA_VISIBLE_DEVICES=", "SOFTGPU_SET="};
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (!strncmp(entry, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

static void unset_vendor_variables(void)
{
	for (char **p = environ; p && *p;) {
		if (!is_vendor_variable(*p)) {
			p++;
			continue;
		}
		char *name = xstrdup(*p);
		name[strcspn(name, "=")] = 0;
		unsetenv(name);
		free(name);
		p = environ;
	}
}

/* --- lists in variables --- */
/* `value` without the elements that are in `removed`; elements end at any of `separators`. The caller frees the result.
 */
static char *remove_from_list(const char *value, const char *separators, const char *const *removed, size_t count)
{
	struct buf b = {0};
	for (const char *s = value; *s;) {
		size_t n = strcspn(s, separators);
		bool drop = n == 0;
		for (size_t i = 0; i < count; i++)
			drop |= strlen(removed[i]) == n && !strncmp(s, removed[i], n);
		if (!drop) {
			buf_puts(&b, b.len ? ":" : "");
			buf_add(&b, s, n);
		}
		s += n + (s[n] != 0);
	}
	return b.data ? b.data : xstrdup("");
}

static void set_or_unset(const char *name, const char *value)
{
	if (*value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

static void prepend_to_list(
	const char *name, const char *first, const char *separators, const char *const *old, size_t count)
{
	const char *now = getenv(name);
	char *rest = remove_from_list(now ? now : "", separators, old, count);
	char *value = xasprintf("%s%s%s", first, *rest ? ":" : "", rest);
	setenv(name, value, 1);
	free(value);
	free(rest);
}

/* The library of the address sanitizer if this program uses it, otherwise "". It must be preloaded first. */
static void find_asan_library(char *out, size_t size)
{
	Dl_info info;
	void *f = dlsym(RTLD_DEFAULT, "__asan_init");
	*out = 0;
	if (!f || !dladdr(f, &info) || !info.dli_fname)
		return;
	const char *slash = strrchr(info.dli_fname, '/');
	const char *base = slash ? slash + 1 : info.dli_fname;
	if (!strncmp(base, "libasan", 7) || !strncmp(base, "libclang_rt.asan", 16))
		snprintf(out, size, "%s", base);
}

static char *library_folder(void)
{
	char *folder = path_build("");
	size_t n = strlen(folder);
	if (n > 1 && folder[n - 1] == '/')
		folder[n - 1] = 0;
	return folder;
}

/* --- the model --- */
static bool check_text(const char *function, const char *model, struct err *e)
{
	char why[400] = "";
	void *lib = softlib_open(e);
	softgpu_check_fn *check = lib ? (softgpu_check_fn *)dlsym(lib, function) : NULL;
	bool ok = check && !check(model, why, sizeof why);
	if (lib && !check)
		err_set(e, ST_FAILED, "libsoftgpu.so does not provide %s; rebuild it: make", function);
	else if (lib && !ok)
		err_set(e, ST_REQUEST, "soft:%.80s: %s", model, why);
	if (lib)
		dlclose(lib);
	return ok;
}

/* The library knows nothing of noise and faults. */
static bool check_disturbances_and_text(const char *model, struct err *e)
{
	struct noise_model noise;
	struct fault_model faults;
	struct err why;
	if (!noise_parse(model, &noise, &why) || !fault_parse(model, &faults, &why))
		return err_set(e, ST_REQUEST, "soft:%.80s: %.250s", model, why.text);
	char *plain = soft_name_remove_disturbances(model);
	bool ok = check_text("softgpu_check", plain, e);
	free(plain);
	return ok;
}

/* Experiments measure one GPU. */
bool softgpu_check_model(const char *model, struct err *e)
{
	size_t name = strcspn(model, ",");
	if (strcspn(model, "*+") < name)
		return err_set(
			e, ST_REQUEST, "soft:%.80s: a device is one GPU; several are for wavedeck exec --model", model);
	return check_disturbances_and_text(model, e);
}

bool softgpu_check_machine(const char *models, struct err *e)
{
	if (soft_name_is_disturbed(models))
		return err_set(e, ST_REQUEST,
			"soft:%.80s: noise and faults act on what experiments measure, and programs read their times themselves; remove noise= and fault=",
			models);
	return check_text("softgpu_check_gpus", models, e);
}

/* --- set and remove --- */
char *softgpu_choose_model(const char *program)
{
	char *path = host_find_program(program), name[32];
	void *lib = path ? softlib_open(NULL) : NULL;
	softgpu_choose_fn *choose = lib ? (softgpu_choose_fn *)dlsym(lib, "softgpu_choose") : NULL;
	bool found = choose && !choose(path, name, sizeof name);
	if (lib)
		dlclose(lib);
	free(path);
	return found ? xstrdup(name) : NULL;
}

bool softgpu_env_apply(const char *model, struct err *e)
{
	char asan[64];
	char *folder = library_folder();
	if (strpbrk(folder, ":;")) {
		err_set(e, ST_FAILED,
			"the folder %s has a colon in its name, so libraries cannot be preloaded from it; move the program",
			folder);
		free(folder);
		return false;
	}
	find_asan_library(asan, sizeof asan);
	unset_vendor_variables();
	char *preload = xasprintf("%s%s" LIBRARY, asan, *asan ? ":" : "");
	prepend_to_list("LD_PRELOAD", preload, ": ", (const char *const[]){LIBRARY, asan}, 2);
	prepend_to_list("LD_LIBRARY_PATH", folder, ":;", (const char *const[]){folder}, 1);
	if (*asan) /* the vendor libraries leak memory */
		prepend_to_list("ASAN_OPTIONS", "detect_leaks=0", ":", (const char *const[]){"detect_leaks=0"}, 1);
	setenv("SOFTGPU", model, 1);
	unsetenv("SOFTGPU_PROGRESS");
	unsetenv("SOFTGPU_TARGETS");
	free(preload);
	free(folder);
	return true;
}

void softgpu_env_remove(void)
{
	char asan[64];
	const char *now = getenv("LD_PRELOAD"), *paths = getenv("LD_LIBRARY_PATH");
	find_asan_library(asan, sizeof asan);
	char *folder = library_folder();
	char *preload = remove_from_list(now ? now : "", ": ", (const char *const[]){LIBRARY, asan}, 2);
	char *rest = remove_from_list(paths ? paths : "", ":;", (const char *const[]){folder}, 1);
	set_or_unset("LD_PRELOAD", preload);
	set_or_unset("LD_LIBRARY_PATH", rest);
	free(preload);
	free(rest);
	free(folder);
}

static void set_capture(const struct exec_watch *w)
{
	const struct {
		const char *name, *value;
	} list[] = {{"SOFTGPU_CAPTURE", w->capture}, {"SOFTGPU_CAPTURE_KERNEL", w->capture_kernel},
		{"SOFTGPU_CAPTURE_LAUNCHES", w->capture_launches}, {"SOFTGPU_CAPTURE_SLOWEST", w->capture_slowest}};
	for (size_t i = 0; w->capture && i < sizeof list / sizeof *list; i++)
		set_or_unset(list[i].name, list[i].value ? list[i].value : "");
}

static void set_checks(const struct exec_watch *w)
{
	if (!w->checks)
		return;
	setenv("SOFTGPU_CHECK", w->checks, 1);
	setenv("SOFTGPU_CHECK_FOLDER", w->check_folder, 1);
}

/* The environment variables of libsoftgpu.so for it: SOFTGPU_HOST_CLOCK, _PROGRESS, _PROFILE, _TIMELINE,
 * _CAPTURE..., _CHECK... */
static void set_env_watch(const struct exec_watch *w)
{
	char process[24];
	char *folder = w->timeline && w->timeline[0] != '/' ? getcwd(NULL, 0) : NULL;
	char *timeline = xasprintf("%s%s%s", folder ? folder : "", folder ? "/" : "", w->timeline ? w->timeline : "");
	snprintf(process, sizeof process, "%ld", (long)getpid()); /* exec keeps it */
	setenv("SOFTGPU_HOST_CLOCK", w->virtual_clock ? "virtual" : "note", 1);
	setenv("SOFTGPU_PROGRESS", w->no_progress ? "0" : "1", 1);
	setenv("SOFTGPU_PROFILE", w->profile ? "1" : "0", 1);
	setenv("SOFTGPU_PROGRAM", process, 1);
	set_or_unset("SOFTGPU_TIMELINE", timeline);
	if (w->threads)
		setenv("SOFTGPU_THREADS", w->threads, 1);
	set_capture(w);
	set_checks(w);
	if (w->sums)
		setenv("SOFTGPU_SUMS", w->sums, 1);
	if (w->journal)
		setenv("SOFTGPU_JOURNAL", w->journal, 1);
	free(timeline);
	free(folder);
}

int softgpu_exec(const char *model, const struct exec_watch *w, char **argv, struct err *e)
{
	const char *machine = model ? model : "mi25";
	if (!argv || !argv[0]) {
		err_set(e, ST_REQUEST, "program missing; write: wavedeck exec -- PROGRAM [ARGUMENT]...");
		return ST_REQUEST;
	}
	if (!softgpu_check_machine(machine, e) || !softgpu_env_apply(machine, e))
		return e ? (int)e->status : ST_FAILED;
	set_env_watch(w);
	setenv("SOFTGPU_TARGETS", model ? "check" : "choose", 1);
	execvp(argv[0], argv);
	err_set(e, ST_REQUEST, "cannot run %s: %s; give the path of the program", argv[0], strerror(errno));
	return ST_REQUEST;
}
