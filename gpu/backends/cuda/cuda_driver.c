#include "gpu/backends/cuda/cuda_driver.h"

#include <dlfcn.h>

#include "base/host/shared_library.h"

struct cuda_driver cu;

static const char *resolve_functions(void *library)
{
#define CU_FUNCTION(member, name, parameters) {name, &cu.member},
	static const struct library_function functions[] = {CU_FUNCTIONS(CU_FUNCTION)};
#undef CU_FUNCTION
	static const struct library_function optional = {"cuStreamWaitValue32_v2", &cu.wait_value};
	shared_library_find(library, &optional, 1);
	return shared_library_find(library, functions, sizeof functions / sizeof *functions);
}

static bool open_library(struct err *e)
{
	static const struct shared_library library = {"libcuda.so", "1", NULL};
	char why[200];
	void *handle = shared_library_open(&library, RTLD_NOW, why, sizeof why);
	if (!handle && *why)
		return err_set(e, ST_FAILED, "cannot load NVIDIA's driver: %s; install the driver again", why);
	if (!handle)
		return err_set(e, ST_FAILED,
			"NVIDIA's driver not found (libcuda.so.1); install the driver of the GPU and restart the machine");
	const char *missing = resolve_functions(handle);
	return !missing ||
		err_set(e, ST_FAILED, "libcuda.so.1 does not provide %s; install a driver for CUDA 11 or later",
			missing);
}

bool cuda_driver_load(struct err *e)
{
	if (!open_library(e))
		return false;
	cu_result r = cu.init(0);
	if (r == CU_NO_DEVICE)
		return err_set(e, ST_FAILED,
			"CUDA finds no GPU; check that nvidia-smi lists one, and that /dev/nvidia0 exists");
	return cuda_check(r, "cannot initialize CUDA; run nvidia-smi to find the cause", e);
}

bool cuda_check(cu_result r, const char *what, struct err *e)
{
	const char *text = NULL;
	if (r == CU_SUCCESS)
		return true;
	if (cu.describe_error(r, &text) || !text)
		text = "unknown error";
	return err_set(e, ST_FAILED, "%s: %s (CUDA error %d)", what, text, r);
}
