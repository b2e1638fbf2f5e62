/* The cycles of a launch do not depend on where its packet and its arguments are, nor on launches before it. */
#include "tests/softgpu/core/device.h"

#include "softgpu/core/memory/vm.h"

static struct device d;

static int open_device(void **state)
{
	(void)state;
	device_open(&d, "mi25", "machine.s", ASSEMBLE);
	return 0;
}

static int close_device(void **state)
{
	(void)state;
	device_close(&d);
	return 0;
}

/* Cycles of a launch that reads its arguments at this offset, with empty caches. */
static uint64_t launch_at(uint64_t offset)
{
	struct dispatch p =
		device_dispatch(&d, "null", (const uint32_t[3]){64, 1, 1}, (const uint16_t[3]){64, 1, 1}, 0);

	memcpy(d.kernarg + offset, d.kernarg, 64);
	p.kernarg = KERNARG_VA + offset;
	p.kernel_object = loaded_object_find_kernel(&d.object, "code_1k");
	gpu_clear_caches(d.gpu);
	assert_int_equal(gpu_launch(d.gpu, &p, &d.out), LAUNCH_OK);
	return d.out.cycles;
}

static void arguments_elsewhere_take_the_same_cycles(void **state)
{
	(void)state;
	device_args(&d);
	push_int(&d, 3);
	uint64_t first = launch_at(0);
	assert_true(first > 0);
	for (uint64_t offset = 64; offset < KERNARG_BYTES / 2; offset += 64)
		assert_int_equal(launch_at(offset), first);
}

static void a_shift_ends_as_it_began(void **state)
{
	(void)state;
	static _Alignas(4096) uint8_t host[8 * 4096];
	const struct vm_region all = {UINT64_C(1) << 30, sizeof host, host, VM_SYSTEM | 4096, VM_READ};
	struct vm vm = {0};

	assert_true(vm_map(&vm, &all));
	vm_begin_shift(&vm, all.va + 192, VM_SYSTEM | UINT64_C(1) << 44);
	vm_begin_shift(&vm, all.va + 8192 + 64, VM_SYSTEM | UINT64_C(3) << 43);
	assert_int_equal(vm.count, 3);
	assert_int_equal(vm_find(&vm, all.va + 192, 64, VM_READ)->phys, VM_SYSTEM | UINT64_C(1) << 44);
	assert_ptr_equal(vm_find(&vm, all.va + 192, 64, VM_READ)->host, host + 192);
	assert_int_equal(vm_find(&vm, all.va + 8192 + 64, 64, VM_READ)->phys, VM_SYSTEM | UINT64_C(3) << 43);
	vm_unmap(&vm, all.va + 7 * 4096, 4096);
	vm_end_shifts(&vm);
	assert_int_equal(vm.count, 1);
	assert_int_equal(vm.region[0].phys, all.phys);
	assert_int_equal(vm.region[0].size, 7 * 4096);
	vm_close(&vm);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_elsewhere_take_the_same_cycles),
		cmocka_unit_test(a_shift_ends_as_it_began),
	};
	return cmocka_run_group_tests(tests, open_device, close_device);
}
