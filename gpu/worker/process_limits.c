#include "gpu/worker/process_limits.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/units.h"

enum { FILES_NEEDED = 64 /* those of the libraries, and the worker's own from 60 on */, FILES_ENOUGH = 1024 };

bool process_limits_check_files(struct err *e)
{
	struct rlimit l;
	if (getrlimit(RLIMIT_NOFILE, &l) || l.rlim_cur >= FILES_NEEDED)
		return true;
	l.rlim_cur = l.rlim_max < FILES_ENOUGH ? l.rlim_max : FILES_ENOUGH;
	if (l.rlim_cur >= FILES_NEEDED && !setrlimit(RLIMIT_NOFILE, &l))
		return true;
	return err_set(e, ST_FAILED, "a worker needs %d open files, and the limit is %llu; raise it: ulimit -n %d",
		FILES_NEEDED, (unsigned long long)l.rlim_max, FILES_ENOUGH);
}

static const struct {
	int resource;
	const char *what, *option;
} limits[] = {
	{RLIMIT_AS, "the address space", "-v"},
	{RLIMIT_FSIZE, "the size of files, which hold the memory of the software GPU,", "-f"},
};

void process_limits_explain(struct err *e)
{
	struct rlimit l;
	char size[40], problem[160];
	snprintf(problem, sizeof problem, "%.*s", (int)strcspn(e->text, ";"), e->text);
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		if (getrlimit(limits[i].resource, &l) || l.rlim_cur == RLIM_INFINITY)
			continue;
		units_format(size, sizeof size, (double)l.rlim_cur, "B", 3);
		err_set(e, e->status, "%s: %s is limited to %s; remove the limit: ulimit %s unlimited", problem,
			limits[i].what, size, limits[i].option);
		return;
	}
}
