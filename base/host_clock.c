/* Reads the clocks of the host. */
#include "base/host_clock.h"

#include <time.h>

long long now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

double now_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

char *now_utc(char out[UTC_TEXT])
{
	time_t now = time(NULL);
	struct tm utc;
	gmtime_r(&now, &utc);
	strftime(out, UTC_TEXT, "%Y-%m-%dT%H:%M:%SZ", &utc);
	return out;
}
