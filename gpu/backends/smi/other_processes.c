#include "gpu/backends/smi/other_processes.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { GENERATIONS_MOST = 64 };

/* 0: it has none, or does not exist. */
static unsigned read_parent(unsigned pid)
{
	char path[32], text[128] = "";
	unsigned parent = 0;
	snprintf(path, sizeof path, "/proc/%u/stat", pid);
	FILE *in = fopen(path, "re");
	if (in && fgets(text, sizeof text, in)) {
		char *end = strrchr(text, ')'); /* of the name, which may have any character */
		if (!end || sscanf(end, ") %*c %u", &parent) != 1)
			parent = 0;
	}
	if (in)
		fclose(in);
	return parent;
}

static bool descends_from(unsigned pid, unsigned ancestor)
{
	for (int i = 0; i < GENERATIONS_MOST && pid; i++) {
		if (pid == ancestor)
			return true;
		pid = read_parent(pid);
	}
	return false;
}

/* The driver may list one for a moment after its end. */
static bool is_gone(unsigned pid)
{
	return kill((pid_t)pid, 0) && errno == ESRCH;
}

unsigned count_other_processes(const unsigned *pids, size_t count)
{
	unsigned own = (unsigned)getpid(), others = 0;
	bool listed = false;
	for (size_t i = 0; i < count; i++) {
		listed |= pids[i] == own;
		others += !descends_from(pids[i], own) && !is_gone(pids[i]);
	}
	return listed || !count ? others : (unsigned)count - 1;
}
