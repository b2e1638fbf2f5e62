#include "gpu/worker/samples/l2_flush.h"

#include "gpu/softgpu-link/softprobe.h"
#include "kernels/compile/kernel_build.h"

enum { BLOCK = 256, STORE = 16 /* bytes of a work-item */, TIMES = 2 };

/* Of the worker's device; until the process ends. */
static struct {
	void *kernel, *buffer;
	size_t blocks;
} flush;

bool l2_flush_is_launched(const struct opened_device *d)
{
	return device_has_host_time(d);
}

static bool load_kernel_file(const struct opened_device *d, const char *path, struct err *e)
{
	struct code_object *object = code_object_open(path, e);
	void *module = object ? d->rt->load(d->handle, object, e) : NULL;
	flush.kernel = module ? d->rt->kernel(d->handle, module, "l2_flush", e) : NULL;
	code_object_close(object);
	return flush.kernel != NULL;
}

static bool build_flush_kernel(const struct opened_device *d, struct err *e)
{
	const struct kernel_source source = {"l2_flush.hip", "", NULL};
	struct kernel_build build = {0};
	bool ok = kernel_build(&source, d->info.arch, &build, e) && load_kernel_file(d, build.path, e);
	kernel_build_free(&build);
	return ok;
}

static bool prepare_flush(const struct opened_device *d, struct err *e)
{
	json_int_t l2 = json_integer_value(json_object_get(d->info.properties, "l2_bytes"));
	if (flush.buffer)
		return true;
	if (l2 <= 0)
		return err_set(e, ST_REQUEST, "the device does not report the size of its L2 cache; remove --flush-l2");
	flush.blocks = ((size_t)l2 * TIMES + BLOCK * STORE - 1) / (BLOCK * STORE);
	if (!flush.kernel && !build_flush_kernel(d, e))
		return false;
	flush.buffer = d->rt->alloc(d->handle, flush.blocks * BLOCK * STORE, e);
	return flush.buffer != NULL;
}

bool l2_flush_start(const struct opened_device *d, struct err *e)
{
	if (!l2_flush_is_launched(d))
		return softprobe_flush_l2() || err_set(e, ST_FAILED, "the software GPU cannot empty its L2 cache");
	if (!prepare_flush(d, e))
		return false;
	const struct launch_shape shape = {{(uint32_t)flush.blocks, 1, 1}, {BLOCK, 1, 1}};
	void *args[] = {&flush.buffer};
	return d->rt->begin(d->handle, 1, e) && d->rt->launch(d->handle, 0, flush.kernel, &shape, 0, args, e) &&
		d->rt->end(d->handle, e);
}
