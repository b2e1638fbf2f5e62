/* Loads the HIP runtime as plug-ins, hashcat and Python's ctypes do, and copies to a GPU and back. Prints "ok", exit 0.
 *   loaded_runtime local|global LIBRARY...   each library is the HIP runtime, or a copy of it
 *   loaded_runtime plugin PLUGIN             a library that is linked with the HIP runtime: this file with -DPLUGIN */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 20, TO_DEVICE = 1, TO_HOST = 2, NOT_READY = 600 };

struct hip {
	int (*malloc)(void **, size_t), (*copy)(void *, const void *, size_t, int), (*set)(void *, int, size_t),
		(*synchronize)(void), (*query)(void *);
};

#ifdef PLUGIN
int hipMalloc(void **, size_t), hipMemcpy(void *, const void *, size_t, int), hipMemset(void *, int, size_t),
	hipDeviceSynchronize(void), hipStreamQuery(void *);
void get_hip(struct hip *out);

static int copy_here(void *to, const void *from, size_t bytes, int kind)
{
	int status = hipMemcpy(to, from, bytes, kind);
	return status; /* the hook returns here, into this library */
}

static int query_here(void *stream)
{
	int status = hipStreamQuery(stream);
	return status;
}

static int synchronize_here(void)
{
	int status = hipDeviceSynchronize();
	return status;
}

void get_hip(struct hip *out)
{
	*out = (struct hip){hipMalloc, copy_here, hipMemset, synchronize_here, query_here};
}
#else
static void find_hip(void *library, struct hip *out)
{
	*(void **)&out->malloc = dlsym(library, "hipMalloc");
	*(void **)&out->copy = dlsym(library, "hipMemcpy");
	*(void **)&out->set = dlsym(library, "hipMemset");
	*(void **)&out->synchronize = dlsym(library, "hipDeviceSynchronize");
	*(void **)&out->query = dlsym(library, "hipStreamQuery");
}

static int use_gpu(const struct hip *hip)
{
	unsigned char *host = malloc(BYTES);
	void *device;
	int status;

	memset(host, 7, BYTES);
	if (!host || hip->malloc(&device, BYTES) || hip->set(device, 0x5a, BYTES))
		return puts("no device memory"), 1;
	while ((status = hip->query(NULL)) == NOT_READY)
		;
	if (status || hip->synchronize() || hip->copy(device, host, BYTES / 2, TO_DEVICE) ||
		hip->copy(host, device, BYTES, TO_HOST))
		return puts("a call failed"), 1;
	for (size_t i = 0; i < BYTES; i++)
		if (host[i] != (i < BYTES / 2 ? 7 : 0x5a))
			return printf("wrong at %zu\n", i), 1;
	return 0;
}

int main(int argc, char **argv)
{
	int mode = RTLD_NOW | (argc > 1 && !strcmp(argv[1], "global") ? RTLD_GLOBAL : RTLD_LOCAL);

	for (int i = 2; i < argc; i++) {
		void *library = dlopen(argv[i], mode);
		void (*get)(struct hip *) = NULL;
		struct hip hip;

		if (!library)
			return puts(dlerror()), 2;
		*(void **)&get = dlsym(library, "get_hip");
		if (get)
			get(&hip);
		else
			find_hip(library, &hip);
		if (use_gpu(&hip))
			return 1;
	}
	return puts("ok"), 0;
}
#endif
