/* The timeline's models with made-up data: what a CU does, the hot loop, a screen that changes its width. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "experiments/analysis/issued_code.h"
#include "experiments/analysis/timeline/cu_activity.h"

static json_t *read_json(const char *text)
{
	json_error_t error;
	json_t *o = json_loads(text, 0, &error);
	if (!o)
		fail_msg("%s at %d: %s", error.text, error.column, text);
	return o;
}

/* Wave 0 issues for 4 cycles and waits until 20, having issued a second instruction at 4; wave 1 exists from 10 to 20.
 */
#define SPANS "[[0,0,0,0,4,0,0,1,0,1],[0,0,0,4,20,16,4,0,0,1],[1,1,0,10,20,0,8,1,0,1]]"

static void read_spans(struct wave_spans *w, int grain)
{
	json_t *o = read_json("{\"cu\":0,\"from\":0,\"to\":20,\"dropped\":0,\"by_cu\":[2],\"spans\":" SPANS "}");
	json_object_set_new(o, "grain", json_integer(grain));
	memset(w, 0, sizeof *w);
	wave_spans_read(w, o);
	json_decref(o);
}

static void waves_and_instructions_are_counted_by_column(void **state)
{
	struct wave_spans w;
	struct cu_activity by_column[3];
	(void)state;
	read_spans(&w, 0);
	cu_activity_measure(&w, 0, 10, 3, by_column);
	assert_true(by_column[0].waves == 1 && by_column[1].waves == 2 && by_column[2].waves == 0);
	assert_float_equal(by_column[0].ipc, 0.2, 1e-9);
	assert_float_equal(by_column[1].ipc, 0.1, 1e-9);
	assert_true(by_column[2].ipc == 0);
	cu_activity_measure(&w, 2, 2, 3, by_column); /* half of the first instruction; the second one */
	assert_float_equal(by_column[0].ipc, 0.25, 1e-9);
	assert_float_equal(by_column[1].ipc, 0.5, 1e-9);
	assert_true(by_column[2].ipc == 0);
	wave_spans_free(&w);
}

/* Of merged spans it is not known when they issued. */
static void merged_spans_issue_evenly(void **state)
{
	struct wave_spans w;
	struct cu_activity by_column[2];
	(void)state;
	read_spans(&w, 16);
	cu_activity_measure(&w, 4, 8, 2, by_column);
	assert_float_equal(by_column[0].ipc, (0.5 + 0.2) / 8, 1e-9);
	assert_float_equal(by_column[1].ipc, (0.5 + 0.8) / 8, 1e-9);
	wave_spans_free(&w);
}

static void the_timeline_follows_the_width(void **state)
{
	struct wave_spans w = {0};
	(void)state;
	wave_spans_fit(&w, 1000, 1400, 40);
	assert_true(w.left == 1000 && w.zoom == 10);
	w.cursor = 1200;
	wave_spans_resize(&w, 100, 5000);
	assert_true(w.left == 1000 && w.zoom == 4 && w.cursor == 1200);
	wave_spans_zoom(&w, 1, 100, 5000);
	wave_spans_resize(&w, 50, 5000);
	assert_true(w.zoom == 2 && w.columns == 50 && w.left <= 1200 && w.left + 100 > 1200);
}

/* Address, count and cycles; the instruction with the most cycles is at 12. */
static int hot_loop(const char *instructions, uint64_t waves, uint64_t *trips)
{
	struct issued_code c = {0};
	json_t *o = json_object();
	json_object_set_new(o, "instructions", read_json(instructions));
	issued_code_read(&c, o);
	int line = issued_code_find_hot_loop(&c, waves, trips);
	issued_code_free(&c);
	json_decref(o);
	return line;
}

static void the_loop_with_the_most_cycles_is_found(void **state)
{
	uint64_t trips = 0;
	(void)state;
	assert_int_equal(hot_loop("[[0,\"a\",4,100],[4,\"b\",40,10],[8,\"c\",40,20],[12,\"d\",40,900],[16,\"e\",4,10]]",
				 4, &trips),
		1);
	assert_int_equal(trips, 10);
	/* a branch inside runs in half of the trips */
	assert_int_equal(
		hot_loop("[[0,\"a\",4,1],[4,\"b\",40,1],[8,\"c\",20,1],[12,\"d\",20,9],[16,\"e\",40,1]]", 4, &trips),
		1);
	/* another loop before it has its own start */
	assert_int_equal(
		hot_loop("[[0,\"a\",99,1],[4,\"b\",4,1],[8,\"c\",40,1],[12,\"d\",40,9],[16,\"e\",4,1]]", 4, &trips), 2);
	assert_int_equal(hot_loop("[[0,\"a\",4,1],[4,\"b\",4,1],[8,\"c\",4,9]]", 4, &trips), -1);
	assert_int_equal(hot_loop("[]", 4, &trips), -1);
	assert_int_equal(hot_loop("[[0,\"a\",4,1]]", 0, &trips), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waves_and_instructions_are_counted_by_column),
		cmocka_unit_test(merged_spans_issue_evenly),
		cmocka_unit_test(the_timeline_follows_the_width),
		cmocka_unit_test(the_loop_with_the_most_cycles_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
