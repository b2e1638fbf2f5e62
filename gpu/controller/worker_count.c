#include "gpu/controller/worker_count.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host/usable_cores.h"
#include "base/settings.h"
#include "gpu/backends/backend.h"

/* A worker with the buffers of the catalog's largest experiments needs less. */
enum { WORKER_KB = 1 << 20 };

/* Workers for which the machine has memory now. */
static int count_memory_shares(void)
{
	char line[128];
	long long kb = 0;
	FILE *f = fopen("/proc/meminfo", "re");
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "MemAvailable: %lld kB", &kb) == 1)
			break;
	if (f)
		fclose(f);
	return kb / WORKER_KB > WORKERS_AUTO_MAX ? WORKERS_AUTO_MAX : (int)(kb / WORKER_KB);
}

static int choose_count(void)
{
	int n = WORKERS_AUTO_MAX, cores = (int)usable_cores(), shares = count_memory_shares();
	n = n < cores ? n : cores;
	n = n < shares ? n : shares;
	return n > 1 ? n : 1;
}

static bool parse_count(const char *text, int *out, struct err *e)
{
	char *end;
	long n = strtol(text, &end, 10);
	*out = !strcmp(text, "auto") ? choose_count() : (int)n;
	if (strcmp(text, "auto") && (*end || end == text || n < 1 || n > WORKERS_MAX))
		return err_set(
			e, ST_REQUEST, "the number of workers must be auto or 1 to %d, not '%.40s'", WORKERS_MAX, text);
	return true;
}

bool worker_count_check(const char *text, struct err *e)
{
	int n;
	return parse_count(text, &n, e);
}

bool worker_count_parse(const char *text, const char *device, int *out, struct err *e)
{
	if (!parse_count(text, out, e))
		return false;
	if (device_can(device, DEVICE_SIMULATED))
		return true;
	if (*out > 1 && strcmp(text, "auto"))
		return err_set(
			e, ST_REQUEST, "%s gets one worker, because several would share it; use --workers 1", device);
	*out = 1;
	return true;
}

int worker_count_default(const char *device)
{
	int n = 1;
	if (device_can(device, DEVICE_SIMULATED) && !parse_count(setting_value(SETTING_WORKERS), &n, NULL))
		n = 1;
	return n;
}

bool worker_count_choose(const char *text, const char *device, int *out, struct err *e)
{
	*out = worker_count_default(device);
	return !text || worker_count_parse(text, device, out, e);
}
