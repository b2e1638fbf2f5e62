#include "softgpu/driver/check/launch_checks.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/core/check_report.h"
#include "softgpu/driver/check/allocations.h"
#include "softgpu/driver/check/check_journal.h"
#include "softgpu/driver/check/check_mode.h"
#include "softgpu/driver/queues/launch_slots.h"

static unsigned checks; /* enum check; 0: none */
static uint64_t launches;

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
	if (is_programs_own(kernel))
		return checks;
	return checks & CHECK_INIT ? CHECK_INIT | CHECK_QUIET : 0;
}

void launch_checks_begin(const struct active_launch *r)
{
	const bool own = checks && is_programs_own(r->kernel);

	if (checks)
		gpu_set_checks(r->gpu, checks_of(r->kernel), allocations_find_extent);
	if (own)
		check_journal_count_launch(r);
}

void launch_checks_end(const struct active_launch *r)
{
	const size_t count = checks ? gpu_read_check_reports(r->gpu, NULL, 0) : 0;
	struct check_report *found = count ? calloc(count, sizeof *found) : NULL;

	if (found) {
		gpu_read_check_reports(r->gpu, found, count);
		for (size_t k = 0; k < count; k++)
			check_journal_add(r, launches, &found[k]);
	}
	free(found);
	if (count)
		check_journal_count_left_out(gpu_count_unreported_accesses(r->gpu));
	launches++;
}

void launch_checks_reset_in_child(void)
{
	launches = 0;
	check_journal_reset_in_child();
}
