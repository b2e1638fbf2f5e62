/* The self-test of a device, controller side: its jobs, and verdicts on their results. It shows how far measurements on
 * the device can be trusted: timer resolution, cost of an empty launch, events against the host clock, copy speed. */
#ifndef GPU_CONTROLLER_SELFTEST_H
#define GPU_CONTROLLER_SELFTEST_H

#include <jansson.h>
#include <stdbool.h>

#include "gpu/protocol/record.h"
#include "gpu/protocol/selftests.h"

const char *selftest_title(enum selftest t);
const char *selftest_unit(enum selftest t);

/* The job record with this number; the caller owns it. `reduced`: smaller copies, for the software GPU. */
json_t *selftest_make_job(enum selftest t, int number, bool reduced);

enum selftest_verdict { SELFTEST_GOOD, SELFTEST_NOTE, SELFTEST_BAD };
struct selftest_result {
	struct reading value;
	enum selftest_verdict verdict;
	char text[200];
};
/* The value in a point record and a verdict on it. `device` is the device record. */
struct selftest_result selftest_evaluate(enum selftest t, const json_t *point, const json_t *device);
/* "37.0 ns", "5.1 us", "12.3 GB/s", "1.003"; "--" without a value. */
char *selftest_format_value(enum selftest t, struct reading value, char *out, size_t size);

#endif
