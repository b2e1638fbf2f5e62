/* The self-test of a device: the table of its checks. Each check is a job with "self_test":"ID"; the answer is a point
 * record with "value". */
#ifndef GPU_PROTOCOL_SELFTESTS_H
#define GPU_PROTOCOL_SELFTESTS_H

/* SELFTESTS(X): X(id, title, unit of the value)
 *   TIMER       the smallest difference between two event times
 *   LAUNCH      one empty launch between two events
 *   NEXT        what each further launch adds
 *   WALL        event time over host time, for launches that take a while
 *   TO_DEVICE   copy from pinned host memory; TO_HOST: to it
 *   ON_DEVICE   copy by a kernel; bytes read and bytes written both count */
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

#endif
