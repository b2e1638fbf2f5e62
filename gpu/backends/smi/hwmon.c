/* Finds and reads the hwmon files of a GPU. */
#include "gpu/backends/smi/hwmon.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

char *hwmon_find(const struct device_info *info)
{
	char *folder = xasprintf("/sys/bus/pci/drivers/amdgpu/%04x:%02x:%02x.0/hwmon", (unsigned)info->pci_domain,
		(unsigned)info->pci_bus, (unsigned)info->pci_device);
	char *found = NULL;
	DIR *d = opendir(folder);
	for (struct dirent *f; d && !found && (f = readdir(d));)
		if (!strncmp(f->d_name, "hwmon", 5))
			found = xasprintf("%s/%s", folder, f->d_name);
	if (d)
		closedir(d);
	free(folder);
	return found;
}

struct reading hwmon_read(const char *folder, const char *file, double scale)
{
	struct reading r = {0};
	double value;
	char *path = folder ? xasprintf("%s/%s", folder, file) : NULL;
	FILE *in = path ? fopen(path, "re") : NULL;
	if (in && fscanf(in, "%lf", &value) == 1)
		r = (struct reading){true, value * scale};
	if (in)
		fclose(in);
	free(path);
	return r;
}
