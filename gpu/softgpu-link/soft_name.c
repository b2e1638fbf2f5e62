#include "gpu/softgpu-link/soft_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/softgpu-link/fault_model.h"
#include "gpu/softgpu-link/noise_model.h"

size_t soft_name_find(const char *device, const char *mark, char *out, size_t size)
{
	const char *at = strstr(device, mark);
	size_t length = at ? strcspn(at + strlen(mark), ",") : 0;
	snprintf(out, size, "%.*s", (int)length, at ? at + strlen(mark) : "");
	return length;
}

bool soft_name_is_disturbed(const char *device)
{
	return device_has_noise(device) || device_has_faults(device);
}

static char *remove_option(const char *device, const char *mark)
{
	const char *at = strstr(device, mark);
	if (!at)
		return xstrdup(device);
	return xasprintf("%.*s%s", (int)(at - device), device, at + strlen(mark) + strcspn(at + strlen(mark), ","));
}

char *soft_name_remove_disturbances(const char *device)
{
	char *without_noise = remove_option(device, NOISE_MARK), *plain = remove_option(without_noise, FAULT_MARK);
	free(without_noise);
	return plain;
}
