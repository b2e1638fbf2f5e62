/* Shifts of physical addresses during a launch, and their end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "softgpu/core/state/vm.h"
#include "softgpu/core/softgpu.h"

enum { PAGE = 4096, PAGES = 8 };
#define FIRST_PHYS  (VM_SYSTEM | LAUNCH_PHYS)
#define SECOND_PHYS (VM_SYSTEM | (LAUNCH_PHYS + LAUNCH_PHYS / 2))

static _Alignas(PAGE) uint8_t host[PAGES * PAGE];
static const struct vm_region all = {UINT64_C(1) << 30, sizeof host, host, VM_SYSTEM | PAGE, VM_READ};

static void expect(struct vm *vm, uint64_t at, uint64_t phys)
{
	const struct vm_region *r = vm_find(vm, all.va + at, 64, VM_READ);

	assert_non_null(r);
	assert_int_equal(r->phys + all.va + at - r->va, phys);
	assert_ptr_equal(r->host + (all.va + at - r->va), host + at);
}

static void a_shift_lasts_until_its_end(void **state)
{
	(void)state;
	struct vm vm = {0};

	assert_true(vm_map(&vm, &all));
	vm_begin_shift(&vm, 0, all.va + 192, FIRST_PHYS);
	vm_begin_shift(&vm, 0, all.va + 2 * PAGE + 64, SECOND_PHYS);
	expect(&vm, 0, all.phys);
	expect(&vm, 256, FIRST_PHYS + 64);
	expect(&vm, 2 * PAGE + 64, SECOND_PHYS);
	vm_unmap(&vm, all.va + 7 * PAGE, PAGE);
	vm_end_shifts(&vm, 0);
	assert_int_equal(vm.count, 1);
	assert_int_equal(vm.region[0].size, 7 * PAGE);
	expect(&vm, 0, all.phys);
	expect(&vm, 2 * PAGE + 64, all.phys + 2 * PAGE + 64);
	vm_close(&vm);
}

static void memory_that_a_shift_cuts_is_one_mapping(void **state)
{
	(void)state;
	struct vm vm = {0};

	assert_true(vm_map(&vm, &all));
	vm_begin_shift(&vm, 0, all.va + 192, FIRST_PHYS);
	vm_begin_shift(&vm, 0, all.va + PAGE, SECOND_PHYS);
	const struct vm_region *r = vm_find(&vm, all.va + 128, 2 * PAGE, VM_READ);
	assert_non_null(r);
	assert_ptr_equal(r->host + (all.va + 128 - r->va), host + 128);
	assert_null(vm_find(&vm, all.va + 128, 2 * PAGE, VM_WRITE));
	assert_non_null(vm_find(&vm, all.va + 128, sizeof host - 128, VM_READ));
	assert_null(vm_find(&vm, all.va + 128, sizeof host - 127, VM_READ));
	assert_null(vm_find(&vm, all.va + 128, UINT64_MAX, VM_READ));
	vm_end_shifts(&vm, 0);
	vm_close(&vm);
}

static void a_copy_has_no_shift(void **state)
{
	(void)state;
	struct vm vm = {0}, copy = {0};

	assert_true(vm_map(&vm, &all));
	vm_begin_shift(&vm, 0, all.va, FIRST_PHYS);
	assert_true(vm_copy(&copy, &vm));
	expect(&vm, 0, FIRST_PHYS);
	expect(&copy, 0, all.phys);
	vm_close(&vm);
	vm_close(&copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shift_lasts_until_its_end),
		cmocka_unit_test(memory_that_a_shift_cuts_is_one_mapping),
		cmocka_unit_test(a_copy_has_no_shift),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
