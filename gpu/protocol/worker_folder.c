#include "gpu/protocol/worker_folder.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/host/temporary_folder.h"

void worker_folder_use(void)
{
	const char *folder = getenv(WORKER_FOLDER_VARIABLE);
	if (folder)
		setenv("TMPDIR", folder, 1);
}

void worker_exit(int status)
{
	const char *folder = getenv(WORKER_FOLDER_VARIABLE);
	if (folder)
		temporary_folder_remove(folder);
	_exit(status);
}
