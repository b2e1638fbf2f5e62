/* Reads the clocks of the host. */
#include "base/host_clock.h"

#include <stdio.h>
#include <string.h>
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

char *utc_format_for_people(char out[UTC_TEXT], const char *text)
{
	size_t n = strlen(text);
	snprintf(out, UTC_TEXT, "%s", text);
	if (n == strlen("2026-11-23T14:51:17Z") && text[10] == 'T' && text[n - 1] == 'Z')
		snprintf(out, UTC_TEXT, "%.10s %.8s UTC", text, text + 11);
	return out;
}
