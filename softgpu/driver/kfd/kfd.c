/* /dev/kfd: one function and one table entry per call. Argument layouts are those of linux/kfd_ioctl.h. */
#include "softgpu/abi/kfd_abi.h"
#include "softgpu/driver/kfd/kfd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "softgpu/driver/time/virtual_clock.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/kfd/kfd_events.h"
#include "softgpu/driver/kfd/kfd_ipc.h"
#include "softgpu/driver/kfd/kfd_memory.h"
#include "softgpu/driver/kfd/ioctl_argument.h"
#include "softgpu/driver/faults/user_memory.h"
#include "softgpu/driver/queues/hsa_queue.h"
#include "softgpu/driver/probe/driver_trace.h"

#define VM_BASE       UINT64_C(0x1000000)
#define VM_LIMIT      UINT64_C(0x7fffffffffff)
#define APERTURE_MASK UINT64_C(0xffffffff)

typedef int kfd_call_fn(void *argument);

static int get_version(void *argument)
{
	struct kfd_version *a = argument;

	a->major = KFD_MAJOR;
	a->minor = KFD_MINOR;
	return 0;
}

static int create_queue(void *argument)
{
	struct kfd_create_queue *a = argument;
	struct softgpu_device *d = device_find(a->gpu_id);

	return d ? hsa_queue_add(d, a) : EINVAL;
}

static int destroy_queue(void *argument)
{
	return hsa_queue_remove(((struct kfd_destroy_queue *)argument)->queue_id);
}

static int update_queue(void *argument)
{
	return hsa_queue_update(argument);
}

static int set_cu_mask(void *argument)
{
	return hsa_queue_set_cu_mask(argument);
}

static int allocate_queue_gws(void *argument)
{
	return hsa_queue_allocate_gws(argument);
}

/* Accepted without effect: cache policies, scratch addresses and trap handlers, which these GPUs do not need. */
static int accept_without_effect(void *argument)
{
	(void)argument;
	return 0;
}

static int get_clock_counters(void *argument)
{
	struct kfd_clock_counters *a = argument;
	struct softgpu_device *d = a->gpu_id ? device_find(a->gpu_id) : device_get();
	ns_t ns;

	if (!d) /* the kernel leaves the counter of an unknown GPU 0, and so no times could be converted */
		return EINVAL;
	ns = vclock_read_counters(&d->clock);
	a->gpu = vclock_to_ticks(&d->clock, ns);
	a->cpu = a->system = ns;
	a->system_hz = 1000000000;
	return 0;
}

static void fill_aperture(struct kfd_aperture *p, const struct softgpu_device *d)
{
	*p = (struct kfd_aperture){
		.lds_base = LDS_APERTURE,
		.lds_limit = LDS_APERTURE | APERTURE_MASK,
		.scratch_base = SCRATCH_APERTURE,
		.scratch_limit = SCRATCH_APERTURE | APERTURE_MASK,
		.gpuvm_base = VM_BASE,
		.gpuvm_limit = VM_LIMIT,
		.gpu_id = d->gpu_id,
	};
}

/* With count 0 the call only counts. */
static int get_apertures_new(void *argument)
{
	struct kfd_apertures_new *a = argument;
	struct kfd_aperture *out = (struct kfd_aperture *)(uintptr_t)a->nodes, aperture;
	const struct softgpu_device *d;
	uint32_t count = 0;

	for (; (d = device_at(count)) && (!a->count || count < a->count); count++) {
		fill_aperture(&aperture, d);
		if (a->count && !copy_to_user(&out[count], &aperture, sizeof aperture))
			return EFAULT;
	}
	a->count = count;
	return 0;
}

static int get_apertures(void *argument)
{
	struct kfd_apertures *a = argument;
	const struct softgpu_device *d;

	for (a->count = 0; a->count < sizeof a->nodes / sizeof *a->nodes && (d = device_at(a->count)); a->count++)
		fill_aperture(&a->nodes[a->count], d);
	return 0;
}

static int create_event(void *argument)
{
	return kfd_event_create(argument);
}

static int destroy_event(void *argument)
{
	return kfd_event_destroy(((struct kfd_event_id *)argument)->event_id);
}

static int set_event(void *argument)
{
	return kfd_event_set(((struct kfd_event_id *)argument)->event_id);
}

static int reset_event(void *argument)
{
	return kfd_event_reset(((struct kfd_event_id *)argument)->event_id);
}

static int wait_events(void *argument)
{
	return kfd_events_wait(argument);
}

static int get_tile_config(void *argument)
{
	struct kfd_tile_config *a = argument;
	const struct softgpu_device *d = device_find(a->gpu_id);

	if (!d)
		return EINVAL;
	a->gb_addr_config = d->model.gpu->target->family->gb_addr_config;
	a->banks = 4;
	a->ranks = 1;
	a->tile_count = a->macro_tile_count = 0;
	return 0;
}

static int acquire_vm(void *argument)
{
	const struct kfd_acquire_vm *a = argument;
	const struct softgpu_device *d = device_find(a->gpu_id);

	return d && device_file_from_fd((int)a->drm_fd) == DEVICE_FILE_RENDER + d->index ? 0 : EINVAL;
}

static int alloc_memory(void *argument)
{
	return kfd_memory_alloc(argument);
}

static int free_memory(void *argument)
{
	return kfd_memory_free(((struct kfd_free_memory *)argument)->handle);
}

typedef int change_mapping_fn(uint64_t handle, struct softgpu_device *on);

/* `done` counts the GPUs for which it has been done, also if it fails for a later one. */
static int change_mappings_of(struct kfd_map_memory *a, const uint32_t *ids, change_mapping_fn *change)
{
	int error = 0;

	for (; !error && a->done < a->count; a->done += !error) {
		struct softgpu_device *d = device_find(ids[a->done]);
		error = d ? change(a->handle, d) : EINVAL;
	}
	return error;
}

static int change_mappings(struct kfd_map_memory *a, change_mapping_fn *change)
{
	uint32_t *ids;
	int error;

	if (!a->count || a->done > a->count)
		return EINVAL;
	ids = copy_array_from_user((const void *)(uintptr_t)a->devices, a->count, sizeof *ids);
	if (!ids)
		return errno;
	error = change_mappings_of(a, ids, change);
	free(ids);
	return error;
}

static int map_memory(void *argument)
{
	return change_mappings(argument, kfd_memory_map);
}

static int unmap_memory(void *argument)
{
	return change_mappings(argument, kfd_memory_unmap);
}

/* The Linux driver's answer when a feature is absent: debugging, checkpoints and shared virtual memory. */
static int refuse_permission(void *argument)
{
	(void)argument;
	return EPERM;
}

/* A descriptor that can be polled and written to, as the kernel's. No event ever arrives. */
static int open_smi_events(void *argument)
{
	static int ends[2] = {-1, -1}; /* both ends stay open */
	struct kfd_smi_events *a = argument;
	int fd;

	if (!device_find(a->gpu_id))
		return EINVAL;
	if (ends[0] < 0 && socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends))
		return errno;
	fd = fcntl(ends[0], F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return errno;
	a->fd = (uint32_t)fd;
	return 0;
}

/* The GPUs cannot replay page faults. */
static int set_xnack(void *argument)
{
	struct kfd_xnack *a = argument;
	int wanted = a->enabled;

	a->enabled = 0;
	return wanted > 0 ? EPERM : 0;
}

static int get_available_memory(void *argument)
{
	struct kfd_available_memory *a = argument;
	const struct softgpu_device *d = device_find(a->gpu_id);
	struct kfd_memory_usage use;

	if (!d)
		return EINVAL;
	use = kfd_memory_usage(d);
	a->bytes = use.vram_total - use.vram;
	return 0;
}

static int export_memory(void *argument)
{
	return kfd_memory_export(argument);
}

static int import_memory(void *argument)
{
	return kfd_memory_import(argument);
}

static const struct kfd_call {
	uint8_t number;
	const char *name;
	kfd_call_fn *run;
} kfd_calls[] = {
	{0x01, "GET_VERSION", get_version},
	{0x02, "CREATE_QUEUE", create_queue},
	{0x03, "DESTROY_QUEUE", destroy_queue},
	{0x04, "SET_MEMORY_POLICY", accept_without_effect},
	{0x05, "GET_CLOCK_COUNTERS", get_clock_counters},
	{0x06, "GET_PROCESS_APERTURES", get_apertures},
	{0x07, "UPDATE_QUEUE", update_queue},
	{0x08, "CREATE_EVENT", create_event},
	{0x09, "DESTROY_EVENT", destroy_event},
	{0x0a, "SET_EVENT", set_event},
	{0x0b, "RESET_EVENT", reset_event},
	{0x0c, "WAIT_EVENTS", wait_events},
	{0x0d, "DBG_REGISTER", refuse_permission},
	{0x0e, "DBG_UNREGISTER", refuse_permission},
	{0x0f, "DBG_ADDRESS_WATCH", refuse_permission},
	{0x10, "DBG_WAVE_CONTROL", refuse_permission},
	{0x11, "SET_SCRATCH_BACKING_VA", accept_without_effect},
	{0x12, "GET_TILE_CONFIG", get_tile_config},
	{0x13, "SET_TRAP_HANDLER", accept_without_effect},
	{0x14, "GET_PROCESS_APERTURES_NEW", get_apertures_new},
	{0x15, "ACQUIRE_VM", acquire_vm},
	{0x16, "ALLOC_MEMORY_OF_GPU", alloc_memory},
	{0x17, "FREE_MEMORY_OF_GPU", free_memory},
	{0x18, "MAP_MEMORY_TO_GPU", map_memory},
	{0x19, "UNMAP_MEMORY_FROM_GPU", unmap_memory},
	{0x1a, "SET_CU_MASK", set_cu_mask},
	{0x1e, "ALLOC_QUEUE_GWS", allocate_queue_gws},
	{0x1f, "SMI_EVENTS", open_smi_events},
	{0x20, "SVM", refuse_permission},
	{0x21, "SET_XNACK_MODE", set_xnack},
	{0x22, "CRIU_OP", refuse_permission},
	{0x23, "AVAILABLE_MEMORY", get_available_memory},
	{0x80, "IPC_IMPORT_HANDLE", import_memory},
	{0x81, "IPC_EXPORT_HANDLE", export_memory},
};

static const struct kfd_call *find_call(unsigned number)
{
	for (size_t i = 0; i < sizeof kfd_calls / sizeof *kfd_calls; i++)
		if (kfd_calls[i].number == number)
			return &kfd_calls[i];
	return NULL;
}

/* The result is copied out after an error too, as the kernel does: it may be a part of the answer. */
static int run_call(const struct kfd_call *call, unsigned long request, void *argument)
{
	struct ioctl_argument a;
	int error = ioctl_argument_read(&a, request, argument);

	if (error)
		return error;
	error = call->run(a.bytes);
	return ioctl_argument_write(&a, request, argument) ? EFAULT : error;
}

int kfd_ioctl(unsigned long request, void *argument)
{
	unsigned number = _IOC_NR(request);
	const struct kfd_call *call = device_get() ? find_call(number) : NULL;
	int error = EINVAL; /* the kernel's answer to an unknown number; dmabuf calls are not supported */

	if (call) {
		error = run_call(call, request, argument);
		driver_trace(number == 0x0c ? TRACE_PACKETS : TRACE_CALLS, "%s: %s", call->name,
			error ? strerror(error) : "done");
	} else {
		driver_trace(TRACE_CALLS, "KFD call %#x is not supported", number);
	}
	errno = error ? error : errno;
	return error ? -1 : 0;
}
