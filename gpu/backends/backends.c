/* The table of backends, and queries about devices by name. */
#include "gpu/backends/backend.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "gpu/softgpu-link/soft_name.h"

#define BACKEND(name) extern const struct backend backend_##name;
#include "gpu/backends/backends.def"
#include "gpu/protocol/header_record.h"
#undef BACKEND

static const struct backend *const backends[] = {
#define BACKEND(name) &backend_##name,
#include "gpu/backends/backends.def"
#undef BACKEND
};
enum { BACKENDS = sizeof backends / sizeof *backends, EXAMPLES_MAX = 40 };

const struct backend *backend_get(size_t i)
{
	return i < BACKENDS ? backends[i] : NULL;
}

/* The text after "PREFIX:"; NULL when the name has another prefix. */
static const char *skip_prefix(const char *device, const struct backend *b)
{
	size_t n = strlen(b->prefix);
	return strncmp(device, b->prefix, n) || device[n] != ':' ? NULL : device + n + 1;
}

const struct backend *backend_find(const char *device, const char **rest)
{
	for (size_t i = 0; i < BACKENDS; i++) {
		const char *after = skip_prefix(device, backends[i]);
		if (!after || !*after || (backends[i]->accepts && !backends[i]->accepts(after)))
			continue;
		if (rest)
			*rest = after;
		return backends[i];
	}
	return NULL;
}

const char *device_rest(const char *device)
{
	for (size_t i = 0; i < BACKENDS; i++) {
		const char *after = skip_prefix(device, backends[i]);
		if (after)
			return after;
	}
	return device;
}

/* --- capabilities --- */
static bool backend_can(const struct backend *b, unsigned capabilities)
{
	return b && (b->capabilities & capabilities) == capabilities;
}

bool device_can(const char *device, unsigned capabilities)
{
	return backend_can(backend_find(device, NULL), capabilities) &&
		!(capabilities & DEVICE_DETERMINISTIC && device_is_noisy(device));
}

bool device_is_noisy(const char *device)
{
	return backend_can(backend_find(device, NULL), DEVICE_SIMULATED) && soft_name_is_disturbed(device);
}

void device_read_arch(const char *device, char arch[DEVICE_ARCH])
{
	const char *rest;
	const struct backend *b = backend_find(device, &rest);
	arch[0] = 0;
	if (b && b->read_arch)
		b->read_arch(rest, arch);
}

static const struct backend *backend_of_record(const json_t *record)
{
	const char *kind = record_get_text(record, "kind");
	for (size_t i = 0; i < BACKENDS; i++)
		if (!strcmp(backends[i]->prefix, kind))
			return backends[i];
	return NULL;
}

bool device_record_can(const json_t *record, unsigned capabilities)
{
	return backend_can(backend_of_record(record), capabilities);
}

const char *device_record_remark(const json_t *record)
{
	const struct backend *b = backend_of_record(record);
	return b && b->remark ? b->remark : "";
}

/* Transfers per memory clock that HIP reports: GDDR6, which gfx10 and later have, sends 16 per clock of its commands;
 * HBM2 sends 2. */
static double transfers_per_clock(const char *arch)
{
	return strncmp(arch, "gfx1", 4) ? 2 : 16;
}

double device_record_bandwidth(const json_t *record)
{
	const json_t *p = device_get_properties(record);
	struct reading modeled = record_get_reading(json_object_get(record, "constants"), "dram_mbps"),
		       clock = record_get_reading(p, "mclk_mhz"), bits = record_get_reading(p, "memory_bus_bits");
	if (modeled.valid)
		return modeled.value * 1e6;
	return clock.valid && bits.valid
		? transfers_per_clock(device_get_arch(record)) * clock.value * 1e6 * bits.value / 8
		: 0;
}

/* --- lists --- */
static size_t list_backend(const struct backend *b, char names[][DEVICE_SHORT_NAME], size_t max, bool offered)
{
	size_t n = b->list ? b->list(names, max) : 0;
	if (!n && max && offered && b->offer_form)
		snprintf(names[n++], DEVICE_SHORT_NAME, "%s", b->form);
	return n;
}

size_t backends_list_devices(char names[][DEVICE_SHORT_NAME], size_t max, bool offered)
{
	size_t n = 0;
	for (size_t i = 0; i < BACKENDS; i++)
		n += list_backend(backends[i], names + n, max - n, offered);
	return n;
}

const char *device_default_name(void)
{
	const char *name = NULL;
	for (size_t i = 0; i < BACKENDS && !name; i++)
		name = backends[i]->default_device ? backends[i]->default_device() : NULL;
	return name ? name : backends[0]->form;
}

/* --- checks --- */
/* The devices found here, then the forms: "soft:mi25, soft:mi60, hip:0, replay:FILE". */
static bool refuse_name(const char *device, struct err *e)
{
	char names[EXAMPLES_MAX][DEVICE_SHORT_NAME];
	const char *examples[EXAMPLES_MAX + BACKENDS];
	struct buf all = {0};
	int count = 0;
	for (size_t i = 0; i < BACKENDS; i++) {
		size_t n = backends[i]->form
			? 0
			: list_backend(backends[i], names + count, (size_t)(EXAMPLES_MAX - count), false);
		while (n--)
			examples[count] = names[count], count++;
	}
	for (size_t i = 0; i < BACKENDS; i++)
		if (backends[i]->form)
			examples[count++] = backends[i]->form;
	for (int i = 0; i < count; i++)
		buf_printf(&all, "%s%s", i ? ", " : "", examples[i]);
	const char *near = find_nearest_name(device, examples, count);
	err_set(e, ST_REQUEST, "unknown device '%s'; %s%s%sdevices are %s (`wavedeck devices` lists them)", device,
		near ? "did you mean " : "", near ? near : "", near ? "? " : "", all.data ? all.data : "");
	buf_free(&all);
	return false;
}

bool device_name_check(const char *device, struct err *e)
{
	return backend_find(device, NULL) || refuse_name(device, e);
}

bool device_name_check_deep(const char *device, struct err *e)
{
	const char *rest;
	const struct backend *b = backend_find(device, &rest);
	if (!b)
		return refuse_name(device, e);
	return !b->check || b->check(rest, e);
}

bool device_check_counters(const char *device, const char *const *names, struct err *e)
{
	const struct backend *b = backend_find(device, NULL);
	return !b || !b->check_counters || b->check_counters(names, e);
}
