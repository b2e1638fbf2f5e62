#include "tui/views/inspector/register_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	int width;
} formats[REGISTER_FORMATS] = {
	[REGISTER_HEX] = {"hexadecimal", 8},
	[REGISTER_DECIMAL] = {"decimal", 11},
	[REGISTER_FLOAT] = {"float", 12},
};

const char *register_format_name(enum register_format f)
{
	return formats[f].name;
}

int register_text_width(enum register_format f)
{
	return formats[f].width;
}

char *register_format_value(uint32_t value, enum register_format f, char *out, size_t size)
{
	float single;
	memcpy(&single, &value, sizeof single);
	if (f == REGISTER_FLOAT)
		snprintf(out, size, "%.6g", (double)single);
	else if (f == REGISTER_DECIMAL)
		snprintf(out, size, "%" PRId32, (int32_t)value);
	else
		snprintf(out, size, "%08" PRIx32, value);
	return out;
}
