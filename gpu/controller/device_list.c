/* Opens devices for a moment, each in its own worker, to see which are usable. */
#include "gpu/controller/device_list.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "gpu/controller/worker_controller.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/header_record.h"

enum { LIMIT_MS = 60000 /* on a busy machine */, PUMP_MS = 50 };

static void poll_workers(struct worker_controller *const *workers, size_t count)
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

static bool is_opening(struct worker_controller *w)
{
	if (!w)
		return false;
	worker_controller_pump(w);
	return worker_controller_state(w) == WORKER_STARTING;
}

static void fill_entry(struct device_entry *d, struct worker_controller *w, const struct err *e)
{
	const json_t *r = w ? worker_controller_device_record(w) : NULL;
	if (r)
		d->record = json_incref((json_t *)r);
	snprintf(d->state, sizeof d->state, "%s", r ? "ready" : "missing");
	const char *why = !w ? e->text
		: worker_controller_state(w) == WORKER_DEAD
		? worker_controller_crash_text(w)
		: "it did not open within 60 s; run `wavedeck doctor` to find the cause";
	snprintf(d->text, sizeof d->text, "%s", r ? device_get_name(r) : why);
}

void device_probe(struct device_entry *list, size_t count)
{
	struct worker_controller *workers[DEVICES_MAX];
	struct err errors[DEVICES_MAX] = {0};
	for (size_t i = 0; i < count; i++)
		workers[i] = worker_controller_start(&(struct worker_place){.device = list[i].device}, &errors[i]);
	for (long long end = now_ms() + LIMIT_MS; now_ms() < end;) {
		bool open = false;
		for (size_t i = 0; i < count; i++)
			open |= is_opening(workers[i]);
		if (!open)
			break;
		poll_workers(workers, count);
	}
	for (size_t i = 0; i < count; i++) {
		fill_entry(&list[i], workers[i], &errors[i]);
		worker_controller_close(workers[i]);
	}
}

size_t device_probe_all(struct device_entry **out)
{
	char names[DEVICES_MAX][DEVICE_SHORT_NAME];
	size_t count = backends_list_devices(names, DEVICES_MAX, false);
	struct device_entry *list = xcalloc(count, sizeof *list);
	for (size_t i = 0; i < count; i++)
		snprintf(list[i].device, sizeof list[i].device, "%.31s", names[i]);
	device_probe(list, count);
	*out = list;
	return count;
}

void device_entries_free(struct device_entry *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		json_decref(list[i].record);
	free(list);
}
