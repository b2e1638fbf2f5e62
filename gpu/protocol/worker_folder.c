#include "gpu/protocol/worker_folder.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/host/temporary_folder.h"

void worker_folder_use(void)
{
	const char *folder = getenv(WORKER_FOLDER_VARIABLE), *current = getenv("TMPDIR");
	bool used = folder && current && !strcmp(folder, current); /* this process has started itself again */
	if (used || !folder)
		return;
	if (mkdir(folder, 0700))
		unsetenv(WORKER_FOLDER_VARIABLE); /* it is not ours */
	else
		setenv("TMPDIR", folder, 1);
}

void worker_exit(int status)
{
	const char *folder = getenv(WORKER_FOLDER_VARIABLE);
	if (folder)
		temporary_folder_remove(folder);
	_exit(status);
}
