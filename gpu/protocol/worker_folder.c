#include "gpu/protocol/worker_folder.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/host/temporary_folder.h"

#define OWN "WAVEDECK_WORKER_FOLDER_OWN" /* the folder that this worker has made; kept when it starts itself again */

static void make_own_folder(void)
{
	char *folder = temporary_folder_create(NULL);
	if (folder) {
		setenv(WORKER_FOLDER_VARIABLE, folder, 1);
		setenv(OWN, folder, 1);
	}
	free(folder);
}

void worker_folder_use(void)
{
	const char *current = getenv("TMPDIR"), *folder = getenv(WORKER_FOLDER_VARIABLE);
	if (folder && current && !strcmp(folder, current))
		return; /* this process has started itself again */
	if (!folder)
		make_own_folder();
	else if (mkdir(folder, 0700))
		unsetenv(WORKER_FOLDER_VARIABLE); /* it is not ours */
	folder = getenv(WORKER_FOLDER_VARIABLE);
	if (folder)
		setenv("TMPDIR", folder, 1);
}

const char *worker_folder_path(void)
{
	return getenv(WORKER_FOLDER_VARIABLE);
}

bool worker_folder_is_own(void)
{
	const char *own = getenv(OWN), *folder = getenv(WORKER_FOLDER_VARIABLE);
	return own && folder && !strcmp(own, folder);
}

void worker_exit(int status)
{
	const char *folder = getenv(WORKER_FOLDER_VARIABLE);
	if (folder)
		temporary_folder_remove(folder);
	_exit(status);
}
