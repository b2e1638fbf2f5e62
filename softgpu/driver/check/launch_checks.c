#include "softgpu/driver/check/launch_checks.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/core/check_report.h"
#include "softgpu/driver/check/check_journal.h"
#include "softgpu/driver/check/check_mode.h"
#include "softgpu/driver/check/host_reads.h"
#include "softgpu/driver/check/requested_checks.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/queues/launch_slots.h"

static unsigned checks; /* enum check, of SOFTGPU_CHECK; 0: none */
static uint64_t launches;

/* What the journal already has of a launch that runs: the accesses of each place. */
static struct written {
	const struct gpu *gpu; /* NULL: of none */
	uint64_t number;
	uint64_t *accesses;
	size_t places;
} written[LAUNCH_SLOTS];

void launch_checks_prepare(void)
{
	static bool at_exit;

	checks = check_mode() & ~(unsigned)CHECK_LEAK;
	if (check_mode())
		check_journal_prepare();
	if (check_mode() & CHECK_LEAK && !at_exit)
		at_exit = atexit(check_journal_add_leaks) == 0;
}

static bool is_programs_own(const char *kernel)
{
	return strncmp(kernel, "__amd_rocclr_", 13) && strncmp(kernel, "0x", 2);
}

/* What the runtime's own kernels copy keeps what is known of it. */
static unsigned checks_of(const char *kernel)
{
	const unsigned all = checks | requested_checks();

	if (is_programs_own(kernel))
		return all;
	return all & CHECK_INIT ? CHECK_INIT | CHECK_QUIET : 0;
}

void launch_checks_begin(const struct active_launch *r)
{
	if (!r->device->kernels.count) { /* others keep what they are checked for */
		gpu_set_checks(r->gpu, checks_of(r->kernel), requested_checks_find_extent);
		gpu_number_launch(r->gpu, r->number);
	}
	if (checks && is_programs_own(r->kernel))
		check_journal_count_launch(r);
}

/* --- what a launch found --- */
static struct written *find_written(const struct gpu *gpu)
{
	struct written *unused = NULL;

	for (size_t k = 0; k < LAUNCH_SLOTS; k++) {
		if (written[k].gpu == gpu)
			return &written[k];
		if (!written[k].gpu)
			unused = &written[k];
	}
	if (unused)
		*unused = (struct written){.gpu = gpu, .number = launches};
	return unused;
}

static bool make_room(struct written *w, size_t places)
{
	uint64_t *more = realloc(w->accesses, places * sizeof *more);

	if (more)
		w->accesses = more;
	return more;
}

/* Writes what was found since the last time: all, or only new places. */
static void write_found(const struct active_launch *r, struct written *w, bool all)
{
	const size_t count = gpu_read_check_reports(r->gpu, NULL, 0);
	const struct checked_launch launch = {r->kernel, &r->dispatch, w->number, .running = r};
	struct check_report *found = calloc(count, sizeof *found);

	if (found && make_room(w, count)) {
		gpu_read_check_reports(r->gpu, found, count);
		for (size_t k = all ? 0 : w->places; k < count; k++) {
			const uint64_t before = k < w->places ? w->accesses[k] : 0;
			w->accesses[k] = found[k].count;
			found[k].count -= before;
			if (found[k].count)
				check_journal_add(&launch, &found[k]);
		}
		w->places = count;
	}
	free(found);
}

void launch_checks_note(const struct active_launch *r)
{
	const size_t count = checks ? gpu_read_check_reports(r->gpu, NULL, 0) : 0;
	struct written *w = count ? find_written(r->gpu) : NULL;

	if (w && count > w->places)
		write_found(r, w, false);
}

void launch_checks_end(const struct active_launch *r)
{
	if (is_programs_own(r->kernel))
		requested_checks_keep(r->gpu, r->kernel, &r->dispatch);
	struct written *w = checks && gpu_read_check_reports(r->gpu, NULL, 0) ? find_written(r->gpu) : NULL;

	if (w) {
		write_found(r, w, true);
		check_journal_count_left_out(gpu_count_unreported_accesses(r->gpu));
		free(w->accesses);
		*w = (struct written){0};
	}
	if (checks & CHECK_INIT && gpu_left_undefined(r->gpu))
		host_reads_keep_launch(r, launches);
	launches++;
}

void launch_checks_reset_in_child(void)
{
	launches = 0;
	memset(written, 0, sizeof written);
	host_reads_reset_in_child();
	check_journal_reset_in_child();
}
