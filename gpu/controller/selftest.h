/* What a device's measurements can be trusted with: how fine its timer is, what an empty launch costs, whether events
 * agree with the host's clock, how fast copies are. Each check is a job of its own with "self_test" in it; its point
 * record comes back with "value" in the unit below (seconds of the events). */
#ifndef GPU_CONTROLLER_SELFTEST_H
#define GPU_CONTROLLER_SELFTEST_H

#include <jansson.h>

#include "gpu/worker/measure_point.h"
#include "gpu/protocol/record.h"

/*    id         title                      unit
 *  TIMER: the smallest difference between two event times. LAUNCH: one empty launch between two events; NEXT: what each
 * of many more adds. WALL: the events' time over the host's, of launches that take a while. Copies to and from the host
 * are of pinned memory; on the device a kernel copies, read and written bytes count. */
/* clang-format off */
#define SELFTESTS(X) \
	X(TIMER,     "smallest time step",      "s") \
	X(LAUNCH,    "an empty launch",         "s") \
	X(NEXT,      "each further launch",     "s") \
	X(WALL,      "events / wall clock",     "") \
	X(TO_DEVICE, "copy to the device",      "B/s") \
	X(TO_HOST,   "copy to the host",        "B/s") \
	X(ON_DEVICE, "copy on the device",      "B/s")
/* clang-format on */

#define SELFTEST_ID(id, ...) SELFTEST_##id,
enum selftest { SELFTESTS(SELFTEST_ID) SELFTEST_COUNT };
#undef SELFTEST_ID

const char *selftest_title(enum selftest t);
const char *selftest_unit(enum selftest t);

/* --- the front end's side --- */
/* The job record (gpu/protocol/record.h), numbered; the caller owns it. `soft`: smaller copies, fewer launches. */
json_t *selftest_make_job(enum selftest t, int number, bool soft);

enum selftest_verdict { SELFTEST_GOOD, SELFTEST_NOTE, SELFTEST_BAD };
struct selftest_result {
	struct reading value;
	enum selftest_verdict verdict;
	char text[200];
};
/* What the point record says of a device with that record: value and verdict in words. */
struct selftest_result selftest_evaluate(enum selftest t, const json_t *point, const json_t *device);
/* "37.0 ns", "5.1 us", "12.3 GB/s", "1.003"; "--" when it is not there. */
char *selftest_format_value(enum selftest t, struct reading value, char *out, size_t size);

/* --- the worker's side --- */
bool selftest_is_requested(const json_t *job);
json_t *selftest_run(const struct opened_device *d, const struct job *j, const struct measure_callbacks *m,
	bool *lost); /* the point record; the caller owns it */

#endif
