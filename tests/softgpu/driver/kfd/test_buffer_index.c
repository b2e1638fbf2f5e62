/* Buffers are found by each of their addresses, also among many that come and go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "softgpu/driver/kfd/buffer_index.h"

#define PAGE UINT64_C(4096)
enum { BUFFERS = 50000 };

/* Pseudo-random places with gaps: the k-th is at a multiple of 16 pages, and has 1 to 15. */
static uint64_t va_of(size_t k)
{
	return (1 + k * 7919 % BUFFERS) * 16 * PAGE;
}

static uint64_t size_of(size_t k)
{
	return (1 + k % 15) * PAGE;
}

static void expect(size_t k, size_t number)
{
	assert_int_equal(buffer_index_find(va_of(k)), number);
	assert_int_equal(buffer_index_find(va_of(k) + size_of(k) - 1), number);
	assert_int_equal(buffer_index_find(va_of(k) - 1), 0);
	assert_int_equal(buffer_index_find(va_of(k) + size_of(k)), 0);
}

static void many_are_found(void **state)
{
	(void)state;
	for (size_t k = 0; k < BUFFERS; k++)
		assert_true(buffer_index_add(va_of(k), size_of(k), k + 1));
	for (size_t k = 0; k < BUFFERS; k++)
		expect(k, k + 1);
	for (size_t k = 0; k < BUFFERS; k += 2)
		buffer_index_remove(va_of(k), k + 1);
	for (size_t k = 0; k < BUFFERS; k++)
		expect(k, k % 2 ? k + 1 : 0);
	for (size_t k = 0; k < BUFFERS; k++)
		buffer_index_remove(va_of(k), k + 1); /* half of them a second time */
	for (size_t k = 0; k < BUFFERS; k++)
		expect(k, 0);
}

/* A buffer that ends at the last address, and two at one address, of which one leaves. */
static void edges(void **state)
{
	(void)state;
	assert_true(buffer_index_add(-PAGE, PAGE, 1));
	assert_int_equal(buffer_index_find(UINT64_MAX), 1);
	assert_int_equal(buffer_index_find(-PAGE - 1), 0);
	assert_true(buffer_index_add(PAGE, PAGE, 2) && buffer_index_add(PAGE, PAGE, 3));
	buffer_index_remove(PAGE, 2);
	assert_int_equal(buffer_index_find(PAGE), 3);
	buffer_index_remove(PAGE, 3);
	buffer_index_remove(-PAGE, 1);
	assert_int_equal(buffer_index_find(PAGE), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_are_found),
		cmocka_unit_test(edges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
