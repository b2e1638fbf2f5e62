/* /dev/kfd: one function and one table entry per call. Argument layouts are those of linux/kfd_ioctl.h. */
#include "softgpu/driver/kfd/kfd_abi.h"
#include "softgpu/driver/kfd/kfd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "softgpu/driver/time/virtual_clock.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/kfd/kfd_events.h"
#include "softgpu/driver/kfd/device_identity.h"
#include "softgpu/driver/kfd/kfd_memory.h"
#include "softgpu/driver/queues/hsa_queue.h"
#include "softgpu/driver/probe/driver_trace.h"

#define VM_BASE       UINT64_C(0x1000000)
#define VM_LIMIT      UINT64_C(0x7fffffffffff)
#define APERTURE_MASK UINT64_C(0xffffffff)

typedef int kfd_call_fn(struct softgpu_device *d, void *argument);

static int get_version(struct softgpu_device *d, void *argument)
{
	struct kfd_version *a = argument;

	(void)d;
	a->major = KFD_MAJOR;
	a->minor = KFD_MINOR;
	return 0;
}

static int create_queue(struct softgpu_device *d, void *argument)
{
	return hsa_queue_add(d, argument);
}

static int destroy_queue(struct softgpu_device *d, void *argument)
{
	return hsa_queue_remove(d, ((struct kfd_destroy_queue *)argument)->queue_id);
}

static int update_queue(struct softgpu_device *d, void *argument)
{
	return hsa_queue_update(d, argument);
}

static int set_cu_mask(struct softgpu_device *d, void *argument)
{
	return hsa_queue_set_cu_mask(d, argument);
}

static int allocate_queue_gws(struct softgpu_device *d, void *argument)
{
	return hsa_queue_allocate_gws(d, argument);
}

/* Accepted without effect: cache policies, scratch addresses and trap handlers, which this device does not need. */
static int accept_without_effect(struct softgpu_device *d, void *argument)
{
	(void)d, (void)argument;
	return 0;
}

static int get_clock_counters(struct softgpu_device *d, void *argument)
{
	struct kfd_clock_counters *a = argument;
	ns_t ns = vclock_read_counters();

	(void)d;
	a->gpu = vclock_to_ticks(ns);
	a->cpu = a->system = ns;
	a->system_hz = 1000000000;
	return 0;
}

static void fill_aperture(struct kfd_aperture *p)
{
	*p = (struct kfd_aperture){
		.lds_base = LDS_APERTURE,
		.lds_limit = LDS_APERTURE | APERTURE_MASK,
		.scratch_base = SCRATCH_APERTURE,
		.scratch_limit = SCRATCH_APERTURE | APERTURE_MASK,
		.gpuvm_base = VM_BASE,
		.gpuvm_limit = VM_LIMIT,
		.gpu_id = KFD_GPU_ID,
	};
}

/* With count 0 the call only counts. */
static int get_apertures_new(struct softgpu_device *d, void *argument)
{
	struct kfd_apertures_new *a = argument;

	(void)d;
	if (a->count)
		fill_aperture((struct kfd_aperture *)(uintptr_t)a->nodes);
	a->count = 1;
	return 0;
}

static int get_apertures(struct softgpu_device *d, void *argument)
{
	struct kfd_apertures *a = argument;

	(void)d;
	fill_aperture(&a->nodes[0]);
	a->count = 1;
	return 0;
}

static int create_event(struct softgpu_device *d, void *argument)
{
	(void)d;
	return kfd_event_create(argument);
}

static int destroy_event(struct softgpu_device *d, void *argument)
{
	(void)d;
	return kfd_event_destroy(((struct kfd_event_id *)argument)->event_id);
}

static int set_event(struct softgpu_device *d, void *argument)
{
	(void)d;
	return kfd_event_set(((struct kfd_event_id *)argument)->event_id);
}

static int reset_event(struct softgpu_device *d, void *argument)
{
	(void)d;
	return kfd_event_reset(((struct kfd_event_id *)argument)->event_id);
}

static int wait_events(struct softgpu_device *d, void *argument)
{
	(void)d;
	return kfd_events_wait(argument);
}

static int get_tile_config(struct softgpu_device *d, void *argument)
{
	struct kfd_tile_config *a = argument;

	a->gb_addr_config = d->model.gpu->family->gb_addr_config;
	a->banks = 4;
	a->ranks = 1;
	a->tile_count = a->macro_tile_count = 0;
	return 0;
}

static int acquire_vm(struct softgpu_device *d, void *argument)
{
	(void)d;
	return device_file_from_fd((int)((struct kfd_acquire_vm *)argument)->drm_fd) == DEVICE_FILE_RENDER ? 0 : EINVAL;
}

static int alloc_memory(struct softgpu_device *d, void *argument)
{
	(void)d;
	return kfd_memory_alloc(argument);
}

static int free_memory(struct softgpu_device *d, void *argument)
{
	(void)d;
	return kfd_memory_free(((struct kfd_free_memory *)argument)->handle);
}

static int map_memory(struct softgpu_device *d, void *argument)
{
	struct kfd_map_memory *a = argument;
	int error = kfd_memory_map(a->handle);

	(void)d;
	a->done = error ? 0 : a->count;
	return error;
}

static int unmap_memory(struct softgpu_device *d, void *argument)
{
	struct kfd_map_memory *a = argument;
	int error = kfd_memory_unmap(a->handle);

	(void)d;
	a->done = error ? 0 : a->count;
	return error;
}

/* The Linux driver's answer when a feature is absent: debugging, checkpoints and shared virtual memory. */
static int refuse_permission(struct softgpu_device *d, void *argument)
{
	(void)d, (void)argument;
	return EPERM;
}

/* A descriptor that can be polled and written to, as the kernel's. No event ever arrives. */
static int open_smi_events(struct softgpu_device *d, void *argument)
{
	static int ends[2] = {-1, -1}; /* both ends stay open */
	struct kfd_smi_events *a = argument;
	int fd;

	(void)d;
	if (a->gpu_id != KFD_GPU_ID)
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
static int set_xnack(struct softgpu_device *d, void *argument)
{
	struct kfd_xnack *a = argument;
	int wanted = a->enabled;

	(void)d;
	a->enabled = 0;
	return wanted > 0 ? EPERM : 0;
}

static int get_available_memory(struct softgpu_device *d, void *argument)
{
	struct kfd_memory_usage use = kfd_memory_usage();
	uint64_t *out = argument;

	(void)d;
	*out = use.vram_total - use.vram;
	return 0;
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
};

int kfd_ioctl(unsigned long request, void *argument)
{
	struct softgpu_device *d = device_get();
	unsigned number = _IOC_NR(request);
	bool known = false;
	int error = EINVAL; /* the kernel's answer to an unknown number; dmabuf and IPC calls are not supported */

	for (size_t i = 0; d && i < sizeof kfd_calls / sizeof *kfd_calls; i++) {
		if (kfd_calls[i].number != number)
			continue;
		known = true;
		error = kfd_calls[i].run(d, argument);
		driver_trace(number == 0x0c ? TRACE_PACKETS : TRACE_CALLS, "%s: %s", kfd_calls[i].name,
			error ? strerror(error) : "done");
		break;
	}
	if (!known)
		driver_trace(TRACE_CALLS, "KFD call %#x is not supported", number);
	errno = error ? error : errno;
	return error ? -1 : 0;
}
