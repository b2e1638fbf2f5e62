/* Blocks of JSON values are used again, by their own thread, and free() takes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/host/json_memory.h"

enum { ROUNDS = 2000 };

static json_t *make_value(int i)
{
	json_t *list = json_array();
	for (int k = 0; k < i % 50; k++)
		json_array_append_new(list, json_pack("{s:i, s:f, s:s}", "n", k, "half", k / 2.0, "text", "a text"));
	return list;
}

static void check_value(const json_t *list, int i)
{
	assert_int_equal(json_array_size(list), i % 50);
	for (int k = 0; k < i % 50; k++) {
		const json_t *o = json_array_get(list, (size_t)k);
		assert_int_equal(json_integer_value(json_object_get(o, "n")), k);
		assert_true(json_real_value(json_object_get(o, "half")) == k / 2.0);
		assert_string_equal(json_string_value(json_object_get(o, "text")), "a text");
	}
}

static void values_keep_what_they_are(void **state)
{
	(void)state;
	json_t *held[7] = {0};
	for (int i = 0; i < ROUNDS; i++) {
		if (held[i % 7])
			check_value(held[i % 7], i - 7);
		json_decref(held[i % 7]);
		held[i % 7] = make_value(i);
	}
	for (int i = 0; i < 7; i++)
		json_decref(held[i]);
}

static void freed_blocks_are_used_again(void **state)
{
	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip();
#endif
	json_t *o = json_object();
	void *was = o;
	json_decref(o);
	o = json_object();
	assert_ptr_equal(o, was);
	json_decref(o);
}

/* json_dumps returns such a block, and its callers know only free(). */
static void free_takes_a_text(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		json_t *v = json_pack("{s:i}", "number", i);
		char *text = json_dumps(v, JSON_COMPACT);
		assert_non_null(strstr(text, "number"));
		free(text);
		json_decref(v);
	}
}

static void *free_elsewhere(void *value)
{
	json_decref(value);
	json_t *own = make_value(49);
	check_value(own, 49);
	json_decref(own);
	return NULL;
}

static void another_thread_may_free_a_value(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		pthread_t thread;
		json_t *v = make_value(49);
		assert_int_equal(pthread_create(&thread, NULL, free_elsewhere, v), 0);
		pthread_join(thread, NULL);
	}
	values_keep_what_they_are(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_keep_what_they_are),
		cmocka_unit_test(freed_blocks_are_used_again),
		cmocka_unit_test(free_takes_a_text),
		cmocka_unit_test(another_thread_may_free_a_value),
	};
	json_memory_reuse();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
