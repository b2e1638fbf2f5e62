#include "gpu/protocol/worker_folder.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/host/temporary_folder.h"

#define OWN "WAVEDECK_WORKER_FOLDER_OWN" /* the folder that this worker has made; kept when it starts itself again */

/* Removes the folder when its parent has ended, however that was. It holds no connection of the worker. */
static void wait_and_remove(const char *folder, pid_t parent)
{
	sigset_t all;
	int number, none = open("/dev/null", O_RDWR);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	setsid();
	for (int fd = 0; fd < 3; fd++)
		dup2(none, fd);
	close_range(3, ~0U, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	while (getppid() == parent)
		sigwait(&all, &number);
	temporary_folder_remove(folder);
	_exit(0);
}

/* A worker that a kernel has crashed, or that was killed, cannot remove its folder, and no front end is here. */
static void start_keeper(const char *folder)
{
	pid_t worker = getpid();
	if (!fork())
		wait_and_remove(folder, worker);
}

static void make_own_folder(void)
{
	char *folder = temporary_folder_create(NULL);
	if (folder) {
		start_keeper(folder);
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
