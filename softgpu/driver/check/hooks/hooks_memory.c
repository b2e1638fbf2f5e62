/* Interposed HSA calls for memory, as HIP and programs make them. While kernels are checked, the memory of a GPU
 * gets addresses of its own, apart from its neighbors in the runtime's block; its physical addresses stay as they are.
 */
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "softgpu/driver/check/allocation_calls.h"
#include "softgpu/driver/check/apart_memory.h"
#include "softgpu/driver/check/check_mode.h"
#include "softgpu/driver/check/va_quarantine.h"
#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/kfd/kfd_alias.h"

#define PAGE UINT64_C(4096)

struct hsa_pool {
	uint64_t handle;
}; /* as hsa_amd_memory_pool_t */
struct hsa_ipc_memory {
	uint32_t handle[RUNTIME_HANDLE_WORDS];
};

typedef int pool_allocate_fn(struct hsa_pool, size_t, uint32_t, void **);
typedef int pool_free_fn(void *);
typedef int memory_lock_fn(void *, size_t, void *, int, void **);
typedef int memory_lock_to_pool_fn(void *, size_t, void *, int, struct hsa_pool, uint32_t, void **);
typedef int memory_unlock_fn(void *);
typedef int ipc_create_fn(void *, size_t, struct hsa_ipc_memory *);
typedef int ipc_attach_fn(const struct hsa_ipc_memory *, size_t, uint32_t, const void *, void **);
typedef int ipc_detach_fn(void *);
struct hsa_agent {
	uint64_t handle;
};
struct hsa_pointer_info { /* as hsa_amd_pointer_info_t, up to the owner */
	uint32_t size, type;
	void *agent_base, *host_base;
	size_t bytes;
	void *user_data;
	struct hsa_agent owner;
};
typedef int pointer_info_fn(const void *, struct hsa_pointer_info *, void *, uint32_t *, void **);
pointer_info_fn hsa_amd_pointer_info; /* not interposed */
typedef int allow_access_fn(uint32_t, const void *, const uint32_t *, const void *);
EXPORT pool_allocate_fn hsa_amd_memory_pool_allocate;
EXPORT pool_free_fn hsa_amd_memory_pool_free;
EXPORT memory_lock_fn hsa_amd_memory_lock;
EXPORT memory_lock_to_pool_fn hsa_amd_memory_lock_to_pool;
EXPORT memory_unlock_fn hsa_amd_memory_unlock;
EXPORT ipc_create_fn hsa_amd_ipc_memory_create;
EXPORT ipc_attach_fn hsa_amd_ipc_memory_attach;
EXPORT ipc_detach_fn hsa_amd_ipc_memory_detach;
EXPORT allow_access_fn hsa_amd_agents_allow_access;

static uint64_t address_of(const void *p)
{
	return (uintptr_t)p;
}

/* Memory that the runtime maps in between gets addresses of its own. */
static void begin_apart(void)
{
	if (check_tracks_memory())
		va_quarantine_begin();
}

static void end_apart(void)
{
	if (check_tracks_memory())
		va_quarantine_end();
}

/* --- pools --- */
struct apart_calls {
	pointer_info_fn *describe;
	ipc_attach_fn *attach;
	ipc_detach_fn *detach;
};
/* Newer runtimes open a file for each import, some of them without closing it, and abort if they cannot. The program
 * gets at least half of the descriptors. */
static bool has_descriptors_left(void)
{
	const int lowest = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct rlimit limit;

	if (lowest >= 0)
		close(lowest);
	return lowest >= 0 && !getrlimit(RLIMIT_NOFILE, &limit) && (rlim_t)lowest < limit.rlim_cur / 2;
}

/* Its addresses from now on; `memory` itself if it has its own already, or cannot get any. Only the GPU whose memory it
 * is reaches them. */
static void *set_apart(void *memory, size_t bytes, const struct apart_calls *call)
{
	const size_t pages = (bytes + PAGE - 1) & ~(PAGE - 1);
	struct hsa_pointer_info info = {.size = sizeof info};
	struct hsa_ipc_memory handle;
	void *apart = NULL;
	int status;

	if (!has_descriptors_left() || !kfd_alias_begin(address_of(memory), pages, handle.handle))
		return memory;
	status = call->describe(memory, &info, NULL, NULL, NULL);
	if (!status)
		status = call->attach(&handle, pages, 1, &info.owner, &apart);
	kfd_alias_end();
	if (status || !apart)
		return memory;
	if (apart_memory_add(address_of(apart), address_of(memory)))
		return apart;
	call->detach(apart);
	return memory;
}

int hsa_amd_memory_pool_allocate(struct hsa_pool pool, size_t bytes, uint32_t flags, void **out)
{
	pool_allocate_fn *allocate = RUNTIME_FUNCTION(hsa_amd_memory_pool_allocate);
	int status;

	if (!check_tracks_allocations() || !allocation_may_be_programs())
		return allocate(pool, bytes, flags, out);
	begin_apart();
	status = allocate(pool, bytes, flags, out);
	if (!status) {
		const struct apart_calls calls = {RUNTIME_FUNCTION(hsa_amd_pointer_info),
			RUNTIME_FUNCTION(hsa_amd_ipc_memory_attach), RUNTIME_FUNCTION(hsa_amd_ipc_memory_detach)};

		if (check_tracks_memory())
			*out = set_apart(*out, bytes, &calls);
		allocation_note(address_of(*out), bytes, 0);
	}
	end_apart();
	return status;
}

int hsa_amd_memory_pool_free(void *memory)
{
	pool_free_fn *give_back = RUNTIME_FUNCTION(hsa_amd_memory_pool_free);
	struct noted_free noted;
	uint64_t original;
	int status;

	if (!check_tracks_allocations())
		return give_back(memory);
	noted = allocation_note_free(address_of(memory));
	original = apart_memory_original(address_of(memory));
	if (original) {
		apart_memory_remove(address_of(memory));
		RUNTIME_FUNCTION(hsa_amd_ipc_memory_detach)(memory);
	}
	status = give_back(original ? (void *)(uintptr_t)original : memory);
	if (status)
		allocation_revert_free(noted);
	return status;
}

/* --- the program's own memory --- */
int hsa_amd_memory_lock(void *host, size_t bytes, void *agents, int count, void **out)
{
	memory_lock_fn *lock = RUNTIME_FUNCTION(hsa_amd_memory_lock);
	int status;

	if (!check_tracks_allocations() || !allocation_may_be_programs())
		return lock(host, bytes, agents, count, out);
	begin_apart();
	status = lock(host, bytes, agents, count, out);
	end_apart();
	if (!status)
		allocation_note(address_of(*out), bytes, address_of(host));
	return status;
}

int hsa_amd_memory_lock_to_pool(
	void *host, size_t bytes, void *agents, int count, struct hsa_pool pool, uint32_t flags, void **out)
{
	memory_lock_to_pool_fn *lock = RUNTIME_FUNCTION(hsa_amd_memory_lock_to_pool);
	int status;

	if (!check_tracks_allocations() || !allocation_may_be_programs())
		return lock(host, bytes, agents, count, pool, flags, out);
	begin_apart();
	status = lock(host, bytes, agents, count, pool, flags, out);
	end_apart();
	if (!status)
		allocation_note(address_of(*out), bytes, address_of(host));
	return status;
}

int hsa_amd_memory_unlock(void *host)
{
	memory_unlock_fn *unlock = RUNTIME_FUNCTION(hsa_amd_memory_unlock);
	struct noted_free noted;
	int status;

	if (!check_tracks_allocations())
		return unlock(host);
	noted = allocation_note_unlock(address_of(host));
	status = unlock(host);
	if (status)
		allocation_revert_free(noted);
	return status;
}

/* --- memory of other processes --- */
int hsa_amd_ipc_memory_create(void *memory, size_t bytes, struct hsa_ipc_memory *handle)
{
	uint64_t original = check_tracks_memory() ? apart_memory_original(address_of(memory)) : 0;

	return RUNTIME_FUNCTION(hsa_amd_ipc_memory_create)(
		original ? (void *)(uintptr_t)original : memory, bytes, handle);
}

int hsa_amd_ipc_memory_attach(
	const struct hsa_ipc_memory *handle, size_t bytes, uint32_t count, const void *agents, void **out)
{
	ipc_attach_fn *attach = RUNTIME_FUNCTION(hsa_amd_ipc_memory_attach);
	int status;

	if (!check_tracks_allocations() || !allocation_may_be_programs())
		return attach(handle, bytes, count, agents, out);
	begin_apart();
	status = attach(handle, bytes, count, agents, out);
	end_apart();
	if (!status)
		allocation_note(address_of(*out), bytes, 0);
	return status;
}

int hsa_amd_ipc_memory_detach(void *memory)
{
	ipc_detach_fn *detach = RUNTIME_FUNCTION(hsa_amd_ipc_memory_detach);
	struct noted_free noted;
	int status;

	if (!check_tracks_allocations())
		return detach(memory);
	noted = allocation_note_free(address_of(memory));
	status = detach(memory);
	if (status)
		allocation_revert_free(noted);
	return status;
}

/* --- several GPUs --- */
int hsa_amd_agents_allow_access(uint32_t count, const void *agents, const uint32_t *flags, const void *memory)
{
	uint64_t original = check_tracks_memory() ? apart_memory_original(address_of(memory)) : 0;
	int status = RUNTIME_FUNCTION(hsa_amd_agents_allow_access)(
		count, agents, flags, original ? (const void *)(uintptr_t)original : memory);

	if (original && !status)
		kfd_alias_follow(address_of(memory), original);
	return status;
}
