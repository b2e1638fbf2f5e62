/* Accesses next to the arguments of a kernel, such as an index past the end of an array in a structure that is passed
 * by value. Runtimes take memory for arguments in whole pages, so the rest of their page is other launches' arguments.
 */
#include "softgpu/core/check/checker.h"

enum { PACKET_BYTES = 64 };
#define LAST_IN_PAGE UINT64_C(4095)

static bool is_near_arguments(const struct launch *n, uint64_t va)
{
	const uint64_t start = n->d->kernarg, last = start + n->argument_bytes - 1;

	return va - start >= n->argument_bytes && va >= (start & ~LAST_IN_PAGE) && va <= (last | LAST_IN_PAGE) &&
		va - n->d->packet_va >= PACKET_BYTES;
}

/* A program may put them into an allocation of its own, with other things. */
static bool is_in_allocation(const struct machine *m, uint64_t va)
{
	struct check_extent e;

	return m->checker->find && m->checker->find(va, &e) && e.state == EXTENT_LIVE;
}

/* Only the first byte counts: compilers load up to 16 bytes at once that may go on behind the last argument. */
void checker_access_arguments(
	struct wave *w, const struct uop *i, unsigned lane, uint64_t va, uint32_t bytes, unsigned access)
{
	if (!w->launch->argument_bytes || !is_near_arguments(w->launch, va) || is_in_allocation(w->m, va))
		return;
	struct check_report found = {.kind = CHECK_KIND_OUT_OF_BOUNDS,
		.space = SPACE_ARGUMENTS,
		.at = checker_describe_side(w, i, lane),
		.room = w->launch->argument_bytes,
		.start = w->launch->d->kernarg};
	found.at.address = va;
	found.at.bytes = bytes;
	found.at.access = access;
	check_reports_add(&w->m->checker->reports, &found);
}
