#include "sessions/load/sampling_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gpu/protocol/point_record.h"

__attribute__((format(printf, 3, 4))) static void append_remark(char *out, size_t size, const char *format, ...)
{
	va_list args;
	size_t used = strlen(out);
	used += (size_t)snprintf(out + used, size - used, "%s", used ? "; " : "");
	va_start(args, format);
	if (used < size)
		vsnprintf(out + used, size - used, format, args);
	va_end(args);
}

char *point_format_sampling(const json_t *point, char *out, size_t size)
{
	char clocks[160];
	const json_t *drift = json_object_get(point, "drift");
	json_int_t outliers = record_get_integer(point, "outliers");
	*out = 0;
	if (point_has_moved_clocks(point))
		append_remark(out, size, "%s", point_format_clocks(point, clocks, sizeof clocks));
	if (record_get_integer(point, "tries") > 1)
		append_remark(out, size, "%s", *out ? "measured again" : "measured again: the clock had moved");
	if (json_is_number(drift))
		append_remark(out, size, "drifted by %.2g %% while it was measured", 100 * json_number_value(drift));
	if (outliers > 0)
		append_remark(out, size, "%d of %zu samples are outliers", (int)outliers,
			json_array_size(point_get_samples(point)));
	return out;
}
