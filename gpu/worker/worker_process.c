#include "gpu/worker/worker_process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gpu/protocol/worker_folder.h"

#define RESTARTED "WAVEDECK_PREPARED" /* the device for which this process has been started again */

static bool was_restarted(const char *device)
{
	const char *for_device = getenv(RESTARTED);
	return for_device && !strcmp(for_device, device);
}

/* Returns only when it fails. */
static void restart_worker(const char *device, struct err *e)
{
	setenv(RESTARTED, device, 1);
	char *const again[] = {"wavedeck", "worker", "--device", (char *)device, NULL};
	execv("/proc/self/exe", again);
	err_set(e, ST_FAILED, "cannot start the worker again: %s", strerror(errno));
}

/* HIP compiles its own kernels in TMPDIR. If that is not a usable folder, HIP reports out of memory. */
static void drop_bad_tmpdir(void)
{
	struct stat st;
	const char *folder = getenv("TMPDIR");
	if (folder && (stat(folder, &st) || !S_ISDIR(st.st_mode) || access(folder, W_OK | X_OK)))
		unsetenv("TMPDIR");
}

bool worker_process_prepare(const char *device, const struct backend *b, const char *rest, struct err *e)
{
	worker_folder_use();
	drop_bad_tmpdir();
	prctl(PR_SET_NAME, "wavedeck"); /* started as /proc/self/exe, its name would be exe */
	if (b->set_environment && was_restarted(device)) {
		unsetenv(RESTARTED);
		return b->clear_environment(e);
	}
	close_range(3, ~0U, 0);
	if (!b->set_environment)
		return true;
	if (b->set_environment(rest, e))
		restart_worker(device, e);
	return false;
}
