#include "softgpu/driver/check/check_mode.h"

#include <stdlib.h>
#include <string.h>

static bool list_has(const char *list, const char *word)
{
	const size_t n = strlen(word);

	while (*list) {
		const size_t part = strcspn(list, ",");

		if (part == n && !memcmp(list, word, n))
			return true;
		list += part + (list[part] == ',');
	}
	return false;
}

bool check_tracks_memory(void)
{
	static _Atomic signed char tracks = -1;

	if (tracks < 0) {
		const char *list = getenv("SOFTGPU_CHECK");

		tracks = list && (list_has(list, "memory") || list_has(list, "leak"));
	}
	return tracks;
}
