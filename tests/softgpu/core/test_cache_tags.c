/* Tags of caches: clearing them and completing their fills, which skip caches without lines. */
#include "softgpu/core/state/cache_tags.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct cache c;

static int open_cache(void **state)
{
	(void)state;
	return cache_open(&c, 4, 16) ? 0 : -1;
}

static int close_cache(void **state)
{
	(void)state;
	cache_close(&c);
	return 0;
}

static void test_clear_forgets_lines(void **state)
{
	(void)state;
	for (int again = 0; again < 2; again++) {
		cache_insert(&c, 1, 5, 0, 100);
		assert_non_null(cache_find(&c, 1, 5));
		cache_clear(&c);
		assert_null(cache_find(&c, 1, 5));
	}
}

static void test_fills_complete(void **state)
{
	(void)state;
	cache_insert(&c, 2, 6, 0, 100);
	uint64_t *ready = cache_find(&c, 2, 6);
	assert_int_equal(*ready, 100);
	cache_complete_fills(&c);
	assert_int_equal(*ready, 0);
	cache_refill(&c, ready, 200);
	cache_complete_fills(&c);
	assert_int_equal(*ready, 0);
}

static void test_first_write_of_each_half_counts(void **state)
{
	enum { FIRST_HALF = 62 };
	const uint64_t first = UINT64_C(1) << FIRST_HALF, second = first << 1;

	(void)state;
	cache_insert(&c, 0, 9, cache_marks_of_write(first), 0);
	assert_false(cache_write(&c, cache_find_tag(&c, 0, 9), first));
	assert_true(cache_write(&c, cache_find_tag(&c, 0, 9), second));
	assert_false(cache_write(&c, cache_find_tag(&c, 0, 9), second));
	cache_forget_writes(&c);
	assert_true(cache_write(&c, cache_find_tag(&c, 0, 9), first));
	assert_int_equal(*cache_find_tag(&c, 0, 9), 10 | CACHE_DIRTY | first >> 2);
}

/* What is cleared already is not cleared again: most caches of a GPU are untouched by a small kernel. */
static void test_untouched_caches_are_skipped(void **state)
{
	(void)state;
	cache_insert(&c, 3, 7, 0, 100);
	cache_clear(&c);
	cache_complete_fills(&c);
	memset(c.set, 0xaa, 8);
	c.ready[0] = 1;
	cache_clear(&c);
	cache_complete_fills(&c);
	assert_int_equal(c.set[0], 0xaa);
	assert_int_equal(c.ready[0], 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_clear_forgets_lines, open_cache, close_cache),
		cmocka_unit_test_setup_teardown(test_fills_complete, open_cache, close_cache),
		cmocka_unit_test_setup_teardown(test_first_write_of_each_half_counts, open_cache, close_cache),
		cmocka_unit_test_setup_teardown(test_untouched_caches_are_skipped, open_cache, close_cache),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
