/* Memory on the steps page: addresses as text, what an instruction accesses, and contents by step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tui/views/inspector/memory_watch.h"

static struct wave_registers r;
static struct launch_buffers buffers;

static int set_registers(void **state)
{
	(void)state;
	r.s[4] = 0x1000;
	r.s[5] = 2;
	r.v[2][7] = 0x40;
	r.v[3][7] = 1;
	return 0;
}

static void addresses_are_sums(void **state)
{
	static const struct {
		const char *text;
		uint64_t at;
		bool lds;
	} cases[] = {{"0x40", 0x40, false}, {"64", 64, false}, {"s4", 0x1000, false}, {"s[4:5]", 0x200001000, false},
		{"s[4:5]+v2+16", 0x200001050, false}, {" s[4:5] + v2 ", 0x200001040, false},
		{"v[2:3]", 0x100000040, false}, {"lds v2", 0x40, true}, {"lds v2+4", 0x44, true}, {"lds 0", 0, true},
		{"s4+-16", 0xff0, false}};
	struct memory_watch w;
	struct err e = {0};
	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		if (!memory_watch_read(cases[k].text, &r, 7, &buffers, &w, &e))
			fail_msg("%s: %s", cases[k].text, e.text);
		assert_true(w.on);
		assert_int_equal(w.at, cases[k].at);
		assert_int_equal(w.lds, cases[k].lds);
	}
	assert_int_equal(memory_watch_begin(&w), 0xfe0);
}

/* Buffers move from launch to launch; what is in one is found again by its offset. */
static void addresses_in_buffers_are_offsets(void **state)
{
	struct memory_watch w;
	struct err e = {0};
	char text[80];
	json_t *list = json_pack("[[s,I,I],[s,I,I]]", "in", (json_int_t)0x200000000, (json_int_t)0x1004, "out",
		       (json_int_t)0x100000000, (json_int_t)0x40),
	       *request;
	(void)state;
	launch_buffers_read(&buffers, list);
	assert_true(memory_watch_read("s[4:5]", &r, 7, &buffers, &w, &e));
	assert_string_equal(memory_watch_format(&w, text, sizeof text), "in + 0x1000");
	assert_true(memory_watch_read("out+0x2c", &r, 7, &buffers, &w, &e));
	assert_string_equal(memory_watch_format(&w, text, sizeof text), "out + 0x2c");
	request = memory_watch_request(&w);
	assert_string_equal(json_string_value(json_object_get(request, "buffer")), "out");
	assert_int_equal(json_integer_value(json_object_get(request, "offset")), 0x20);
	json_decref(request);
	assert_true(memory_watch_read("out+0x40", &r, 7, &buffers, &w, &e)); /* behind it */
	assert_string_equal(memory_watch_format(&w, text, sizeof text), "address 0x100000040");
	assert_true(memory_watch_read("lds 4", &r, 7, &buffers, &w, &e));
	assert_string_equal(memory_watch_format(&w, text, sizeof text), "LDS byte 0x4");
	launch_buffers_read(&buffers, NULL);
	json_decref(list);
}

static void mistakes_are_reported(void **state)
{
	static const char *const bad[] = {
		"", "lds", "buffer", "s[4:6]", "s[4]", "s999", "v256", "v[255:256]", "s4 v2", "s4+", "s-1"};
	struct memory_watch w;
	(void)state;
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
		struct err e = {0};
		assert_false(memory_watch_read(bad[k], &r, 7, &buffers, &w, &e));
		assert_non_null(strstr(e.text, "is not an address"));
	}
}

static void an_instruction_suggests_its_address(void **state)
{
	static const struct {
		const char *instruction, *address;
	} cases[] = {{"global_load_dword v1, v[2:3], off", "v[2:3]"},
		{"global_load_dwordx4 v[4:7], v2, s[4:5] offset:16", "v2+s[4:5]+16"},
		{"global_load_dword v1, v[2:3], off offset:-16 glc", "v[2:3]+-16"},
		{"global_store_dword v[2:3], v4, off", "v[2:3]"},
		{"global_store_dword v2, v4, s[4:5] offset:4", "v2+s[4:5]+4"},
		{"global_atomic_add v[2:3], v4, off", "v[2:3]"},
		{"global_atomic_add v1, v[2:3], v4, off glc", "v[2:3]"}, {"flat_load_dword v1, v[2:3]", "v[2:3]"},
		{"flat_store_dword v[2:3], v1", "v[2:3]"}, {"s_load_dwordx2 s[0:1], s[4:5], 0x10", "s[4:5]+0x10"},
		{"ds_read_b32 v1, v2 offset:4", "lds v2+4"}, {"ds_write_b64 v2, v[4:5] offset:8", "lds v2+8"},
		{"ds_add_u32 v2, v4", "lds v2"}, {"ds_add_rtn_u32 v1, v2, v4", "lds v2"}, {"v_add_u32 v1, v2, v3", ""},
		{"s_endpgm", ""}, {"buffer_load_dword v1, v2, s[4:7], 0 offen", ""}, {"", ""}};
	char text[80];
	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		memory_watch_suggest(cases[k].instruction, text, sizeof text);
		assert_string_equal(text, cases[k].address);
	}
}

static void contents_follow_the_steps(void **state)
{
	json_error_t error;
	struct wave_steps t = {0};
	const struct watched_memory *before;
	json_t *o = json_loads("{\"first\":0,\"steps\":[[1,0,[],[]],[2,4,[],[]],[3,8,[],[]],[4,12,[],[]]],"
			       "\"memory\":[[0,\"0000000000000001\"],[2,\"0000000700000001\"]]}",
		0, &error);
	(void)state;
	wave_steps_read(&t, o);
	const struct watched_memory *now = wave_steps_memory(&t, 1, &before);
	assert_true(now == before && now->dwords == 2 && now->value[0] == 0 && now->value[1] == 1);
	now = wave_steps_memory(&t, 2, &before);
	assert_true(now->value[0] == 7 && before->value[0] == 0);
	now = wave_steps_memory(&t, 3, &before);
	assert_true(now == before && now->value[0] == 7);
	now = wave_steps_memory(&t, 0, &before);
	assert_true(now == before && now->value[0] == 0);
	wave_steps_free(&t);
	assert_null(wave_steps_memory(&t, 0, &before));
	json_decref(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_sums),
		cmocka_unit_test(addresses_in_buffers_are_offsets),
		cmocka_unit_test(mistakes_are_reported),
		cmocka_unit_test(an_instruction_suggests_its_address),
		cmocka_unit_test(contents_follow_the_steps),
	};
	return cmocka_run_group_tests(tests, set_registers, NULL);
}
