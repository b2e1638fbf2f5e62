#include "gpu/backends/cuda/cuda_target.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host/child_program.h"

/* "9.0" and a newline */
static bool read_capability(const char *text, char arch[DEVICE_ARCH])
{
	unsigned major, minor;
	if (!text || !isdigit((unsigned char)*text) || sscanf(text, "%3u.%1u", &major, &minor) != 2)
		return false;
	snprintf(arch, DEVICE_ARCH, "sm_%u%u", major, minor);
	return true;
}

bool cuda_query_target(const char *device, char arch[DEVICE_ARCH])
{
	struct buf text = {0};
	char *id = xasprintf("--id=%s", device_rest(device));
	char *ask[] = {"nvidia-smi", id, "--query-gpu=compute_cap", "--format=csv,noheader", NULL};
	bool known = child_succeeds(ask, &text) && read_capability(text.data, arch);
	buf_free(&text);
	free(id);
	return known;
}
