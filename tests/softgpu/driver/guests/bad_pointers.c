/* Passes bad pointers to /dev/kfd and to a render node: in place of an ioctl's argument, and inside of it. Each must
 * fail with EFAULT, as with the kernel. Prints TAP lines without numbers. Run it under `wavedeck exec`. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "softgpu/abi/drm_abi.h"
#include "softgpu/abi/kfd_abi.h"

#define PAGE                    4096
#define KFD(number, way, bytes) _IOC(way, KFD_IOCTL_TYPE, number, bytes)
#define DRM(number, way, bytes) _IOC(way, DRM_IOCTL_TYPE, number, bytes)
enum { IN = _IOC_WRITE, OUT = _IOC_READ, BOTH = _IOC_WRITE | _IOC_READ };

static int failed, kfd, render;
static uint32_t gpu;

static void result(bool good, const char *what)
{
	printf("%s - %s\n", good ? "ok" : "not ok", what);
	failed += !good;
}

/* --- bad pointers --- */
static char *no_access, *read_only, *page_end; /* page_end: the last bytes before a page without access */
static char *beyond_file;                      /* a page of a mapping that the file does not reach */

static void make_bad_pages(void)
{
	char *pages = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int file = memfd_create("short", MFD_CLOEXEC);

	page_end = pages + PAGE;
	no_access = pages + PAGE;
	read_only = pages + 2 * PAGE;
	mprotect(no_access, PAGE, PROT_NONE);
	mprotect(read_only, PAGE, PROT_READ);
	beyond_file = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
}

enum { BAD_POINTERS = 7 };
/* The last one: all bytes of `size` but the last four can be accessed. */
static void *bad_pointer(int i, size_t size)
{
	switch (i) {
	case 0: return NULL;
	case 1: return (void *)1;
	case 2: return (void *)UINTPTR_MAX;
	case 3: return (void *)(UINT64_C(1) << 63 | 4096); /* not canonical */
	case 4: return no_access;
	case 5: return beyond_file;
	default: return page_end - size + 4;
	}
}

static bool is_efault(int fd, unsigned long request, void *argument)
{
	bool good;

	errno = 0;
	good = ioctl(fd, request, argument) == -1 && errno == EFAULT;
	if (!good)
		printf("# request %#lx, argument %p: errno %d\n", request, argument, errno);
	return good;
}

/* --- the argument itself --- */
static const struct {
	const char *name;
	unsigned long request;
} calls[] = {
	{"GET_VERSION", KFD(0x01, OUT, 8)},
	{"CREATE_QUEUE", KFD(0x02, BOTH, 88)},
	{"DESTROY_QUEUE", KFD(0x03, BOTH, 8)},
	{"SET_MEMORY_POLICY", KFD(0x04, IN, 32)},
	{"GET_CLOCK_COUNTERS", KFD(0x05, BOTH, 40)},
	{"GET_PROCESS_APERTURES", KFD(0x06, OUT, 400)},
	{"UPDATE_QUEUE", KFD(0x07, IN, 24)},
	{"CREATE_EVENT", KFD(0x08, BOTH, 32)},
	{"DESTROY_EVENT", KFD(0x09, IN, 8)},
	{"SET_EVENT", KFD(0x0a, IN, 8)},
	{"RESET_EVENT", KFD(0x0b, IN, 8)},
	{"WAIT_EVENTS", KFD(0x0c, BOTH, 24)},
	{"DBG_REGISTER", KFD(0x0d, IN, 8)},
	{"SET_SCRATCH_BACKING_VA", KFD(0x11, BOTH, 16)},
	{"GET_TILE_CONFIG", KFD(0x12, BOTH, 40)},
	{"SET_TRAP_HANDLER", KFD(0x13, IN, 24)},
	{"GET_PROCESS_APERTURES_NEW", KFD(0x14, BOTH, 16)},
	{"ACQUIRE_VM", KFD(0x15, IN, 8)},
	{"ALLOC_MEMORY_OF_GPU", KFD(0x16, BOTH, 40)},
	{"FREE_MEMORY_OF_GPU", KFD(0x17, IN, 8)},
	{"MAP_MEMORY_TO_GPU", KFD(0x18, BOTH, 24)},
	{"UNMAP_MEMORY_FROM_GPU", KFD(0x19, BOTH, 24)},
	{"SET_CU_MASK", KFD(0x1a, IN, 16)},
	{"ALLOC_QUEUE_GWS", KFD(0x1e, BOTH, 16)},
	{"SMI_EVENTS", KFD(0x1f, BOTH, 8)},
	{"SVM", KFD(0x20, BOTH, 24)},
	{"SET_XNACK_MODE", KFD(0x21, BOTH, 4)},
	{"AVAILABLE_MEMORY", KFD(0x23, BOTH, 16)},
	{"IPC_IMPORT_HANDLE", KFD(0x80, BOTH, 48)},
	{"IPC_EXPORT_HANDLE", KFD(0x81, BOTH, 32)},
	{"DRM_VERSION", DRM(DRM_CALL_VERSION, BOTH, 64)},
	{"DRM_AMDGPU_INFO", DRM(DRM_CALL_AMDGPU_INFO, IN, 32)},
};

static bool refuses_arguments(int fd, unsigned long request)
{
	bool good = true;

	for (int i = 0; i < BAD_POINTERS; i++)
		if (i < BAD_POINTERS - 1 || _IOC_SIZE(request) > 4)
			good = is_efault(fd, request, bad_pointer(i, _IOC_SIZE(request))) && good;
	return good;
}

static void bad_arguments(void)
{
	char text[128];

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		unsigned long request = calls[i].request;

		snprintf(text, sizeof text, "%s with a bad argument fails with EFAULT", calls[i].name);
		result(refuses_arguments(_IOC_TYPE(request) == KFD_IOCTL_TYPE ? kfd : render, request), text);
	}
	result(is_efault(kfd, KFD(0x01, OUT, 8), read_only) && is_efault(kfd, KFD(0x05, BOTH, 40), read_only),
		"an answer into memory that is read-only fails with EFAULT");
	result(ioctl(kfd, KFD(0x0b, IN, 8), read_only) == -1 && errno == EINVAL,
		"an argument that is only read may be read-only");
}

/* --- pointers inside of it --- */
static uint32_t make_event(uint32_t type)
{
	struct kfd_create_event e = {.type = type};

	return ioctl(kfd, KFD(0x08, BOTH, sizeof e), &e) ? 0 : e.event_id;
}

static void bad_event_lists(void)
{
	struct kfd_wait_events w = {.count = 1};
	struct kfd_event_data data = {.event_id = make_event(KFD_EVENT_SIGNAL)};
	struct kfd_event_id set = {.event_id = data.event_id};
	unsigned long wait = KFD(0x0c, BOTH, sizeof w);
	bool good = true;

	for (int i = 0; i < BAD_POINTERS; i++) {
		w.events = (uintptr_t)bad_pointer(i, sizeof data);
		good = is_efault(kfd, wait, &w) && good;
	}
	result(good, "WAIT_EVENTS with a bad list fails with EFAULT");
	w.events = (uintptr_t)&data;
	w.timeout_ms = KFD_WAIT_FOREVER;
	result(!ioctl(kfd, KFD(0x0a, IN, sizeof set), &set) && !ioctl(kfd, wait, &w) && w.result == KFD_WAIT_COMPLETE,
		"WAIT_EVENTS with a good one sees the event");
	w.count = UINT32_MAX;
	result(ioctl(kfd, wait, &w) == -1 && errno == ENOMEM, "WAIT_EVENTS with too many events fails with ENOMEM");
}

/* Only the list that the answer goes to is bad: an event of this type answers with the fault's address. */
static void bad_fault_lists(void)
{
	struct kfd_event_data *data = (struct kfd_event_data *)(page_end - sizeof *data);
	struct kfd_event_id set = {.event_id = make_event(KFD_EVENT_MEMORY)};
	struct kfd_wait_events w = {.events = (uintptr_t)data, .count = 1};

	*data = (struct kfd_event_data){.event_id = set.event_id};
	mprotect(page_end - PAGE, PAGE, PROT_READ);
	result(!ioctl(kfd, KFD(0x0a, IN, sizeof set), &set) && is_efault(kfd, KFD(0x0c, BOTH, sizeof w), &w),
		"WAIT_EVENTS that cannot write a fault fails with EFAULT");
	mprotect(page_end - PAGE, PAGE, PROT_READ | PROT_WRITE);
}

static void bad_aperture_lists(void)
{
	struct kfd_apertures_new a;
	struct kfd_aperture list[8];
	bool good = true;

	for (int i = 0; i < BAD_POINTERS; i++) {
		a = (struct kfd_apertures_new){.nodes = (uintptr_t)bad_pointer(i, sizeof *list), .count = 1};
		good = is_efault(kfd, KFD(0x14, BOTH, sizeof a), &a) && good;
	}
	a = (struct kfd_apertures_new){.nodes = (uintptr_t)read_only, .count = 1};
	result(is_efault(kfd, KFD(0x14, BOTH, sizeof a), &a) && good,
		"GET_PROCESS_APERTURES_NEW with a bad list fails with EFAULT");
	a = (struct kfd_apertures_new){.nodes = (uintptr_t)list, .count = 8};
	result(!ioctl(kfd, KFD(0x14, BOTH, sizeof a), &a) && a.count == 1 && list[0].gpu_id,
		"and with a good one works");
	gpu = list[0].gpu_id;
}

static void bad_device_lists(void)
{
	struct kfd_alloc_memory m = {.va = UINT64_C(0x200000000),
		.size = PAGE,
		.gpu_id = gpu,
		.flags = KFD_MEMORY_VRAM | KFD_MEMORY_WRITABLE};
	struct kfd_map_memory a = {.devices = (uintptr_t)&gpu, .count = 1};
	unsigned long map = KFD(0x18, BOTH, sizeof a), unmap = KFD(0x19, BOTH, sizeof a);
	bool good = true;

	result(!ioctl(kfd, KFD(0x16, BOTH, sizeof m), &m), "memory is allocated");
	a.handle = m.handle;
	for (int i = 0; i < BAD_POINTERS; i++) {
		a.devices = (uintptr_t)bad_pointer(i, 2 * sizeof gpu);
		a.count = 2;
		good = is_efault(kfd, map, &a) && is_efault(kfd, unmap, &a) && good;
	}
	result(good && a.done == 0,
		"MAP_MEMORY_TO_GPU and UNMAP with a bad list of GPUs fail with EFAULT, and map nothing");
	a.devices = (uintptr_t)&gpu;
	a.count = 1;
	good = !ioctl(kfd, map, &a) && a.done == 1;
	a.done = 0;
	result(good && !ioctl(kfd, unmap, &a) && a.done == 1, "and with a good one work");
	a.done = 2;
	result(ioctl(kfd, map, &a) == -1 && errno == EINVAL, "more GPUs done than there are fail with EINVAL");
}

static void bad_host_memory(void)
{
	struct kfd_alloc_memory m = {.va = UINT64_C(0x300000000),
		.size = 2 * PAGE,
		.gpu_id = gpu,
		.flags = KFD_MEMORY_USER | KFD_MEMORY_WRITABLE};
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long alloc = KFD(0x16, BOTH, sizeof m);
	bool good;

	m.mmap_offset = (uintptr_t)pages;
	good = !ioctl(kfd, alloc, &m);
	munmap(pages + PAGE, PAGE);
	m.mmap_offset = (uintptr_t)pages;
	result(good && is_efault(kfd, alloc, &m), "host memory with a hole cannot be registered: EFAULT");
	m.mmap_offset = 0;
	result(is_efault(kfd, alloc, &m), "nor can address 0");
}

static void bad_cu_masks(void)
{
	struct kfd_cu_mask a = {.count = 64};
	uint32_t bits[2] = {1};
	bool good = true;

	for (int i = 0; i < BAD_POINTERS; i++) {
		a.bits = (uintptr_t)bad_pointer(i, sizeof bits);
		good = is_efault(kfd, KFD(0x1a, IN, sizeof a), &a) && good;
	}
	result(good, "SET_CU_MASK with a bad mask fails with EFAULT");
	a.bits = (uintptr_t)bits;
	a.count = UINT32_MAX - 31;
	result(is_efault(kfd, KFD(0x1a, IN, sizeof a), &a), "so does one that is longer than the program's memory");
}

/* The device reads the rings of queues by itself. */
static void bad_rings(void)
{
	struct kfd_create_queue q;
	bool good = true;

	for (int i = 1; i < BAD_POINTERS; i++)
		for (uint32_t type = KFD_QUEUE_SDMA; type <= KFD_QUEUE_AQL; type++) {
			uint64_t at = (uintptr_t)bad_pointer(i, 64);
			q = (struct kfd_create_queue){.ring = at & ~UINT64_C(255),
				.write_pointer = at,
				.read_pointer = at,
				.ring_bytes = KFD_MIN_RING_BYTES,
				.gpu_id = gpu,
				.type = type,
				.percentage = 100};
			good = !ioctl(kfd, KFD(0x02, BOTH, sizeof q), &q) && good;
			struct kfd_destroy_queue d = {.queue_id = q.queue_id};
			good = !ioctl(kfd, KFD(0x03, BOTH, sizeof d), &d) && good;
		}
	result(good, "queues whose rings cannot be read are created and destroyed");
}

static void bad_versions(void)
{
	char text[64];
	bool good = true;

	for (int field = 0; field < 3; field++)
		for (int i = 1; i < BAD_POINTERS; i++) { /* NULL only asks for the length */
			struct drm_version_query v = {.name_size = 6,
				.name = text,
				.date_size = 8,
				.date = text,
				.description_size = 7,
				.description = text};
			char **text_of[] = {&v.name, &v.date, &v.description};
			*text_of[field] = bad_pointer(i, 6);
			good = is_efault(render, DRM(DRM_CALL_VERSION, BOTH, sizeof v), &v) && good;
		}
	result(good, "DRM_VERSION with a bad name, date or description fails with EFAULT");
}

static void bad_info(void)
{
	static const uint32_t queries[] = {
		AMDGPU_INFO_ACCEL_WORKING, AMDGPU_INFO_VRAM_GTT, AMDGPU_INFO_DEVICE, 0x7777 /* unknown */};
	struct amdgpu_info info = {.return_size = 8};
	unsigned long request = DRM(DRM_CALL_AMDGPU_INFO, IN, sizeof info);
	bool good = true;

	for (size_t q = 0; q < sizeof queries / sizeof *queries; q++)
		for (int i = 0; i < BAD_POINTERS; i++) {
			info.query = queries[q];
			info.return_pointer = (uintptr_t)bad_pointer(i, info.return_size);
			good = is_efault(render, request, &info) && good;
		}
	info.return_pointer = (uintptr_t)(page_end - PAGE);
	info.return_size = UINT32_MAX;
	result(is_efault(render, request, &info) && good, "DRM_AMDGPU_INFO with a bad pointer fails with EFAULT");
}

/* --- the program's own faults --- */
static sigjmp_buf after_fault;
static volatile int caught;

static void catch_fault(int number)
{
	caught = number;
	siglongjmp(after_fault, 1);
}

static bool catches(int number, const volatile char *at)
{
	caught = 0;
	signal(number, catch_fault);
	if (!sigsetjmp(after_fault, 1))
		(void)*at;
	return caught == number;
}

static void own_faults(void)
{
	sigset_t all;

	result(catches(SIGSEGV, no_access) && catches(SIGBUS, beyond_file),
		"the program's handlers get its own faults");
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	result(is_efault(kfd, KFD(0x01, OUT, 8), no_access) && is_efault(kfd, KFD(0x01, OUT, 8), beyond_file),
		"a thread that blocks all signals gets EFAULT, too");
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	kfd = open("/dev/kfd", O_RDWR | O_CLOEXEC);
	render = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	result(kfd >= 0 && render >= 0, "the device opens");
	make_bad_pages();
	bad_arguments();
	bad_event_lists();
	bad_fault_lists();
	bad_aperture_lists();
	bad_device_lists();
	bad_host_memory();
	bad_cu_masks();
	bad_rings();
	bad_versions();
	bad_info();
	own_faults();
	return failed != 0;
}
