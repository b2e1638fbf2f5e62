#include "cli/run/run_limit.h"

#include <stdio.h>

#include "base/units.h"

bool run_limit_parse(const char *text, struct run_limit *out, struct err *e)
{
	*out = (struct run_limit){0};
	if (text && (!units_parse(text, "s", &out->seconds, NULL) || !(out->seconds >= 0)))
		return err_set(e, ST_REQUEST, "--limit needs seconds, such as 90, or 0 for no limit, not '%s'", text);
	out->unlimited = text && out->seconds == 0;
	return true;
}

bool run_limit_is_over(const struct run_limit *l, double run, double point)
{
	return l->seconds > 0 ? run > l->seconds : !l->unlimited && point > POINT_LIMIT_S;
}

char *run_limit_format(const struct run_limit *l, int done, int count, bool recorded, char *out, size_t size)
{
	if (!(l->seconds > 0))
		snprintf(out, size,
			"stopped: a point did not end within %d min; kept %d of %d points. If its kernel ends, add --limit SECONDS, or --limit 0 for no limit",
			POINT_LIMIT_S / 60, done, count);
	else
		snprintf(out, size, "reached the limit of %g s; kept %d of %d points%s", l->seconds, done, count,
			recorded ? "; continue with --resume" : "");
	return out;
}
