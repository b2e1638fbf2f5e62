/* The inspector's models with made-up data: spans, steps forward and back, lanes on banks and lines, sets,
 * tunables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "gpu/worker/inside/launch_profile.h"
#include "tests/assert_range.h"
#include "tests/tui/screen_state.h"
#include "tui/toolkit/grid.h"
#include "tui/views/inspector/inspector.h"
#include "tui/views/inspector/lane_map.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"

/* ' for " */
static json_t *json(const char *text)
{
	char *copy = xstrdup(text);
	json_error_t error;
	for (char *p = copy; *p; p++)
		*p = *p == '\'' ? '"' : *p;
	json_t *o = json_loads(copy, 0, &error);
	if (!o)
		fail_msg("%s at %d: %s", error.text, error.column, text);
	free(copy);
	return o;
}

/* --- spans --- */
/* Wave 0 in SIMD 0 slot 0 issues in cycles 0..10 and waits until 100; wave 1 in SIMD 1 slot 0 starts at 50. */
#define SPANS "[[1,1,0,50,80,18,8,0],[0,0,0,0,10,0,0,1],[0,0,0,10,100,16,4,0],[1,1,0,80,90,0,12,1]]"
#define WAVES "{'cu':0,'from':0,'to':100,'grain':0,'dropped':0,'by_cu':[2,0],'spans':" SPANS "}"

static void read_waves(struct wave_spans *w)
{
	json_t *o = json(WAVES);
	memset(w, 0, sizeof *w);
	wave_spans_read(w, o);
	json_decref(o);
}

static void spans_are_found_by_slot_and_cycle(void **state)
{
	struct wave_spans w;
	(void)state;
	read_waves(&w);
	assert_int_equal(w.rows, 2);
	assert_int_equal(w.row[1].simd, 1);
	assert_int_equal(w.by_cu[0], 2);
	assert_int_equal(wave_spans_at(&w, 0, 0)->issue, 1);
	assert_int_equal(wave_spans_at(&w, 0, 10)->cause, 16);
	assert_int_equal(wave_spans_at(&w, 0, 99)->offset, 4);
	assert_null(wave_spans_at(&w, 0, 100));
	assert_null(wave_spans_at(&w, 1, 49));
	assert_null(wave_spans_at(&w, 2, 0));
	assert_int_equal(wave_spans_longest(&w, 0, 0, 20)->issue, 1); /* ten against ten cycles: the first one */
	assert_int_equal(wave_spans_longest(&w, 0, 5, 20)->cause, 16);
	assert_null(wave_spans_longest(&w, 1, 0, 50));
	wave_spans_free(&w);
}

/* The first wave's store is still under way when the second wave gets its slot. */
static void a_reused_slot_shows_the_new_wave(void **state)
{
	struct wave_spans w = {0};
	json_t *o = json(
		"{'cu':0,'from':0,'to':100,'grain':0,'dropped':0,'by_cu':[2],'spans':[[0,0,0,0,40,0,0,1],[0,0,0,40,90,21,8,0],[7,0,0,50,60,0,0,1],[7,0,0,60,99,16,4,0]]}");
	(void)state;
	wave_spans_read(&w, o);
	assert_int_equal(wave_spans_at(&w, 0, 45)->wave, 0);
	assert_int_equal(wave_spans_at(&w, 0, 50)->wave, 7);
	assert_int_equal(wave_spans_at(&w, 0, 80)->cause, 16);
	wave_spans_free(&w);
	json_decref(o);
}

static void timeline_zooms_and_pans(void **state)
{
	struct wave_spans w;
	uint64_t from, to;
	(void)state;
	read_waves(&w);
	wave_spans_fit(&w, 0, 1000, 100);
	assert_int_equal(w.zoom, 10);
	wave_spans_move_to(&w, 500, 100, 1000);
	wave_spans_zoom(&w, 2, 100, 1000);
	assert_int_equal(w.zoom, 3);
	assert_true(w.left <= 500 && w.left + 300 > 500); /* the cursor stays on the screen */
	wave_spans_move(&w, 1000, 100, 1000);
	assert_int_equal(w.cursor, 999);
	assert_int_equal(w.left, 700);
	wave_spans_move(&w, -1000, 100, 1000);
	assert_true(w.cursor == 0 && w.left == 0);
	wave_spans_zoom(&w, -20, 100, 1000);
	assert_int_equal(w.zoom, 10);
	wave_spans_next_span(&w, 1, 100, 1000);
	assert_int_equal(w.cursor, 10);
	wave_spans_next_span(&w, -1, 100, 1000);
	assert_int_equal(w.cursor, 0);
	assert_true(wave_spans_needs_data(&w, 100, 1000, &from, &to)); /* 100..1000 is not loaded */
	w.to = 1000;
	assert_false(wave_spans_needs_data(&w, 100, 1000, &from, &to));
	w.grain = 25;
	assert_true(wave_spans_needs_data(&w, 100, 1000, &from, &to));
	wave_spans_free(&w);
}

static void many_spans_are_merged(void **state)
{
	enum { N = 3 * PROFILE_SPANS_DEFAULT };
	struct softgpu_span *s = xcalloc(N, sizeof *s);
	uint64_t grain, covered = 0, last = 0;
	(void)state;
	for (uint64_t k = 0; k < N; k++) /* 3 cycles of L2, 1 of issue */
		s[k] = (struct softgpu_span){.start = 2 * k,
			.end = 2 * k + 2,
			.offset = (int64_t)k,
			.cause = k % 4 ? SOFTGPU_L2 : SOFTGPU_VALU,
			.issue = k % 4 == 0};
	json_t *list = launch_profile_spans(s, N, PROFILE_SPANS_DEFAULT, 0, 2 * N, &grain);
	assert_uint_in_range(json_array_size(list), 2, PROFILE_SPANS_DEFAULT);
	assert_uint_in_range(grain, 6, 8);
	for (size_t k = 0; k < json_array_size(list); k++) {
		const json_t *r = json_array_get(list, k);
		uint64_t start = (uint64_t)json_integer_value(json_array_get(r, 3)),
			 end = (uint64_t)json_integer_value(json_array_get(r, 4));
		assert_int_equal(start, last);
		last = end;
		covered += end - start;
		if (end - start == grain)
			assert_int_equal(json_integer_value(json_array_get(r, 5)), SOFTGPU_L2);
	}
	assert_int_equal(covered, 2 * N);
	json_decref(list);
	list = launch_profile_spans(s, 10, PROFILE_SPANS_DEFAULT, 0, 20, &grain);
	assert_int_equal(grain, 0);
	assert_int_equal(json_array_size(list), 10);
	json_decref(list);
	free(s);
}

/* --- steps --- */
static char *words(unsigned n, uint32_t first)
{
	struct buf b = {0};
	for (unsigned k = 0; k < n; k++)
		buf_printf(&b, "%08x", first + k);
	return b.data;
}

/* v0 holds the lane numbers; step 0 writes s4, step 1 lanes 0 and 63 of v1, step 2 loads lane 1 of v0 and sets
 * scc. */
static json_t *made_trace(void)
{
	char *s = words(128, 0), *v = words(64, 0);
	char *text = xasprintf(
		"{'wave':3,'cu':1,'simd':2,'slot':0,'first':40,'ended':true,'scc':0,'s':'%s','v':['%s',''],'steps':["
		"[100,0,[[4,'1','000000ff']],[]],[104,4,[[257,'8000000000000001','0000000a0000000b']],[]],"
		"[108,8,[[256,'2','00000063'],[253,'1','00000001']],[{'kind':'vector','op':'load','bytes':4,'lanes':'2','at':[4096],"
		"'lines':[[4096,5,0,1]],'cycles':0,'conflict':0,'begin':112,'end':425,'way':[['L2',425]]}]],[500,12,[],[]]]}",
		s, v);
	json_t *o = json(text);
	free(text);
	free(s);
	free(v);
	return o;
}

static void registers_have_three_forms(void **state)
{
	(void)state;
	static const struct {
		uint32_t value;
		const char *text[REGISTER_FORMATS];
	} cases[] = {{42, {"0000002a", "42", "5.88545e-44"}}, {0xffffffd6, {"ffffffd6", "-42", "-nan"}},
		{0x3f000000, {"3f000000", "1056964608", "0.5"}},
		{0xff7fffff, {"ff7fffff", "-8388609", "-3.40282e+38"}}};
	char text[32];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int f = 0; f < REGISTER_FORMATS; f++) {
			register_format_value(cases[i].value, (enum register_format)f, text, sizeof text);
			assert_string_equal(text, cases[i].text[f]);
			assert_true((int)strlen(text) <= register_text_width((enum register_format)f));
		}
}

static void steps_move_forward_and_back(void **state)
{
	static struct wave_registers r, again;
	struct wave_steps t = {0};
	json_t *o = made_trace();
	(void)state;
	wave_steps_read(&t, o);
	assert_int_equal(t.steps, 4);
	wave_steps_registers(&t, 0, &r);
	assert_true(r.s[4] == 4 && r.v[0][63] == 63 && r.v[1][0] == 0 && !r.scc);
	wave_steps_registers(&t, 2, &r);
	assert_true(r.s[4] == 0xff && r.v[1][0] == 10 && r.v[1][63] == 11 && r.v[1][1] == 0 && r.v[0][1] == 1);
	wave_steps_registers(&t, 4, &again);
	assert_true(again.v[0][1] == 0x63 && again.scc == 1);
	wave_steps_registers(&t, 2, &again); /* back */
	assert_memory_equal(&r, &again, sizeof r);
	assert_int_equal(wave_steps_changed_lanes(&t, 1, REG_VGPR0 + 1), 0x8000000000000001);
	assert_int_equal(wave_steps_changed_lanes(&t, 0, REG_VGPR0 + 1), 0);
	assert_int_equal(wave_steps_next_access(&t, 0), 2);
	assert_int_equal(wave_steps_next_access(&t, 3), -1);
	assert_int_equal(wave_steps_next_at(&t, 1, 12), 3);
	const struct wave_access *a = wave_steps_access(&t, 2, 0);
	assert_true(a && a->at[1] == 4096 && a->line[0].channel == 5 && a->line[0].l1 == 0 && a->line[0].l2 == 1);
	assert_null(wave_steps_access(&t, 2, 1));
	assert_string_equal(a->way[0].cause, "L2");
	wave_steps_read(&t, NULL);
	assert_false(t.loaded);
	json_decref(o);
}

/* --- lanes --- */
static struct wave_access strided(uint32_t bytes, uint64_t stride)
{
	struct wave_access a = {.kind = "lds", .op = "load", .bytes = bytes, .lanes = UINT64_MAX};
	for (unsigned l = 0; l < 64; l++)
		a.at[l] = l * stride;
	return a;
}

static void lanes_map_to_lds_banks(void **state)
{
	struct bank_group g[LANE_GROUPS_MAX];
	struct wave_access a = strided(4, 4);
	(void)state;
	assert_int_equal(lane_map_banks(&a, 32, g), 2);
	assert_true(g[0].cycles == 1 && g[1].first == 32 && g[1].cycles == 1);
	a = strided(4, 128); /* 32 dwords: half a wave on one bank */
	assert_int_equal(lane_map_banks(&a, 32, g), 2);
	assert_true(g[0].cycles == 32 && g[0].bank == 0 && g[0].on[0] == 0xffffffff && g[0].words[1] == 0);
	assert_true(g[1].cycles == 32 && g[1].on[0] == 0xffffffffull << 32);
	a = strided(4, 0); /* one dword for all lanes */
	assert_int_equal(lane_map_banks(&a, 32, g), 2);
	assert_int_equal(g[0].cycles, 1);
	strcpy(a.op, "atomic");
	lane_map_banks(&a, 32, g);
	assert_int_equal(g[0].cycles, 32);
	a = strided(8, 8); /* two dwords: 16 lanes at a time */
	assert_int_equal(lane_map_banks(&a, 32, g), 4);
	assert_true(g[3].first == 48 && g[3].cycles == 1);
	a = strided(16, 16);
	assert_int_equal(lane_map_banks(&a, 32, g), 8);
	a.lanes = 1;
	assert_int_equal(lane_map_banks(&a, 32, g), 1);
}

static void lanes_map_to_cache_lines(void **state)
{
	struct wave_access a = strided(4, 4);
	struct wave_line line = {.at = 64};
	(void)state;
	assert_int_equal(lane_map_line(&a, &line), 0xffffull << 16);
	a.at[3] = 62; /* an access across a line's end */
	assert_int_equal(lane_map_line(&a, &line), 0xffffull << 16 | 8);
}

/* --- sets --- */
static void set_counts_are_found(void **state)
{
	struct set_map m = {.cache = SET_L2, .instance = 1};
	json_t *o = json(
		"{'cache':'L2','cut':false,'totals':[{'cache':'L1','instance':0,'hits':5,'misses':1,'evictions':0},"
		"{'cache':'L2','instance':1,'hits':7,'misses':3,'evictions':2}],'sets':[[0,4,1,1,0],[1,2,3,3,2],[1,9,4,0,0]]}");
	json_t *constants = json(
		"{'l2_bytes':4194304,'l2_ways':16,'l2_channels':16,'l2_line_bytes':64,'compute_units':64,'shader_engines':4,'scalar_cus':3,"
		"'l1_bytes':16384,'l1_ways':4,'scalar_bytes':16384,'scalar_ways':4,'lds_banks':32}");
	(void)state;
	set_map_read(&m, o);
	assert_true(m.loaded);
	assert_int_equal(set_map_counts_at(&m, 2).n[1], 3);
	assert_int_equal(set_map_counts_at(&m, 9).n[0], 4);
	assert_int_equal(set_map_counts_at(&m, 4).n[0], 0); /* of the other channel */
	assert_int_equal(set_map_max_count(&m), 4);
	assert_int_equal(set_map_instance_total(&m, SET_L2, 1).n[2], 2);
	assert_int_equal(set_map_instance_total(&m, SET_L2, 5).n[0], 0);
	struct set_geometry g = set_geometry_of(SET_L2, constants);
	assert_true(g.instances == 16 && g.sets == 256 && g.ways == 16);
	g = set_geometry_of(SET_L1, constants);
	assert_true(g.instances == 64 && g.sets == 64 && g.ways == 4);
	assert_int_equal(set_geometry_of(SET_SCALAR, constants).instances, 4 * 6);
	assert_int_equal(set_geometry_of(SET_LDS, constants).sets, 32);
	json_decref(constants);
	constants = json("{'compute_units':96,'shader_engines':6,'l0_bytes':32768,'l0_ways':4,'l0_line_bytes':128,"
			 "'scalar_bytes':16384,'scalar_ways':4,'lds_banks':32}");
	g = set_geometry_of(SET_L1, constants);
	assert_true(g.instances == 48 && g.sets == 64 && g.ways == 4);
	assert_int_equal(set_geometry_of(SET_SCALAR, constants).instances, 48);
	assert_int_equal(set_geometry_of(SET_LDS, constants).instances, 48);
	set_map_free(&m);
	json_decref(o);
	json_decref(constants);
}

/* --- tunables --- */
static int knob(const struct tunables *k, const char *name)
{
	for (int i = 0; i < k->count; i++)
		if (!strcmp(k->list[i].name, name))
			return i;
	fail_msg("no knob %s", name);
	return -1;
}

#define KNOBS(l1, dram)                                            \
	"timing\t1\t\t0\t1\tchosen\t1: every cycle\nl1_bytes\t" l1 \
	"\tB\t1024\t1048576\tVega10\tvector L1 cache of a CU\n"    \
	"dram_latency\t" dram                                      \
	"\tcycles\t1\t100000\t[S0]\tload that misses all caches\nlds_banks\t32\t\t1\t64\tVega10\t4-byte banks\n"

static void tunables_step_and_parse(void **state)
{
	struct tunables k = {0};
	struct err e = {0};
	char text[256];
	long long v;
	(void)state;
	tunables_parse_tables(&k, "mi25", KNOBS("65536", "700"), KNOBS("16384", "601"));
	int l1 = knob(&k, "l1_bytes");
	assert_true(k.list[l1].value == 65536 && k.list[l1].standard == 16384);
	assert_int_equal(tunables_changed_count(&k), 2);
	assert_int_equal(tunable_step_value(&k.list[l1], 1), 131072);
	assert_int_equal(tunable_step_value(&k.list[l1], -1), 32768);
	assert_int_equal(tunable_step_value(&k.list[knob(&k, "dram_latency")], 1), 700 + 87);
	assert_int_equal(tunable_step_value(&k.list[knob(&k, "timing")], 1), 1); /* at the end of its range */
	tunables_format_device(&k, -1, 0, text, sizeof text);
	assert_string_equal(text, "soft:mi25,l1_bytes=65536,dram_latency=700");
	tunables_format_device(&k, l1, 16384, text, sizeof text);
	assert_string_equal(text, "soft:mi25,dram_latency=700");
	assert_true(tunable_parse_value(&k.list[l1], "32 KiB", &v, &e) && v == 32768);
	assert_false(tunable_parse_value(&k.list[l1], "3 GiB", &v, &e));
	assert_non_null(strstr(e.text, "1 KiB to 1 MiB"));
	assert_false(tunable_parse_value(&k.list[l1], "much", &v, &e));
	strcpy(k.filter, "banks");
	int first = tunables_next_match(&k, -1, 1);
	assert_true(first >= 0 && tunables_match_filter(&k, first) && !tunables_match_filter(&k, l1));
	assert_int_equal(tunables_next_match(&k, k.count, 1), k.count);
	assert_false(tunables_read_device(&k, "hip:0", &e));
	tunables_free(&k);
}

/* --- the view --- */
static void draws_at(const struct app *a, int w, int h, char **text)
{
	struct grid g = {0};
	grid_resize(&g, w, h);
	screen_draw(a, &g);
	free(*text);
	*text = grid_dump_text(&g);
	grid_free(&g);
}

/* A device without profiling reports it; every page draws at every size, with and without data. */
static void pages_draw_at_every_size(void **state)
{
	struct app a;
	struct experiment x;
	char *text = NULL;
	(void)state;
	made_app(&a, &x, 19, 80, 24);
	strcpy(a.device, "hip:0");
	app_show_view(&a, &view_inspector);
	draws_at(&a, 80, 24, &text);
	assert_non_null(strstr(text, "not available on this device"));
	strcpy(a.device, "replay:x.wbs");
	inspector_enter(&a);
	draws_at(&a, 80, 24, &text);
	assert_non_null(strstr(text, "not available for a recording"));
	inspector_of(&a)->why[0] = 0;
	strcpy(a.device, "soft:mi25");
	json_t *trace = made_trace(),
	       *inside =
		       json("{'cycles':100,'causes':['VALU'],'instructions':[[0,'v_mov_b32 v1, v2',1],[4,'s_nop 0',1],"
			    "[8,'global_load_dword v0, v[2:3], off',7],[12,'s_endpgm',1]],'waves':" WAVES
			    ",'sets':{'cache':'L1','totals':[],'sets':[]}}");
	json_t *point = json_pack("{s:s,s:o}", "type", "point", "inside", inside);
	json_object_set_new(inside, "trace", trace);
	inspector_of(&a)->pending = PART_WAVES | PART_SETS | PART_STEPS;
	inspector_handle_record(&a, point);
	assert_int_equal(inspector_of(&a)->line, 2); /* the most frequent memory access */
	static const int sizes[][2] = {{80, 24}, {120, 36}, {200, 60}, {20, 6}, {1, 1}};
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
		for (int page = 0; page < INSPECTOR_PAGE_COUNT; page++)
			for (int ascii = 0; ascii < 2; ascii++) {
				inspector_of(&a)->page = (enum inspector_page)page;
				a.ascii = ascii;
				app_resize(&a, sizes[s][0], sizes[s][1]);
				draws_at(&a, sizes[s][0], sizes[s][1], &text);
			}
	app_resize(&a, 80, 24);
	inspector_of(&a)->page = INSPECTOR_STEPS;
	inspector_seek_step(&a, SEEK_ACCESS, 0);
	draws_at(&a, 80, 24, &text);
	assert_non_null(strstr(text, "step 42 of wave 3"));
	inspector_seek_step(&a, SEEK_STEP, 43);
	draws_at(&a, 80, 24, &text);
	assert_non_null(strstr(text, "L1 0 hit, 1 miss; L2 1 hit, 0 miss"));
	inspector_seek_step(&a, SEEK_ACCESS, 0); /* the wave has ended */
	assert_string_equal(a.message, "wave 3: no further access before the end");
	json_decref(point);
	free(text);
	inspector_close(&a);
	background_jobs_close(&a);
	made_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans_are_found_by_slot_and_cycle),
		cmocka_unit_test(a_reused_slot_shows_the_new_wave),
		cmocka_unit_test(timeline_zooms_and_pans),
		cmocka_unit_test(many_spans_are_merged),
		cmocka_unit_test(registers_have_three_forms),
		cmocka_unit_test(steps_move_forward_and_back),
		cmocka_unit_test(lanes_map_to_lds_banks),
		cmocka_unit_test(lanes_map_to_cache_lines),
		cmocka_unit_test(set_counts_are_found),
		cmocka_unit_test(tunables_step_and_parse),
		cmocka_unit_test(pages_draw_at_every_size),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
