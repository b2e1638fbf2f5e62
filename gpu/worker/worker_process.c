#include "gpu/worker/worker_process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gpu/softgpu-link/softenv.h"
#include "gpu/softgpu-link/softprobe.h"

#define PREPARED "WAVEDECK_PREPARED" /* names the device for which this process has been started again */

static bool prepared(const char *device)
{
	const char *for_device = getenv(PREPARED);
	return for_device && !strcmp(for_device, device);
}

/* A software GPU keeps a processor busy that the screen must get at once when a key is pressed. */
enum { SOFT_NICE = 5 };

/* HIP waits for the oldest of a stream's signals when it has used them all, 32 by default; in a sequence that is held
 * back until it is whole (stream_sequence.h) that would be for ever. As many as its steps can need: two each. */
static const char SIGNALS[] = "16384";

/* Starts this program again with the software GPU below it; returns only when that fails. */
static void start_again(const char *device, const char *model, struct err *e)
{
	close_range(3, ~0U, 0);
	if (!softgpu_env_apply(model, e))
		return;
	setenv(PREPARED, device, 1);
	setenv("ROC_SIGNAL_POOL_SIZE", SIGNALS, 1);
	setpriority(PRIO_PROCESS, 0, SOFT_NICE);
	char *const again[] = {"wavedeck", "worker", "--device", (char *)device, NULL};
	execv("/proc/self/exe", again);
	err_set(e, ST_FAILED, "cannot start the worker again: %s", strerror(errno));
}

/* HIP compiles kernels of its own in TMPDIR, and where that is no folder says that memory is out. */
static void drop_bad_tmpdir(void)
{
	struct stat st;
	const char *folder = getenv("TMPDIR");
	if (folder && (stat(folder, &st) || !S_ISDIR(st.st_mode) || access(folder, W_OK | X_OK)))
		unsetenv("TMPDIR");
}

bool worker_process_prepare(const char *device, const struct device_name *n, struct err *e)
{
	drop_bad_tmpdir();
	prctl(PR_SET_NAME, "wavedeck"); /* started as /proc/self/exe it is called exe */
	if (n->kind != DEVICE_SOFT) {
		close_range(3, ~0U, 0);
		return true;
	}
	if (!prepared(device)) {
		start_again(device, n->rest, e);
		return false;
	}
	unsetenv(PREPARED);
	softgpu_env_remove();
	return softprobe_is_present() ||
		err_set(e, ST_FAILED, "libsoftgpu.so could not be loaded below the worker; build it again: make");
}
