/* Several threads fill a buffer as one does. */
#include "gpu/worker/buffers/parallel_fill.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BYTES = 24 << 20, LINE = 128 };

/* Parts of a buffer, as the chunks of a large one are filled: they begin and end within lines. */
static void check(const struct element_type *t, const struct fill_rule *f, char *one, char *several)
{
	const size_t count = BYTES / t->part, from = 5;

	memset(several, 0xff, BYTES);
	fill_store(t, f, one, from, count);
	fill_store_in_parallel(t, f, several, from, count);
	assert_memory_equal(one, several, BYTES);
	memset(several, 0xff, BYTES);
	fill_store(t, f, one, from, 3);
	fill_store_in_parallel(t, f, several, from, 3);
	assert_memory_equal(one, several, 3 * t->part);
	assert_int_equal((unsigned char)several[3 * t->part], 0xff);
}

static void each_fill_is_the_same(void **state)
{
	static const char *const types[] = {"unsigned", "double", "unsigned char"};
	char *one = malloc(BYTES), *several = malloc(BYTES);
	struct err e = {0};
	bool pointer;

	(void)state;
	for (unsigned k = 0; k < sizeof types / sizeof *types; k++)
		for (enum fill_kind kind = FILL_NUMBER; kind <= FILL_ADDRESSES; kind++) {
			const struct element_type *t = element_type_parse(types[k], &pointer, &e);
			struct fill_rule f = {.kind = kind, .stride = LINE / t->part, .lines = 2 * BYTES / LINE};
			if (kind == FILL_CHASE && t->part != sizeof(unsigned))
				continue;
			f.base = kind == FILL_ADDRESSES ? UINT64_C(0x7f0000001000) : 0;
			memset(f.number.bytes, 0x5a, sizeof f.number.bytes);
			check(t, &f, one, several);
		}
	free(one);
	free(several);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(each_fill_is_the_same)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
