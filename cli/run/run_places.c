#include "cli/run/run_places.h"

#include "gpu/backends/backend.h"
#include "gpu/controller/worker_count.h"

static void add_places_here(struct worker_places *out, const char *device, int count)
{
	while (count-- > 0 && out->count < PLACES_MAX)
		out->list[out->count++] = (struct worker_place){device, NULL};
}

static bool find_places_elsewhere(struct worker_places *out, const struct device_choice *devices, const char *workers,
	const char *const *vias, struct err *e)
{
	const char *device = devices->names[0];
	int count = 0;
	while (vias[count])
		count++;
	if (workers)
		return err_set(e, ST_REQUEST,
			"--workers counts workers of this machine; with --via, write the number there: --via local*%.20s",
			workers);
	if (devices->count > 1)
		return err_set(e, ST_REQUEST, "--via measures on one device; remove --device %.60s", devices->names[1]);
	if (!worker_places_parse(vias, count, device, out, e))
		return false;
	return out->count == out->command_count || device_can(device, DEVICE_SIMULATED) ||
		err_set(e, ST_REQUEST, "%.60s gets one worker in each place, because several would share it; remove *",
			device);
}

/* One worker each. */
static bool find_places_on_devices(
	struct worker_places *out, const struct device_choice *devices, const char *workers, struct err *e)
{
	if (workers)
		return err_set(e, ST_REQUEST, "each of several devices gets one worker; remove --workers");
	for (int i = 0; i < devices->count; i++) {
		if (!device_can(devices->names[i], DEVICE_HARDWARE))
			return err_set(e, ST_REQUEST,
				"only GPUs can share a sweep, and %.60s is not one; add --each to measure it on each device",
				devices->names[i]);
		add_places_here(out, devices->names[i], 1);
	}
	return true;
}

bool run_places_find(struct worker_places *out, const struct device_choice *devices, const char *workers,
	const char *const *vias, struct err *e)
{
	const char *device = devices->names[0];
	int count;
	*out = (struct worker_places){.count = 0};
	if (vias[0])
		return find_places_elsewhere(out, devices, workers, vias, e);
	if (devices->count > 1)
		return find_places_on_devices(out, devices, workers, e);
	if (!worker_count_choose(workers, device, &count, e))
		return false;
	add_places_here(out, device, count);
	return true;
}
