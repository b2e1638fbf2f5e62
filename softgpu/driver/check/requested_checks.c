#include "softgpu/driver/check/requested_checks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "softgpu/core/check/check_list.h"
#include "softgpu/core/check/check_reports.h"
#include "softgpu/driver/check/allocations.h"
#include "softgpu/driver/check/check_mode.h"
#include "softgpu/driver/check/device_variables.h"
#include "softgpu/driver/check/report_fields.h"
#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/interpose/strbuf.h"
#include "softgpu/driver/probe/bounded_buffers.h"
#include "softgpu/driver/probe/kernel_name.h"
#include "softgpu/probe.h"

enum { PLACES_MAX = 4096 };

/* A place of the launches since the request. */
struct place {
	char kernel[KERNEL_NAME_BYTES];
	struct dispatch dispatch; /* of the first launch there */
	uint64_t launch;          /* its number, from 0 on */
	struct check_report found;
};

static _Atomic unsigned requested;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the next */
static struct place *places;
static size_t count, capacity;
static uint64_t launches, left_out;

unsigned requested_checks(void)
{
	return requested;
}

bool requested_checks_find_extent(uint64_t va, struct check_extent *out)
{
	return bounded_buffers_find_extent(va, out) ||
		(check_tracks_memory() && (allocations_find_extent(va, out) || device_variables_find_extent(va, out)));
}

/* --- keeping, under the lock --- */
static struct place *find_place(const struct check_report *found)
{
	for (size_t k = count; k-- > 0;)
		if (check_report_is_same_place(&places[k].found, found))
			return &places[k];
	return NULL;
}

static bool make_room(void)
{
	const size_t more = capacity ? 2 * capacity : 16;
	struct place *list;

	if (count < capacity)
		return true;
	list = capacity < PLACES_MAX ? realloc(places, more * sizeof *list) : NULL;
	if (!list)
		return false;
	places = list;
	capacity = more;
	return true;
}

static void keep_report(const char *kernel, const struct dispatch *d, const struct check_report *found)
{
	struct place *known = find_place(found);

	if (known) {
		known->found.count += found->count;
	} else if (make_room()) {
		places[count] = (struct place){.dispatch = *d, .launch = launches, .found = *found};
		snprintf(places[count++].kernel, sizeof places->kernel, "%s", kernel);
	} else {
		left_out += found->count;
	}
}

void requested_checks_keep(const struct gpu *g, const char *kernel, const struct dispatch *d)
{
	const size_t n = requested ? gpu_read_check_reports(g, NULL, 0) : 0;
	struct check_report *found = n ? calloc(n, sizeof *found) : NULL;

	if (!requested)
		return;
	if (found)
		gpu_read_check_reports(g, found, n);
	pthread_mutex_lock(&lock);
	for (size_t k = 0; found && k < n; k++)
		keep_report(kernel, d, &found[k]);
	left_out += gpu_count_unreported_accesses(g);
	launches++;
	pthread_mutex_unlock(&lock);
	free(found);
}

/* --- probe.h --- */
EXPORT int softgpu_request_checks(const char *list, char *why, size_t size)
{
	unsigned bits;

	if (!check_list_read(list, &bits, why, size))
		return -1;
	pthread_mutex_lock(&lock);
	requested = bits;
	count = 0;
	launches = left_out = 0;
	pthread_mutex_unlock(&lock);
	return 0;
}

static void append_places(struct strbuf *t)
{
	strbuf_printf(t, "{\"launches\":%llu,\"left_out\":%llu,\"places\":[", (unsigned long long)launches,
		(unsigned long long)left_out);
	for (size_t k = 0; k < count; k++) {
		strbuf_printf(
			t, "%s{\"launch\":%llu,\"code\":\"\",", k ? "," : "", (unsigned long long)places[k].launch);
		report_append_fields(t, places[k].kernel, &places[k].dispatch, &places[k].found);
		strbuf_append(t, "}", 1);
	}
	strbuf_printf(t, "]}");
}

EXPORT size_t softgpu_check_reports(char *out, size_t size)
{
	struct strbuf t = {0};
	size_t length;

	pthread_mutex_lock(&lock);
	if (launches)
		append_places(&t);
	pthread_mutex_unlock(&lock);
	length = t.length;
	snprintf(out, size, "%s", t.data ? t.data : "");
	strbuf_free(&t);
	return length;
}
