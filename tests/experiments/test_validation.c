/* Published rows: reading the files, rounding, and comparing them with a device's points. */
#include "tests/experiments/engine_fixture.h"

#include <math.h>
#include <sys/stat.h>

#include "base/paths.h"
#include "experiments/analysis/validation.h"

#define HEADER "params,at,work,metric,unit,value,other,rounding,clock_mhz,kind,state,source,unexplained\n"

static struct catalog catalog;
static char published_folder[SCRATCH_PATH + 16];

static int setup(void **state)
{
	struct err e;
	if (fixture_setup(state))
		return -1;
	fixture_write("stride.lua", fixture_text, strlen(fixture_text));
	snprintf(published_folder, sizeof published_folder, "%s/published", fixture_folder);
	return !mkdir(published_folder, 0700) && catalog_load(fixture_folder, &catalog, NULL, NULL, &e) &&
			catalog.count == 1
		? 0
		: -1;
}

static int teardown(void **state)
{
	catalog_free(&catalog);
	return fixture_teardown(state);
}

static bool load(const char *text, struct published *set, struct err *e)
{
	e->text[0] = 0;
	fixture_write("published/stride.csv", text, strlen(text));
	return published_load(published_folder, set, e);
}

/* --- files --- */
static void reads_rows(void **state)
{
	(void)state;
	struct published set;
	struct err e;
	assert_true(load(
		"# a comment\n! odd: tried without success\n" HEADER
		"stride=64,,,latency,cycles,361,,truncate,1536,latency,calibrated,S0 1.2,\n"
		"stride=128 size=1GiB,size=64MiB,size,rate,reads/s,1.5e3,,none,,latency,checked,\"S0 1.3, twice\",odd\n",
		&set, &e));
	assert_int_equal(set.count, 2);
	assert_string_equal(set.rows[0].experiment, "stride");
	assert_true(set.rows[0].value == 361 && set.rows[0].rounding == ROUNDING_TRUNCATE &&
		set.rows[0].clock_mhz == 1536 && set.rows[0].state == ROW_CALIBRATED);
	assert_null(set.rows[0].unexplained);
	assert_int_equal(set.rows[0].line, 4);
	assert_true(set.rows[1].value == 1500 && set.rows[1].rounding == ROUNDING_NONE && set.rows[1].clock_mhz == 0 &&
		set.rows[1].state == ROW_CHECKED);
	assert_string_equal(set.rows[1].at, "size=64MiB");
	assert_string_equal(set.rows[1].source, "S0 1.3, twice");
	assert_string_equal(set.rows[1].unexplained, "tried without success");
	published_free(&set);
}

static void refuse(const char *text, const char *phrase)
{
	struct published set;
	struct err e;
	if (load(text, &set, &e))
		fail_msg("accepted, but expected: %s", phrase);
	assert_int_equal(set.count, 0);
	if (!strstr(e.text, phrase) || !strstr(e.text, "stride.csv:"))
		fail_msg("'%s' lacks '%s' or the location", e.text, phrase);
}

static void rejects_wrong_files(void **state)
{
	(void)state;
	struct published set;
	struct err e;
	refuse("params,value\n", "wrong header line");
	refuse(HEADER "stride=64,,,latency,cycles,361\n", "wrong number of fields");
	refuse(HEADER "stride=64,,,latency,cycles,36l,,none,,latency,checked,S0,\n", "not a number: '36l'");
	refuse(HEADER "stride=64,,,latency,cycles,361,,floor,,latency,checked,S0,\n", "unknown word 'floor'");
	refuse(HEADER "stride=64,,,latency,cycles,361,,none,,lag,checked,S0,\n", "unknown word 'lag'");
	refuse(HEADER "stride=64,,,latency,cycles,361,,none,,latency,maybe,S0,\n", "unknown word 'maybe'");
	refuse(HEADER "stride=64,,,latency,cycles,361,4o0,none,,latency,checked,S0,\n", "not a number: '4o0'");
	refuse(HEADER "stride=64,,,latency,cycles,361,361,none,,latency,checked,S0,\n",
		"the other value is the same: '361'");
	refuse(HEADER "stride=64,,,latency,cycles,361,,none,,latency,checked,,\n", "missing source");
	refuse(HEADER "stride=64,size=1MiB,,latency,cycles,361,,none,,latency,checked,S0,\n", "which scales the time");
	refuse(HEADER "stride=64,,,latency,cycles,361,,none,,latency,checked,S0,why\n",
		"no earlier note has the key 'why'");
	refuse("! no colon\n" HEADER, "a note must be");
	refuse("@ Radeon\n" HEADER, "a device must be");
	refuse("@ vega10: Radeon\n" HEADER, "a device must be");
	refuse("@ gfx9009009009009009: Radeon\n" HEADER, "too long");
	assert_false(published_load("/proc/none", &set, &e));
	assert_non_null(strstr(e.text, "/proc/none"));
}

/* --- rounding --- */
static void rounds_like_the_source(void **state)
{
	(void)state;
	struct published_row row = {.value = 60, .other = 60, .low = 60, .high = 60};
	assert_true(published_relative_error(&row, 60.6) > 0.0099 && published_relative_error(&row, 60.6) < 0.0101);
	row.rounding = ROUNDING_TRUNCATE;
	assert_true(published_relative_error(&row, 60.99) == 0 && published_round_like_source(&row, 60.99) == 60);
	assert_true(fabs(published_relative_error(&row, 59.99) + 1.0 / 60) < 1e-12);
	row.rounding = ROUNDING_ROUND;
	assert_true(published_relative_error(&row, 60.49) == 0 && published_round_like_source(&row, 60.5) == 61);
	row.value = row.other = row.low = row.high = 0; /* a printed 0: equal or not */
	assert_true(published_relative_error(&row, 0.49) == 0 && published_relative_error(&row, 0.5) == 1 &&
		published_relative_error(&row, 7) == 1);
}

/* Two sources of one measurement, in either order. */
static void an_interval_has_no_error_inside(void **state)
{
	(void)state;
	char text[80];
	struct published set;
	struct err e;
	assert_true(load(HEADER "stride=64,,,rate,reads/s,1180,892,none,,latency,blind,S0,\n"
				"stride=128,,,rate,reads/s,0.5,2,none,,latency,checked,S0,\n"
				"stride=256,,,rate,reads/s,7.25,,none,,latency,checked,S0,\n",
		&set, &e));
	const struct published_row *row = &set.rows[0];
	assert_true(row->state == ROW_BLIND && row->value == 1180 && row->other == 892 && published_is_interval(row));
	assert_true(published_relative_error(row, 892) == 0 && published_relative_error(row, 1000) == 0 &&
		published_relative_error(row, 1180) == 0);
	assert_true(fabs(published_relative_error(row, 446) + 0.5) < 1e-12 &&
		fabs(published_relative_error(row, 1298) - 0.1) < 1e-12);
	assert_string_equal(published_format_value(text, sizeof text, row), "892 to 1180");
	assert_string_equal(published_format_value(text, sizeof text, &set.rows[1]), "0.5 to 2");
	assert_false(published_is_interval(&set.rows[2]));
	assert_string_equal(published_format_value(text, sizeof text, &set.rows[2]), "7.25");
	struct validation v;
	assert_true(validation_make(&set, &catalog, NULL, 0, NULL, false, &v, &e));
	json_t *o = validation_json(&v), *first = json_array_get(json_object_get(o, "rows"), 0);
	assert_true(json_number_value(json_object_get(first, "published")) == 1180 &&
		json_number_value(json_object_get(first, "other")) == 892 &&
		json_is_null(json_object_get(first, "seconds")));
	assert_string_equal(json_string_value(json_object_get(first, "state")), "blind");
	json_decref(o);
	validation_free(&v);
	published_free(&set);
}

/* --- comparing with points --- */
/* latency is seconds * sclk / reads with reads = size / stride / 4; at 1000 MHz and stride 64: 64 MiB has 2^18 reads, 1
 * GiB 16 times as many. */
static const char rows[] =
	HEADER "stride=64,size=64MiB,size,latency,cycles,100,,truncate,1000,latency,checked,S0 1,\n"
	       "stride=64,size=64MiB,size,rate,reads/s,20000000,,none,1000,latency,calibrated,S0 1,\n"
	       "stride=128,,,latency,cycles,0,,truncate,500,latency,checked,S0 1,\n";

static struct validation make(const struct published *set, bool soft)
{
	struct validation v;
	struct err e = {.text = ""};
	if (!validation_make(set, &catalog, NULL, 0, NULL, soft, &v, &e))
		fail_msg("%s", e.text);
	return v;
}

static struct point measured(double seconds)
{
	struct point p = {.status = POINT_OK, .verify = "ok", .contract = "none", .host_seconds = 2.5};
	p.seconds = (struct stats){1, seconds, seconds, seconds, seconds, seconds};
	p.record = json_pack("{s:f}", "sclk_mhz", 4000.0); /* not the clock that the source uses */
	return p;
}

static void take(struct validation *v, int at, double seconds)
{
	struct point p = measured(seconds);
	validation_compare_point(v, at, &p);
	json_decref(p.record);
}

static void plans_each_point_once(void **state)
{
	(void)state;
	struct published set;
	struct err e;
	struct plan p;
	assert_true(load(rows, &set, &e));
	struct validation v = make(&set, true);
	assert_int_equal(v.row_count, 3);
	assert_int_equal(v.point_count, 2);
	assert_int_equal(v.rows[0].point, v.rows[1].point);
	assert_true(v.rows[0].scale == 16 && v.rows[2].scale == 1);
	validation_make_plan(&v, 0, &p);
	assert_int_equal(plan_point_count(&p), 1);
	assert_true(p.fixed[0] == 64 && p.fixed[1] == 0x1p26);
	plan_free(&p);
	validation_free(&v);
	v = make(&set, false); /* real devices are measured at the published size */
	validation_make_plan(&v, 0, &p);
	assert_true(p.fixed[1] == 0x1p30 && v.rows[0].scale == 1);
	plan_free(&p);
	validation_free(&v);
	published_free(&set);
}

static void compares_at_the_published_size(void **state)
{
	(void)state;
	struct published set;
	struct err e;
	assert_true(load(rows, &set, &e));
	struct validation v = make(&set, true);
	take(&v, 0, 0x1p18 * 104.7e-9); /* 104.7 cycles per read at the source's 1 GHz */
	take(&v, 1, 1);
	assert_true(v.rows[0].compared && v.rows[0].measured == 104 && fabs(v.rows[0].unrounded - 104.7) < 1e-6 &&
		fabs(v.rows[0].error - 0.04) < 1e-9);
	assert_true(v.rows[1].compared && fabs(v.rows[1].measured - 1e9 / 104.7) < 1);
	assert_true(v.rows[2].error == 1);
	struct validation_summary s = validation_summarize(&v);
	assert_true(s.count == 3 && s.worst == 1 && s.worst_row == 2 && fabs(s.within_5 - 1.0 / 3) < 1e-9);
	assert_true(fabs(s.median - v.rows[1].error) < 1e-12 && s.worst_uncalibrated_median == 1);
	json_t *o = validation_json(&v), *row = json_array_get(json_object_get(o, "rows"), 0);
	assert_true(json_number_value(json_object_get(json_object_get(row, "params"), "stride")) == 64);
	assert_true(json_number_value(json_object_get(row, "measured")) == 104 &&
		!strcmp(json_string_value(json_object_get(row, "state")), "checked") &&
		json_number_value(json_object_get(row, "seconds")) == 2.5 &&
		json_is_null(json_object_get(row, "other")));
	assert_int_equal(json_integer_value(json_object_get(json_object_get(o, "summary"), "count")), 3);
	json_decref(o);
	validation_free(&v);
	published_free(&set);
}

/* Points with a wrong result, unexpected instructions or an error are not compared; the row has the reason. */
static void suspect_points_are_not_compared(void **state)
{
	(void)state;
	struct published set;
	struct err e;
	assert_true(load(rows, &set, &e));
	struct validation v = make(&set, true);
	struct point p = measured(1);
	snprintf(p.verify, sizeof p.verify, "failed");
	snprintf(p.text, sizeof p.text, "wrong result");
	validation_compare_point(&v, 0, &p);
	json_decref(p.record);
	assert_false(v.rows[0].compared || v.rows[1].compared);
	assert_string_equal(v.rows[1].text, "wrong result");
	struct validation_summary s = validation_summarize(&v);
	assert_true(s.rows == 3 && s.count == 0 && s.worst_row == -1);
	assert_int_equal(s.uncalibrated, 0);
	json_t *o = validation_json(&v);
	assert_true(json_is_null(json_object_get(json_array_get(json_object_get(o, "rows"), 0), "error")));
	assert_true(json_is_null(json_object_get(json_object_get(o, "summary"), "worst_uncalibrated_median")));
	assert_true(json_is_null(json_object_get(json_object_get(o, "summary"), "median")));
	json_decref(o);
	validation_free(&v);
	published_free(&set);
}

/* Rows apply to the device they were measured on. */
static void uses_rows_for_the_device(void **state)
{
	(void)state;
	struct published set;
	struct validation v;
	struct err e;
	const char *name = "stride";
	assert_true(load(HEADER
		"stride=64,,,latency,cycles,1,,none,,latency,checked,S0,\n@ gfx900: Radeon Instinct MI25\nstride=128,,,latency,cycles,2,,none,,latency,checked,S0,\n"
		"stride=256,,,latency,cycles,3,,none,,latency,checked,S0,\n@ gfx1100: Radeon RX 7900 XTX\nstride=64,,,latency,cycles,4,,none,,latency,checked,S1,\n",
		&set, &e));
	assert_string_equal(set.rows[0].arch, "");
	assert_string_equal(set.rows[2].device, "Radeon Instinct MI25");
	assert_string_equal(set.rows[3].device, "Radeon RX 7900 XTX");
	const struct {
		const char *arch;
		int rows;
	} expected[] = {{NULL, 4}, {"gfx900", 3}, {"gfx1100", 2}, {"gfx90", 1}};
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		assert_true(validation_make(&set, &catalog, NULL, 0, expected[i].arch, true, &v, &e));
		assert_int_equal(v.row_count, expected[i].rows);
		validation_free(&v);
	}
	published_free(&set);
	assert_true(load("@ gfx1100: Radeon RX 7900 XTX\n" HEADER
			 "stride=64,,,latency,cycles,4,,none,,latency,checked,S1,\n",
		&set, &e));
	assert_false(validation_make(&set, &catalog, &name, 1, "gfx900", true, &v, &e));
	assert_non_null(strstr(e.text, "Radeon RX 7900 XTX (gfx1100), but the device is gfx900"));
	assert_false(validation_make(&set, &catalog, NULL, 0, "gfx900", true, &v, &e));
	assert_non_null(strstr(e.text, "no published values for a gfx900 device"));
	published_free(&set);
}

static void refuse_row(const char *row, const char *phrase)
{
	struct published set;
	struct validation v;
	struct err e;
	char *text = xasprintf(HEADER "%s\n", row);
	assert_true(load(text, &set, &e));
	if (validation_make(&set, &catalog, NULL, 0, NULL, true, &v, &e))
		fail_msg("accepted, but expected: %s", phrase);
	if (!strstr(e.text, phrase) || !strstr(e.text, "stride.csv:2:"))
		fail_msg("'%s' lacks '%s' or the location", e.text, phrase);
	published_free(&set);
	free(text);
}

static void rejects_rows_that_do_not_fit(void **state)
{
	(void)state;
	struct published set;
	struct validation v;
	struct err e;
	const char *names[] = {"stride", "strid"};
	refuse_row("strid=64,,,latency,cycles,1,,none,,latency,checked,S0,", "unknown parameter 'strid'");
	refuse_row("stride=1,,,latency,cycles,1,,none,,latency,checked,S0,", "stride");
	refuse_row("stride=64,,,lag,cycles,1,,none,,latency,checked,S0,", "unknown metric");
	refuse_row("stride=64,,,latency,ms,1,,none,,latency,checked,S0,", "the unit differs");
	refuse_row("stride=64,size=64MiB,bytes,latency,cycles,1,,none,,latency,checked,S0,", "'work'");
	assert_true(load(rows, &set, &e));
	assert_false(validation_make(&set, &catalog, names, 2, NULL, true, &v, &e));
	assert_non_null(strstr(e.text, "stride"));
	assert_true(validation_make(&set, &catalog, names, 1, NULL, true, &v, &e));
	validation_free(&v);
	published_free(&set);
	assert_true(load(HEADER, &set, &e));
	assert_false(validation_make(&set, &catalog, names, 1, NULL, true, &v, &e));
	assert_non_null(strstr(e.text, "no published values"));
	published_free(&set);
}

/* The program's own rows fit its experiments, on real devices and on the software GPU. */
static void the_shipped_rows_fit(void **state)
{
	(void)state;
	struct published set;
	struct catalog all;
	struct err e = {.text = ""};
	char *folder = path_published(), *experiments = path_catalog();
	if (!published_load(folder, &set, &e) || !catalog_load(experiments, &all, NULL, NULL, &e))
		fail_msg("%s", e.text);
	for (int soft = 0; soft < 2; soft++) {
		struct validation v;
		if (!validation_make(&set, &all, NULL, 0, NULL, soft, &v, &e))
			fail_msg("%s", e.text);
		assert_true(v.row_count >= 105 && v.row_count <= set.count);
		for (int i = 0; i < v.point_count; i++) {
			json_t *job = experiment_build_job(v.points[i].x, v.points[i].values, false, "", true, &e);
			if (!job && !v.points[i].x->needs_count) /* some kernels for other devices are not part of the
			                                            project */
				fail_msg("%s", e.text);
			json_decref(job);
		}
		validation_free(&v);
	}
	catalog_free(&all);
	published_free(&set);
	free(folder);
	free(experiments);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_rows),
		cmocka_unit_test(rejects_wrong_files),
		cmocka_unit_test(rounds_like_the_source),
		cmocka_unit_test(an_interval_has_no_error_inside),
		cmocka_unit_test(plans_each_point_once),
		cmocka_unit_test(compares_at_the_published_size),
		cmocka_unit_test(suspect_points_are_not_compared),
		cmocka_unit_test(uses_rows_for_the_device),
		cmocka_unit_test(rejects_rows_that_do_not_fit),
		cmocka_unit_test(the_shipped_rows_fit),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
