#include "softgpu/driver/probe/launch_progress.h"

#include <stdio.h>
#include <string.h>

#define NS_PER_S UINT64_C(1000000000)

char *progress_duration_text(char *out, size_t size, ns_t ns)
{
	ns_t seconds = (ns + NS_PER_S / 2) / NS_PER_S;

	if (seconds < 100)
		snprintf(out, size, "%lu s", (unsigned long)seconds);
	else if (seconds < 100 * 60)
		snprintf(out, size, "%lu min", (unsigned long)(seconds + 30) / 60);
	else
		snprintf(out, size, "%lu h", (unsigned long)(seconds + 1800) / 3600);
	return out;
}

/* Three digits. Without floating point, whose text depends on the program's locale. */
char *progress_count_text(char *out, size_t size, uint64_t count)
{
	static const char prefixes[] = "kMGTPE";
	uint64_t unit = 1;
	int prefix = -1;

	while (count / unit >= 1000) {
		unit *= 1000;
		prefix++;
	}
	if (prefix < 0)
		snprintf(out, size, "%lu", (unsigned long)count);
	else if (count / unit >= 100)
		snprintf(out, size, "%lu %c", (unsigned long)(count / unit), prefixes[prefix]);
	else if (count / unit >= 10)
		snprintf(out, size, "%lu.%lu %c", (unsigned long)(count / unit),
			(unsigned long)(count % unit / (unit / 10)), prefixes[prefix]);
	else
		snprintf(out, size, "%lu.%02lu %c", (unsigned long)(count / unit),
			(unsigned long)(count % unit / (unit / 100)), prefixes[prefix]);
	return out;
}

bool launch_progress_left(const struct launch_progress *p, ns_t *left)
{
	if (!p->done || p->done > p->total)
		return false;
	*left = (ns_t)((unsigned __int128)p->elapsed * (p->total - p->done) / p->done);
	return true;
}

static void append_text(char *out, size_t size, const char *before, const char *text, const char *after)
{
	size_t length = strlen(out);

	snprintf(out + length, size - length, "%s%s%s", before, text, after);
}

char *launch_progress_text(char *out, size_t size, const struct launch_progress *p, unsigned width)
{
	char facts[160] = "", number[40];
	unsigned room;
	ns_t left;

	snprintf(facts, sizeof facts, "  %lu of %lu workgroups", (unsigned long)p->done, (unsigned long)p->total);
	if (p->rate)
		append_text(facts, sizeof facts, "  ", progress_count_text(number, sizeof number, p->rate),
			" wave instructions/s");
	if (launch_progress_left(p, &left))
		append_text(facts, sizeof facts, "  ", progress_duration_text(number, sizeof number, left), " left");
	room = width > strlen(facts) + 4 ? width - (unsigned)strlen(facts) : 4;
	if (strlen(p->kernel) <= room)
		snprintf(out, size, "%s%s", p->kernel, facts);
	else
		snprintf(out, size, "%.*s...%s", (int)room - 3, p->kernel, facts);
	if (strlen(out) > width)
		out[width] = 0;
	return out;
}
