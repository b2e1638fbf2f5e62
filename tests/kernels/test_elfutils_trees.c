/* The search trees for static libraries of elfutils. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernels/inspect/elfutils_trees.h"

static int freed;

static void count_freed(void *key)
{
	freed += *(int *)key;
}

static int compare_numbers(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void test_elfutils_tree(void **state)
{
	(void)state;
	int one = 1, two = 2, again = 2;
	struct elfutils_tree t = {.root = &one};
	eu_search_tree_init(&t);
	assert_null(eu_tfind(&one, &t, compare_numbers));
	assert_ptr_equal(*(int **)eu_tsearch(&one, &t, compare_numbers), &one);
	assert_ptr_equal(*(int **)eu_tsearch(&two, &t, compare_numbers), &two);
	assert_ptr_equal(*(int **)eu_tsearch(&again, &t, compare_numbers), &two);
	assert_ptr_equal(*(int **)eu_tfind(&again, &t, compare_numbers), &two);
	assert_non_null(eu_tdelete(&one, &t, compare_numbers));
	assert_null(eu_tfind(&one, &t, compare_numbers));
	eu_search_tree_fini(&t, count_freed);
	assert_int_equal(freed, 2);
	assert_null(t.root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_elfutils_tree)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
