#include "softgpu/core/check/check_list.h"

#include <stdio.h>
#include <string.h>

#include "softgpu/core/check_report.h"

static const struct {
	const char *name;
	unsigned bit;
} names[] = {
#define CHECK_NAME(id, name, by_default) {name, CHECK_##id},
#include "softgpu/check_names.def"
#undef CHECK_NAME
};

static const char all_names[] =
#define CHECK_NAME(id, name, by_default) " " name
#include "softgpu/check_names.def"
#undef CHECK_NAME
	;

/* 0: there is none. */
static unsigned find_check(const char *name, size_t length)
{
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (strlen(names[k].name) == length && !strncmp(names[k].name, name, length))
			return names[k].bit;
	return 0;
}

bool check_list_read(const char *list, unsigned *out, char *why, size_t size)
{
	bool known = true;

	*out = 0;
	for (size_t length; list && *list; list += length + (list[length] == ',')) {
		length = strcspn(list, ",");
		const unsigned bit = find_check(list, length);
		*out |= bit | (bit == CHECK_LOADS ? (unsigned)CHECK_INIT : 0);
		if (!bit && known)
			snprintf(why, size, "'%.*s' is not a check; the checks are:%s", (int)length, list, all_names);
		known &= bit != 0;
	}
	return known;
}
