// A queue is destroyed while its kernel runs, next to a kernel of another queue: queue_ends-hip CODE_OBJECT. The
// kernels are those of queue_ends.hip. Exit status 0 means success.
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>

#define CHECK(call) check((call), #call, __LINE__)

static void check(hsa_status_t status, const char *what, int line)
{
	const char *text = "";

	if (status == HSA_STATUS_SUCCESS)
		return;
	hsa_status_string(status, &text);
	printf("line %d: %s: %s\n", line, what, text);
	exit(1);
}

static hsa_agent_t gpu, host;
static hsa_amd_memory_pool_t shared, arguments;

static hsa_status_t find_agent(hsa_agent_t agent, void *)
{
	hsa_device_type_t type;

	hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
	(type == HSA_DEVICE_TYPE_GPU ? gpu : host) = agent;
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t find_pool(hsa_amd_memory_pool_t pool, void *)
{
	uint32_t flags = 0;

	hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
	if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED)
		shared = pool;
	if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT)
		arguments = pool;
	return HSA_STATUS_SUCCESS;
}

static void *allocate(hsa_amd_memory_pool_t pool, size_t bytes)
{
	void *p;

	CHECK(hsa_amd_memory_pool_allocate(pool, bytes, 0, &p));
	CHECK(hsa_amd_agents_allow_access(1, &gpu, nullptr, p));
	memset(p, 0, bytes);
	return p;
}

static hsa_executable_t load(const char *path)
{
	hsa_code_object_reader_t reader;
	hsa_executable_t code;

	CHECK(hsa_code_object_reader_create_from_file(open(path, O_RDONLY), &reader));
	CHECK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &code));
	CHECK(hsa_executable_load_agent_code_object(code, gpu, reader, nullptr, nullptr));
	CHECK(hsa_executable_freeze(code, nullptr));
	return code;
}

static uint64_t find_kernel(hsa_executable_t code, const char *name)
{
	hsa_executable_symbol_t symbol;
	uint64_t object = 0;

	CHECK(hsa_executable_get_symbol_by_name(code, name, &gpu, &symbol));
	CHECK(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object));
	return object;
}

static hsa_queue_t *create_queue()
{
	hsa_queue_t *q;

	CHECK(hsa_queue_create(gpu, 256, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, UINT32_MAX, UINT32_MAX, &q));
	return q;
}

static hsa_signal_t submit(hsa_queue_t *q, uint64_t kernel, uint32_t groups, void *args)
{
	const uint64_t at = hsa_queue_add_write_index_relaxed(q, 1);
	auto *p = (hsa_kernel_dispatch_packet_t *)q->base_address + at % q->size;
	hsa_signal_t done;

	CHECK(hsa_signal_create(1, 0, nullptr, &done));
	memset((char *)p + 4, 0, sizeof *p - 4);
	p->workgroup_size_x = 64;
	p->workgroup_size_y = p->workgroup_size_z = p->grid_size_y = p->grid_size_z = 1;
	p->grid_size_x = 64 * groups;
	p->kernel_object = kernel;
	p->kernarg_address = args;
	p->completion_signal = done;
	const uint32_t header = HSA_PACKET_TYPE_KERNEL_DISPATCH |
		HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
		HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE | 1u << 16;
	__atomic_store_n((uint32_t *)p, header, __ATOMIC_RELEASE);
	hsa_signal_store_screlease(q->doorbell_signal, (hsa_signal_value_t)at);
	return done;
}

int main(int, char **argv)
{
	CHECK(hsa_init());
	CHECK(hsa_iterate_agents(find_agent, nullptr));
	CHECK(hsa_amd_agent_iterate_memory_pools(host, find_pool, nullptr));
	hsa_executable_t code = load(argv[1]);
	hsa_queue_t *gone = create_queue(), *stays = create_queue();
	auto *started = (volatile int *)allocate(shared, 4096), *count = started + 64;
	auto **args = (volatile int **)allocate(arguments, 4096);
	int wrong = 0;

	args[0] = started;
	args[8] = count;
	hsa_signal_t never = submit(gone, find_kernel(code, "never_ends.kd"), 8, args),
		     done = submit(stays, find_kernel(code, "counts.kd"), 100, args + 8);
	while (!*started)
		;
	CHECK(hsa_queue_destroy(gone));
	if (hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) != 0)
		wrong = 1;
	printf("%d workgroups\n", *count);
	wrong |= *count != 100;
	CHECK(hsa_queue_destroy(stays));
	CHECK(hsa_signal_destroy(never));
	CHECK(hsa_signal_destroy(done));
	CHECK(hsa_shut_down());
	return wrong;
}
