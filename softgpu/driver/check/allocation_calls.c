#include "softgpu/driver/check/allocation_calls.h"

#include <stddef.h>
#include <string.h>

#include "softgpu/driver/check/allocations.h"
#include "softgpu/driver/check/host_stack.h"
#include "softgpu/driver/check/va_quarantine.h"
#include "softgpu/driver/kfd/kfd_memory.h"

#define PAGE UINT64_C(4096)

static __thread struct {
	unsigned depth;
	uint64_t address, bytes, host; /* of the last allocation; address 0: none */
} allocating;
static __thread struct {
	unsigned depth;
	uint32_t stack;
	struct live_allocation what;
	bool now;
} freeing;
static __thread const char *unhooked; /* the function, as of allocation_may_be_programs */

#define ALLOCATES(name) #name,
#define FREES(name)
static const char *const allocates[] = {
#include "softgpu/driver/check/allocation_functions.def"
	"hsa_amd_ipc_memory_attach", "hsa_amd_memory_lock", "hsa_amd_memory_lock_to_pool",
	"hsa_amd_memory_pool_allocate", "hipMallocAsync", "hipMallocFromPoolAsync", NULL};
#undef ALLOCATES
#undef FREES
#define ALLOCATES(name)
#define FREES(name) #name,
static const char *const frees[] = {
#include "softgpu/driver/check/allocation_functions.def"
	"hsa_amd_ipc_memory_detach", "hsa_amd_memory_pool_free", "hsa_amd_memory_unlock", "hipFreeAsync", NULL};
#undef ALLOCATES
#undef FREES

/* The name in the list, which stays valid; NULL: it is not in it. */
static const char *find_name(const char *const *list, const char *name)
{
	for (; name && *list; list++)
		if (!strcmp(*list, name))
			return *list;
	return NULL;
}

/* Whether the memory is a mapping of its own, among addresses that lie apart. */
static bool has_own_addresses(uint64_t address, uint64_t bytes)
{
	struct kfd_mapping m;

	return va_quarantine_contains(address) && kfd_memory_find_mapping(address, &m) &&
		m.start == (address & ~(PAGE - 1)) && m.start + m.size == ((address + bytes + PAGE - 1) & ~(PAGE - 1));
}

static void add_allocation(uint64_t address, uint64_t bytes, uint64_t host, const char *how, uint32_t stack)
{
	allocations_add(&(struct new_allocation){.address = address,
		.bytes = bytes,
		.host = host,
		.own_addresses = has_own_addresses(address, bytes),
		.how = how,
		.stack = stack});
}

/* --- allocating --- */
void allocation_call_begin(void)
{
	if (!allocating.depth++)
		allocating.address = 0;
}

void allocation_call_end_at(const char *how, int status, uint64_t address, uint64_t bytes)
{
	if (--allocating.depth || status || !address)
		return;
	add_allocation(address, bytes, address == allocating.address ? allocating.host : 0, how, host_stack_take());
}

void allocation_call_end(const char *how, int status)
{
	allocation_call_end_at(how, status, allocating.address, allocating.bytes);
}

bool allocation_may_be_programs(void)
{
	if (allocating.depth)
		return true;
	unhooked = find_name(allocates, host_stack_find_call());
	return unhooked;
}

void allocation_note(uint64_t address, uint64_t bytes, uint64_t host)
{
	if (allocating.depth) {
		allocating.address = address;
		allocating.bytes = bytes;
		allocating.host = host;
	} else {
		add_allocation(address, bytes, host, unhooked, host_stack_take());
	}
}

/* --- freeing --- */
static void begin_free(uint64_t address, bool now)
{
	if (freeing.depth++)
		return;
	freeing.what = allocations_find_live(address);
	freeing.stack = host_stack_take();
	freeing.now = now;
	if (now && freeing.what.number)
		allocations_free(freeing.what, freeing.stack, true);
}

void free_call_begin(uint64_t address)
{
	begin_free(address, false);
}

void free_call_begin_now(uint64_t address)
{
	begin_free(address, true);
}

/* Memory of a pool stays allocated in the runtime, so only the return says that it is free. */
void free_call_end(int status)
{
	if (--freeing.depth || !freeing.what.number)
		return;
	if (freeing.now && status)
		allocations_revive(freeing.what);
	else if (!freeing.now && !status)
		allocations_free(freeing.what, freeing.stack, true);
}

static struct noted_free note_free(struct live_allocation what)
{
	uint32_t stack = freeing.stack;
	bool by_program = freeing.depth > 0;

	if (what.number && !freeing.depth) {
		stack = host_stack_take();
		by_program = find_name(frees, host_stack_find_call());
	}
	if (what.number)
		allocations_free(what, stack, by_program);
	return (struct noted_free){what.address, what.number};
}

struct noted_free allocation_note_free(uint64_t address)
{
	return note_free(allocations_find_live(address));
}

struct noted_free allocation_note_unlock(uint64_t host)
{
	return note_free(allocations_find_registered(host));
}

void allocation_revert_free(struct noted_free f)
{
	if (f.number)
		allocations_revive((struct live_allocation){f.address, f.number});
}
