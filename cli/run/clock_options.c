#include "cli/run/clock_options.h"

#include "cli/cli_support.h"
#include "gpu/clocks/clock_lock.h"

bool command_check_clocks(const char *text, char *const *devices, int count, struct err *e)
{
	unsigned mhz;
	for (int i = 0; text && i < count; i++)
		if (!clock_lock_parse(text, devices[i], &mhz, e))
			return false;
	return true;
}

static bool lock_all(const char *text, char *const *devices, int count, struct err *e)
{
	unsigned mhz;
	for (int i = 0; text && i < count; i++)
		if (!clock_lock_parse(text, devices[i], &mhz, e) || !clock_lock_take(devices[i], mhz, e))
			return false;
	return true;
}

bool command_lock_clocks(const char *text, char *const *devices, int count, struct err *e)
{
	struct err later = {0};
	if (lock_all(text, devices, count, e))
		return true;
	if (!clock_lock_release(&later))
		command_print_error(later.text);
	return false;
}

int command_give_back_clocks(int status)
{
	struct err e = {0};
	return clock_lock_release(&e) ? status : command_report_failure(&e);
}
