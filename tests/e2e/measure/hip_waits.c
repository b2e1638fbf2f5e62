/* Functions in front of those of the HIP runtime: they notice whether the GPU waits for the host. Compile it as
 * libamdhip64.so.7, linked with the real one. A line of the file $WAITS_CALLS for each launch and copy says whether the
 * GPU waits; one that begins with "wrong" is a call that the runtime may never return from. $WAITS_CANNOT=attribute:
 * the device cannot wait; $WAITS_CANNOT=wait: HIP refuses. $WAITS_BLOCK=1: launches return when the GPU no longer
 * waits. */
#define __HIP_PLATFORM_AMD__ 1
#include <dlfcn.h>
#include <hip/hip_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

static volatile unsigned *gate;
static unsigned gate_value;

static bool gpu_waits(void)
{
	return gate && (int)(*gate - gate_value) < 0;
}

static void note(const char *what, bool waits)
{
	const char *path = getenv("WAITS_CALLS");
	FILE *f = path ? fopen(path, "a") : NULL;
	if (f) {
		fprintf(f, "%s%s\n", waits ? "held " : "unheld ", what);
		fclose(f);
	}
}

static void note_wrong(const char *call)
{
	char text[80];
	snprintf(text, sizeof text, "wrong: %s", call);
	if (gpu_waits())
		note(text, true);
}

static bool cannot(const char *what)
{
	const char *set = getenv("WAITS_CANNOT");
	return set && !strcmp(set, what);
}

hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device)
{
	hipError_t r = REAL(hipDeviceGetAttribute)(value, attribute, device);
	if (attribute == hipDeviceAttributeCanUseStreamWaitValue && cannot("attribute"))
		*value = 0;
	return r;
}

hipError_t hipStreamWaitValue32(hipStream_t s, void *at, uint32_t value, unsigned flags, uint32_t mask)
{
	note("wait", gpu_waits());
	if (cannot("wait"))
		return hipErrorNotSupported;
	gate = at;
	gate_value = value;
	return REAL(hipStreamWaitValue32)(s, at, value, flags, mask);
}

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
	unsigned bz, unsigned lds, hipStream_t s, void **args, void **extra)
{
	note("launch", gpu_waits());
	while (getenv("WAITS_BLOCK") && gpu_waits())
		nanosleep(&(struct timespec){0, 1000000}, NULL);
	return REAL(hipModuleLaunchKernel)(f, gx, gy, gz, bx, by, bz, lds, s, args, extra);
}

hipError_t hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind, hipStream_t s)
{
	note("copy", gpu_waits());
	return REAL(hipMemcpyAsync)(to, from, bytes, kind, s);
}

hipError_t hipEventQuery(hipEvent_t e)
{
	note_wrong("hipEventQuery");
	return REAL(hipEventQuery)(e);
}

hipError_t hipFree(void *p)
{
	note_wrong("hipFree");
	return REAL(hipFree)(p);
}

hipError_t hipHostFree(void *p)
{
	note_wrong("hipHostFree");
	return REAL(hipHostFree)(p);
}

hipError_t hipModuleUnload(hipModule_t m)
{
	note_wrong("hipModuleUnload");
	return REAL(hipModuleUnload)(m);
}
