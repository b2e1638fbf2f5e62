#include "sessions/record/numbered_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"

enum { NAMES_MAX = 1000 };

int numbered_file_create(const char *folder, const char *name, const char *suffix, char **path)
{
	int fd = -1;
	*path = NULL;
	for (int i = 1; fd < 0 && i < NAMES_MAX; i++) {
		char number[16] = "";
		if (i > 1)
			snprintf(number, sizeof number, "-%d", i);
		free(*path);
		*path = xasprintf("%s/%s%s%s", folder, name, number, suffix);
		fd = open(*path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd;
}
