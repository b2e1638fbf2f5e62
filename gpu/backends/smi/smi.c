/* Chooses a library for telemetry and starts it in a thread. */
#include "gpu/backends/smi/smi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/host/package_advice.h"
#include "base/host_clock.h"

enum { OTHERS_PAUSE = 20 /* times as long as a count took */ };

extern const struct smi_library smi_rocm, smi_amd, smi_nvml;
/* ROCm up to 9 has both; amd-smi rounds to whole degrees and watts. */
const struct smi_library *const smi_libraries[] = {&smi_rocm, &smi_amd, NULL};
const struct smi_library *const smi_of_nvidia[] = {&smi_nvml, NULL};

static _Atomic(const struct smi_library *) current; /* NULL until one has started */

struct starter {
	pthread_mutex_t lock;
	pthread_cond_t done;
	bool ended;
	struct err why;
};
static struct starter starter = {.lock = PTHREAD_MUTEX_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};
static struct device_info gpu;
static const struct smi_library *const *candidates;

bool smi_resolve_symbols(void *handle, const struct smi_symbol *list, size_t count, const char *name, struct err *e)
{
	for (size_t i = 0; i < count; i++) {
		void *f = dlsym(handle, list[i].name);
		if (!f && !list[i].optional)
			return err_set(e, ST_FAILED,
				"no clock readings: %s does not provide %s; install a newer version", name,
				list[i].name);
		memcpy(list[i].slot, &f, sizeof f);
	}
	return true;
}

/* `e` keeps the first error. */
static bool start_library(const struct smi_library *l, struct err *e)
{
	char missing[200];
	struct err why = {0};
	void *handle = shared_library_open(&l->library, RTLD_NOW, missing, sizeof missing);
	if (!handle && *missing)
		err_set(&why, ST_FAILED, "no clock readings: cannot load %s: %s", l->name, missing);
	if (handle && l->resolve(handle, &why) && l->start(&gpu, &why)) {
		atomic_store(&current, l); /* even after the wait has timed out */
		return true;
	}
	if (!*e->text)
		*e = why;
	return false;
}

static void set_missing_error(struct err *e)
{
	char command[200];
	if (candidates == smi_of_nvidia) {
		err_set(e, ST_FAILED,
			"no clock readings: NVML not found (libnvidia-ml.so.1); it is part of NVIDIA's driver, install that again");
		return;
	}
	package_install_command("smi", 0, command, sizeof command);
	err_set(e, ST_FAILED, "no clock readings: neither rocm-smi nor amd-smi found; install one: %s", command);
}

static void *run_starter(void *unused)
{
	(void)unused;
	struct err why = {0};
	bool ok = false;
	for (int i = 0; !ok && candidates[i]; i++)
		ok = start_library(candidates[i], &why);
	if (!ok && !*why.text)
		set_missing_error(&why);
	pthread_mutex_lock(&starter.lock);
	starter.why = why;
	starter.ended = true;
	pthread_cond_signal(&starter.done);
	pthread_mutex_unlock(&starter.lock);
	return NULL;
}

static bool wait_for_starter(int limit_ms, struct err *e)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += limit_ms / 1000;
	until.tv_nsec += limit_ms % 1000 * 1000000L;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	pthread_mutex_lock(&starter.lock);
	while (!starter.ended && !pthread_cond_timedwait(&starter.done, &starter.lock, &until))
		;
	bool ended = starter.ended;
	if (ended && !smi_current() && e)
		*e = starter.why;
	pthread_mutex_unlock(&starter.lock);
	if (ended)
		return smi_current() != NULL;
	if (candidates == smi_of_nvidia)
		return err_set(e, ST_FAILED, "no clock readings yet: NVML did not start within %d ms", limit_ms);
	return err_set(e, ST_FAILED,
		"no clock readings yet: rocm-smi did not start within %d ms, probably because a killed program left its lock "
		"behind; remove it: rm /dev/shm/rocm_smi_card*",
		limit_ms);
}

bool smi_open(const struct smi_library *const *libraries, const struct device_info *info, int limit_ms, struct err *e)
{
	pthread_t thread;
	candidates = libraries;
	gpu = *info;
	if (pthread_create(&thread, NULL, run_starter, NULL))
		return err_set(e, ST_FAILED, "no clock readings: cannot create a thread");
	pthread_detach(thread);
	return wait_for_starter(limit_ms, e);
}

/* A count that takes long is made less often: it takes at most a twentieth of the time. */
static unsigned read_others(const struct smi_library *l)
{
	static double next;
	static unsigned last;
	double start = now_seconds();
	if (start < next)
		return last;
	last = l->count_others();
	double end = now_seconds();
	next = end + OTHERS_PAUSE * (end - start);
	return last;
}

struct clocks smi_read(void)
{
	const struct smi_library *l = smi_current();
	if (!l)
		return (struct clocks){0};
	struct clocks c = l->read();
	c.others = read_others(l);
	return c;
}

const struct smi_library *smi_current(void)
{
	return atomic_load(&current);
}
