#include "softgpu/driver/check/host_reads.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/min_max.h"
#include "softgpu/core/check/races/number_map.h"
#include "softgpu/driver/check/check_journal.h"
#include "softgpu/driver/check/copied_memory.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/queues/launch_slots.h"

enum { EXPECTED_MAX = 256, PLACES_MAX = 64, LAUNCHES_KEPT_MAX = 65536 };

struct kept_launch {
	char kernel[KERNEL_NAME_BYTES], code[CODE_NAME_BYTES];
	struct dispatch dispatch;
	uint64_t number;
};
static struct number_map kept; /* by active_launch.number; for the rest of the process. Under the device lock */

static struct expected_copy {
	struct copied_rows rows;
	uint32_t stack;
	uint64_t left;    /* bytes that were not copied yet; 0: it is done */
} expected[EXPECTED_MAX]; /* the newest replaces the oldest. Under the device lock */
static uint64_t expected_count;

void host_reads_keep_launch(const struct active_launch *r, uint64_t number)
{
	struct kept_launch *l = kept.count < LAUNCHES_KEPT_MAX ? calloc(1, sizeof *l) : NULL;

	if (!l)
		return;
	snprintf(l->kernel, sizeof l->kernel, "%s", r->kernel);
	l->dispatch = r->dispatch;
	l->number = number;
	check_journal_keep_code(r, l->code);
	if (!number_map_add(&kept, r->number, l))
		free(l);
}

/* --- reports, under the device lock --- */
static void report_bytes(struct gpu *g, uint64_t from, uint64_t bytes, uint32_t stack)
{
	struct check_report found[PLACES_MAX];
	const size_t count = gpu_take_undefined(g, from, bytes, found, PLACES_MAX);

	for (size_t k = 0; k < count; k++) {
		const struct kept_launch *l = number_map_find(&kept, found[k].launch);
		found[k].read_by = stack;
		if (l)
			check_journal_add(&(struct checked_launch){l->kernel, &l->dispatch, l->number, .code = l->code},
				&found[k]);
	}
}

void host_reads_report(const struct copied_rows *c, uint32_t stack)
{
	device_lock();
	for (unsigned k = 0; kept.count && k < machine_gpu_count(); k++)
		for (uint64_t y = 0; y < c->height; y++)
			report_bytes(device_at(k)->gpu, c->from + y * c->from_pitch, c->width, stack);
	device_unlock();
}

/* --- copies that run later --- */
void host_reads_expect(const struct copied_rows *c, uint32_t stack)
{
	device_lock();
	expected[expected_count++ % EXPECTED_MAX] = (struct expected_copy){*c, stack, c->width * c->height};
	device_unlock();
}

static bool reads_rows(const struct copied_rows *c, uint64_t from)
{
	return c->height && from - c->from < (c->height - 1) * c->from_pitch + c->width;
}

/* The oldest one that is not done: copies of the same bytes run in the order of their stream. */
static struct expected_copy *find_expected(uint64_t from)
{
	const uint64_t count = expected_count < EXPECTED_MAX ? expected_count : EXPECTED_MAX;

	for (uint64_t k = count; k > 0; k--) {
		struct expected_copy *e = &expected[(expected_count - k) % EXPECTED_MAX];
		if (e->left && reads_rows(&e->rows, from))
			return e;
	}
	return NULL;
}

void host_reads_note_copy(struct softgpu_device *d, uint64_t to, uint64_t from, uint64_t bytes)
{
	struct expected_copy *e = find_expected(from);

	if (!e || !gpu_is_host_memory(d->gpu, to))
		return;
	e->left -= min_u64(bytes, e->left);
	if (kept.count)
		report_bytes(d->gpu, from, bytes, e->stack);
}

void host_reads_reset_in_child(void)
{
	number_map_free_values(&kept);
	expected_count = 0;
}
