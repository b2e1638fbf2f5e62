#include "gpu/controller/device_list.h"

#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "gpu/controller/worker_controller.h"
#include "gpu/softgpu-link/model_table.h"
#include "gpu/protocol/record.h"

enum { LIMIT_MS = 10000, PUMP_MS = 50, GPUS_MAX = 16, DEVICES_MAX = GPUS_MAX + SOFT_MODELS_MAX };

/* GPUs that the kernel's driver shows: nodes of the KFD topology with a gpu_id other than 0 (a node of CPUs has 0). */
static int kfd_gpus(void)
{
	static const char nodes[] = "/sys/class/kfd/kfd/topology/nodes";
	DIR *d = opendir(nodes);
	int count = 0;
	for (struct dirent *f; d && (f = readdir(d));) {
		char path[512];
		unsigned id = 0;
		snprintf(path, sizeof path, "%s/%s/gpu_id", nodes, f->d_name);
		FILE *in = *f->d_name == '.' ? NULL : fopen(path, "re");
		if (in && fscanf(in, "%u", &id) == 1 && id)
			count++;
		if (in)
			fclose(in);
	}
	if (d)
		closedir(d);
	return count;
}

const char *device_default_name(void)
{
	return !access("/dev/kfd", R_OK | W_OK) && kfd_gpus() > 0 ? "hip:0" : "soft:mi25";
}

/* --- asking --- */
static void wait_for(struct worker_controller *const *workers, size_t count)
{
	struct pollfd fds[2 * DEVICES_MAX];
	nfds_t n = 0;
	for (size_t i = 0; i < count; i++) {
		int two[2], m = workers[i] ? worker_controller_poll_fds(workers[i], two) : 0;
		for (int k = 0; k < m; k++)
			fds[n++] = (struct pollfd){.fd = two[k], .events = POLLIN};
	}
	poll(fds, n, PUMP_MS);
}

static bool undecided(struct worker_controller *w)
{
	if (!w)
		return false;
	worker_controller_pump(w);
	return worker_controller_state(w) == WORKER_STARTING;
}

static void conclude(struct device_entry *d, struct worker_controller *w, const struct err *e)
{
	const json_t *r = w ? worker_controller_device_record(w) : NULL;
	if (r)
		d->record = json_incref((json_t *)r);
	snprintf(d->state, sizeof d->state, "%s", r ? "ready" : "missing");
	const char *why = !w ? e->text
		: worker_controller_state(w) == WORKER_DEAD
		? worker_controller_crash_text(w)
		: "it did not open within 10 s; wavedeck doctor tells what may be missing";
	snprintf(d->text, sizeof d->text, "%s", r ? record_get_text(r, "name") : why);
}

static void ask(struct device_entry *list, size_t count)
{
	struct worker_controller *workers[DEVICES_MAX];
	struct err errors[DEVICES_MAX] = {0};
	for (size_t i = 0; i < count; i++)
		workers[i] = worker_controller_start(list[i].device, &errors[i]);
	for (long long end = now_ms() + LIMIT_MS; now_ms() < end;) {
		bool open = false;
		for (size_t i = 0; i < count; i++)
			open |= undecided(workers[i]);
		if (!open)
			break;
		wait_for(workers, count);
	}
	for (size_t i = 0; i < count; i++) {
		conclude(&list[i], workers[i], &errors[i]);
		worker_controller_close(workers[i]);
	}
}

size_t device_list_names(char names[DEVICE_NAMES_MAX][32])
{
	struct soft_model soft[SOFT_MODELS_MAX];
	size_t models = softgpu_list_models(soft), gpus = (size_t)kfd_gpus(), n = 0;
	for (; n == 0 || (n < gpus && n < GPUS_MAX); n++)
		snprintf(names[n], sizeof names[n], "hip:%zu", n);
	for (size_t i = 0; i < models && n < DEVICE_NAMES_MAX; i++)
		snprintf(names[n++], sizeof names[0], "%.31s", soft[i].device);
	return n;
}

size_t device_probe_all(const char *model, struct device_entry **out)
{
	struct soft_model soft[SOFT_MODELS_MAX];
	size_t models = model ? 1 : softgpu_list_models(soft);
	size_t gpus = (size_t)kfd_gpus(), count = (gpus > GPUS_MAX ? GPUS_MAX : gpus) + models;
	struct device_entry *list = xcalloc(count, sizeof *list), *first = list + count - models;
	for (size_t i = 0; i + models < count; i++)
		snprintf(list[i].device, sizeof list[i].device, "hip:%zu", i);
	for (size_t i = 0; i < models; i++)
		snprintf(first[i].device, sizeof first[i].device, "soft:%s",
			model ? model : soft[i].device + strlen("soft:"));
	ask(list, count);
	*out = list;
	return count;
}

void device_entries_free(struct device_entry *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		json_decref(list[i].record);
	free(list);
}
