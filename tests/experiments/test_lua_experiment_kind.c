/* Definitions whose points are not a single verified launch: the jobs they become, and their errors with lines. */
#include "tests/experiments/engine_fixture.h"

#include "experiments/sweep/sweep.h"
#include "gpu/protocol/record.h"

static json_t *default_job(struct experiment *x)
{
	double values[PARAMS_MAX];
	struct err e = {.text = ""};
	fixture_values(x, values);
	json_t *job = experiment_build_job(x, values, false, "", true, &e);
	if (!job)
		fail_msg("%s", e.text);
	return job;
}

static void metrics_of(struct experiment *x, const char *record, struct reading *out)
{
	double values[PARAMS_MAX];
	struct err e = {.text = ""};
	json_t *point = json_loads(record, 0, NULL);
	assert_non_null(point);
	fixture_values(x, values);
	if (!fixture_eval_metrics(x, values, point, out, &e))
		fail_msg("%s", e.text);
	json_decref(point);
}

/* Loads a definition with these fields and this metric. */
static struct experiment *load(const char *fields, const char *metric)
{
	char *text = xasprintf("return {\n  title = \"T\", params = { { \"n\", min = 1, max = 8, default = 4 },\n"
			       "    { \"form\", choices = { \"a\", \"b\" }, default = \"b\" } },\n"
			       "  %s\n  metrics = { { \"it\", function(m, p, v) %s end } },\n}\n",
		fields, metric);
	struct experiment *x = fixture_load(text);
	free(text);
	return x;
}

static void refused(const char *fields, int line, const char *phrase)
{
	char *text =
		xasprintf("return {\n  title = \"T\", params = { { \"n\", min = 1, max = 8, default = 4 } },\n  %s\n"
			  "  metrics = { { \"it\", function(m, p, v) return 1 end } },\n}\n",
			fields);
	fixture_refused(text, line, phrase);
	free(text);
}

#define LAUNCH "kernel = { file = \"chase.hip\", entry = \"chase\" }, launch = { grid = 1, block = 64 }, "
#define OUT    "buffers = { out = { type = \"float\", count = 1 }, i = { type = \"int\", count = 1 } }, "

/* --- not Lua --- */
static void a_syntax_error_has_a_hint(void **state)
{
	(void)state;
	fixture_refused("-- a copy\n{\n  title = \"T\" }\n", 2, "an experiment begins with: return {");
	fixture_refused("return {\n  title = \"T\"\n  params = {} }\n", 3, "a comma may be missing before it");
	fixture_refused("return {\n  title = \"T\"\n", 3, "a } is missing");
	fixture_refused("return {\n  values = function(p) return { n = 1 } }\n", 2, "a function ends with: end");
}

/* --- a launch --- */
static void counters_and_launches_per_sample(void **state)
{
	(void)state;
	struct experiment *x =
		load(LAUNCH "launches = function(p) return p.n end, counters = { \"SQ_WAVES\", \"FETCH_SIZE\" },",
			"return m.counters.FETCH_SIZE");
	json_t *job = default_job(x);
	assert_int_equal(json_integer_value(json_object_get(job, "launches")), 4);
	assert_string_equal(json_string_value(json_array_get(json_object_get(job, "counters"), 1)), "FETCH_SIZE");
	json_decref(job);
	struct reading out[METRICS_MAX];
	metrics_of(x, "{\"seconds\":[1],\"counters\":{\"FETCH_SIZE\":12}}", out);
	assert_true(out[0].valid && out[0].value == 12);
	metrics_of(x, "{\"seconds\":[1],\"counters\":{\"FETCH_SIZE\":null}}", out); /* a device without counters */
	assert_false(out[0].valid);
	experiment_free(x);
	refused(LAUNCH "\n counters = { \"SQ WAVES\" },", 4, "invalid counter name");
	refused(LAUNCH "\n launches = 0,", 4, "from 1 to");
	refused(LAUNCH "\n launches = 1.5,", 4, "whole number");
}

static const json_t *tolerance_of(const json_t *job, size_t buffer)
{
	return json_object_get(json_array_get(json_object_get(job, "buffers"), buffer), "tolerance");
}

static void tolerances_per_buffer(void **state)
{
	(void)state;
	struct experiment *x = load(LAUNCH OUT "tolerance = 1e-3,", "return 1");
	json_t *job = default_job(x);
	assert_null(tolerance_of(job, 0)); /* i: integers are exact */
	assert_true(json_number_value(tolerance_of(job, 1)) == 1e-3);
	json_decref(job);
	experiment_free(x);
	x = load(LAUNCH
		"tolerance = 1, buffers = { out = { type = \"double\", count = 1, tolerance = { ulp = 4, absolute = 1e-9 } } },",
		"return 1");
	job = default_job(x);
	assert_true(json_number_value(json_object_get(tolerance_of(job, 0), "ulp")) == 4);
	assert_true(json_number_value(json_object_get(tolerance_of(job, 0), "relative")) == 0);
	json_decref(job);
	experiment_free(x);
	refused(LAUNCH "\n tolerance = -1,", 4, "negative");
	refused(LAUNCH "\n tolerance = { ulps = 1 },", 4, "did you mean 'ulp'");
}

static void metrics_read_differences(void **state)
{
	(void)state;
	struct reading out[METRICS_MAX];
	struct experiment *x = load(LAUNCH OUT, "return m.difference.out.ulp * 10 + m.difference.out.unequal");
	metrics_of(x, "{\"seconds\":[1],\"difference\":{\"out\":{\"ulp\":4,\"unequal\":2}}}", out);
	assert_true(out[0].valid && out[0].value == 42);
	metrics_of(x, "{\"seconds\":[1],\"difference\":{\"i\":{\"ulp\":4,\"unequal\":2}}}", out);
	assert_false(out[0].valid);
	metrics_of(x, "{\"seconds\":[1]}", out); /* nothing was verified */
	assert_false(out[0].valid);
	experiment_free(x);
}

static void metrics_read_the_code(void **state)
{
	(void)state;
	static const char record[] =
		"{\"seconds\":[1],\"code\":{\"vgprs\":8,\"valu\":9,\"named\":{\"v_fma_f32\":3},\"loop\":{\"valu\":5,\"named\":{\"v_fma_f32\":2}}}}";
	struct reading out[METRICS_MAX];
	struct experiment *x = load(LAUNCH,
		"return m.code.vgprs * 100 + m.code.loop.valu * 10 + m.code.loop.named[\"v_fma_f32\"] + m.code.named.s_nop");
	metrics_of(x, record, out);
	assert_true(out[0].valid && out[0].value == 852);
	metrics_of(x, "{\"seconds\":[1],\"code\":{\"vgprs\":8}}", out); /* no disassembler for the target */
	assert_false(out[0].valid);
	metrics_of(x, "{\"seconds\":[1]}", out);
	assert_false(out[0].valid);
	experiment_free(x);
	/* such a name is refused before anything is measured */
	fixture_refused("return {\n  title = \"T\", " LAUNCH "params = {},\n"
			"  metrics = { { \"it\", function(m, p, v) return m.code.loop.value end } },\n}\n",
		3, "unknown reading 'value' in m.code; did you mean 'valu'");
}

static void steps_of_copies_and_launches(void **state)
{
	(void)state;
	static const char two[] = OUT
		"kernel = { file = \"chase.hip\", entry = \"chase\" }, args = { \"float *out\", \"int n\" }, host = \"pageable\",\n"
		"  steps = function(p) return { { copy = \"to_device\", buffer = \"out\" }, { launch = true, grid = p.n, block = 64, stream = 1, values = { n = 7 } },\n"
		"    { wait = 1 } } end,";
	struct experiment *x = load(two, "return 1");
	json_t *job = default_job(x), *list = json_object_get(job, "steps");
	json_t *expected = json_loads(
		"[{\"copy\":\"to_device\",\"buffer\":\"out\",\"offset\":0,\"bytes\":4,\"stream\":0},{\"launch\":true,\"grid\":[4,1,1],"
		"\"block\":[64,1,1],\"stream\":1,\"values\":[{\"arg\":1,\"value\":7}]},{\"wait\":1,\"stream\":0}]",
		0, NULL);
	if (!json_equal(list, expected))
		fail_msg("%s", json_dumps(list, 0));
	assert_string_equal(record_get_text(job, "host"), "pageable");
	json_decref(expected);
	json_decref(job);
	experiment_free(x);
	x = load(OUT "steps = function(p) return { { copy = \"to_host\", buffer = \"out\" } } end,", "return 1");
	job = default_job(x); /* without a kernel */
	assert_null(json_object_get(job, "kernel"));
	assert_string_equal(record_get_text(job, "host"), "pinned");
	json_decref(job);
	experiment_free(x);
	refused(OUT "\n steps = function(p) return { { copy = \"to_host\", buffer = \"uot\" } } end,", 4,
		"did you mean 'out'");
	refused(OUT "\n steps = function(p) return { { copy = \"to_host\", buffer = \"out\", offset = 4 } } end,", 4,
		"copies bytes 4 to 4");
	refused(OUT "\n steps = function(p) return { { copy = \"home\", buffer = \"out\" } } end,", 4,
		"unknown direction");
	refused(OUT "\n steps = function(p) return { { launch = true } } end,", 4, "no kernel");
	refused(OUT "\n steps = function(p) return { { wait = 1, launch = true } } end,", 4, "needs exactly one of");
	refused(OUT "\n steps = function(p) return { { wait = 9 } } end,", 4, "from 0 to 7");
	refused(OUT "\n steps = function(p) return {} end,", 4, "empty");
	refused(OUT "\n steps = function(p) return { { call = \"sgemm\" } } end,", 4,
		"unknown library function 'sgemm'");
	refused(OUT
		"\n args = { \"const float *out\" }, steps = function(p) return { { call = \"rocblas_sgemm\" } } end,",
		4, "argument 2 is a const float *, but the definition has fewer arguments");
	refused(OUT "\n host = \"pined\", steps = function(p) return { { wait = 1 } } end,", 4,
		"unknown kind of memory");
}

/* --- experiments without launches --- */
static void formulas_launch_nothing(void **state)
{
	(void)state;
	struct reading out[METRICS_MAX];
	struct experiment *x = load("formula = true, values = function(p) return { twice = 2 * p.n } end,",
		"return v.twice + (p.form == \"b\" and 1 or 0)");
	assert_int_equal(x->work, WORK_FORMULA);
	assert_false(experiment_has_times(x));
	json_t *job = default_job(x);
	assert_true(json_is_true(json_object_get(job, "formula")));
	assert_null(json_object_get(job, "kernel"));
	json_decref(job);
	metrics_of(x, "{\"seconds\":[]}", out);
	assert_true(out[0].valid && out[0].value == 9);
	experiment_free(x);
	x = load("formula = true,", "return m.seconds");
	metrics_of(x, "{\"seconds\":[]}", out);
	assert_false(out[0].valid);
	experiment_free(x);
	refused("formula = true,\n kernel = { file = \"chase.hip\", entry = \"chase\" },", 4,
		"not allowed together with formula");
	refused("formula = true,\n compile_only = true,", 4, "not allowed together with formula");
	refused("formula = 1,", 3, "boolean");
}

static void compile_only_points(void **state)
{
	(void)state;
	struct reading out[METRICS_MAX];
	struct experiment *x =
		load("compile_only = true, kernel = { file = \"chase.hip\", entry = \"chase\" },", "return m.accepted");
	json_t *job = default_job(x);
	assert_true(json_is_true(json_object_get(job, "compile_only")));
	assert_non_null(json_object_get(job, "kernel"));
	json_decref(job);
	metrics_of(x, "{\"seconds\":[],\"accepted\":true}", out);
	assert_true(out[0].valid && out[0].value == 1);
	metrics_of(x, "{\"seconds\":[],\"accepted\":false}", out);
	assert_true(out[0].valid && out[0].value == 0);
	experiment_free(x);
	x = load("compile_only = true, kernel = { file = \"chase.hip\", entry = \"chase\" }, launch = { block = 512 },",
		"return m.accepted");
	job = default_job(x);
	assert_int_equal(
		json_integer_value(json_array_get(json_object_get(job, "block"), 0)), 512); /* without a grid */
	json_decref(job);
	experiment_free(x);
	refused("compile_only = true,", 0, "kernel: missing");
	refused("compile_only = true, kernel = { file = \"chase.hip\", entry = \"chase\" },\n args = {},", 4,
		"not allowed together with compile_only");
}

/* --- devices and presets --- */
static void device_needs(void **state)
{
	(void)state;
	struct experiment *x =
		load(LAUNCH "needs = { arch = { \"gfx11\", \"gfx1200\" }, text = \"dual issue\" },", "return 1");
	assert_string_equal(x->needs, "a gfx11 or gfx1200 device: dual issue");
	assert_true(experiment_supports_arch(x, "gfx1100") && experiment_supports_arch(x, "gfx1200") &&
		experiment_supports_arch(x, ""));
	assert_false(experiment_supports_arch(x, "gfx900") || experiment_supports_arch(x, "gfx1201"));
	json_t *job = default_job(x);
	assert_int_equal(json_array_size(json_object_get(job, "needs")), 2);
	json_decref(job);
	experiment_free(x);
	refused(LAUNCH "\n needs = { arch = \"RDNA3\" },", 4, "unknown target");
	refused(LAUNCH "\n needs = { text = \"a lot\" },", 4, "needs.arch: missing");
}

static void presets_set_parameters(void **state)
{
	(void)state;
	struct plan p;
	struct err e;
	struct experiment *x = fixture_load_changed("samples  =",
		"presets = { { \"quick\", \"stride=16..64\", \"size=1 MiB\", help = \"soon done\" } }, samples  =");
	assert_int_equal(x->preset_count, 1);
	plan_init_default(&p, x, true, "");
	assert_true(plan_apply_preset(&p, "@quick", &e));
	assert_int_equal(plan_point_count(&p), 3);
	assert_true(p.fixed[1] == 1 << 20 && p.soft_defaults);
	plan_free(&p);
	plan_init_default(&p, x, true, "");
	assert_true(plan_apply_preset(&p, "@published", &e));
	assert_true(p.fixed[1] == 1 << 30 && !p.soft_defaults && plan_point_count(&p) == 13);
	assert_true(plan_apply_preset(&p, "@small", &e));
	assert_true(p.fixed[1] == x->params[1].soft && p.soft_defaults && plan_point_count(&p) == 13);
	assert_string_equal(plan_preset_name(x, 2), "quick"); /* its own, listed once */
	assert_true(plan_apply_preset(&p, "@class", &e) && plan_point_count(&p) == 12);
	assert_string_equal(plan_preset_name(x, 3), "class");
	assert_null(plan_preset_name(x, 4));
	assert_false(plan_apply_preset(&p, "@publish", &e));
	assert_non_null(strstr(e.text, "did you mean @published? presets: @small, @published, @quick"));
	plan_free(&p);
	experiment_free(x);
	fixture_refused_changed("  samples  =", "  presets = { { \"quick\", \"stried=16\" } },\n  samples  =", 27,
		"unknown parameter 'stried'");
	fixture_refused_changed("  samples  =", "  presets = { { \"quick\" } },\n  samples  =", 27, "no settings");
	fixture_refused_changed("  samples  =",
		"  presets = { { \"q\", \"size=1 MiB\" },\n { \"q\", \"size=1 MiB\" } },\n  samples  =", 28,
		"duplicate preset");
}

/* --- points of other experiments --- */
static void write_other(const char *name, const char *text)
{
	fixture_write(name, text, strlen(text));
}

static void note_bad(void *ctx, const char *line)
{
	snprintf(ctx, 400, "%s", line);
}

static void work_amounts(void **state)
{
	(void)state;
	double values[PARAMS_MAX], work;
	struct plan p;
	struct experiment *x =
		fixture_load_changed("samples  =", "work = function(p, v) return p.size / 2 end, samples  =");
	plan_init_default(&p, x, true, "");
	plan_point_values(&p, 0, values);
	assert_true(experiment_eval_work(x, values, &work) && work == values[1] / 2);
	plan_free(&p);
	experiment_free(x);
	x = fixture_load_changed("samples  =", "samples  =");
	assert_false(experiment_eval_work(x, values, &work));
	experiment_free(x);
	fixture_refused_changed("  samples  =", "  work = 0,\n  samples  =", 27, "use a number above 0");
}

static void points_of_another_experiment(void **state)
{
	(void)state;
	char bad[400] = "";
	double values[PARAMS_MAX], work;
	struct catalog c;
	struct err e = {.text = ""};
	struct reading out[METRICS_MAX];
	write_other("stride.lua", fixture_text);
	write_other("roof.lua",
		"return { title = \"R\", counters = { \"FETCH_SIZE\" }, params = { { \"kernel\", choices = { \"stride\" }, sweep = true } },\n"
		"  measures = function(p) return p.kernel, { stride = 32, form = \"near\" } end, work = 7,\n"
		"  metrics = { { \"it\", function(m, p, v) return v.reads + (v.form == \"near\" and 0.5 or 0) end } } }\n");
	write_other("wrong.lua",
		"return { title = \"W\", params = {},\n  measures = function(p) return \"stride\", { stried = 32 } end,\n"
		"  metrics = { { \"it\", function(m, p, v) return 1 end } } }\n");
	assert_true(catalog_load(fixture_folder, &c, note_bad, bad, &e));
	assert_non_null(strstr(bad, "wrong.lua:2: measures: stride has no parameter 'stried'"));
	assert_int_equal(c.count, 2); /* not the wrong one */
	struct experiment *x = catalog_find(&c, "roof", &e);
	assert_non_null(x);
	fixture_values(x, values);
	json_t *job = experiment_build_job(x, values, true, "", true, &e);
	if (!job)
		fail_msg("%s", e.text);
	assert_string_equal(record_get_text(job, "experiment"), "roof");
	assert_string_equal(record_get_text(json_object_get(job, "params"), "kernel"), "stride");
	assert_string_equal(record_get_text(json_object_get(job, "kernel"), "entry"), "chase_published");
	assert_string_equal(json_string_value(json_array_get(json_object_get(job, "counters"), 0)), "FETCH_SIZE");
	const json_t *other = json_object_get(json_object_get(job, "measures"), "params");
	assert_int_equal(json_integer_value(json_object_get(other, "size")), 1 << 26); /* the software GPU's default */
	assert_int_equal(json_integer_value(json_object_get(other, "stride")), 32);
	json_t *point = json_pack("{s:[f], s:O}", "seconds", 1.0, "measures", json_object_get(job, "measures"));
	assert_true(fixture_eval_metrics(x, values, point, out, &e));
	assert_true(out[0].valid && out[0].value == (1 << 26) / 32 / 4 + 0.5);
	assert_true(experiment_eval_work(x, values, &work) && work == 7);
	json_decref(point);
	json_decref(job);
	catalog_free(&c);
}

/* --- axes and verdict --- */
static void x_axis_lines_and_verdict(void **state)
{
	(void)state;
	char text[80];
	double values[PARAMS_MAX];
	struct err e = {.text = ""};
	struct experiment *x = fixture_load(
		"return { title = \"T\", formula = true, params = { { \"n\", min = 1, max = 9, default = 3 } },\n"
		"  metrics = { { \"at\", axis = \"x\", log = true, function(m, p) return p.n end },\n"
		"              { \"roof\", line = true, function(m, p) return 2 * p.n end } },\n"
		"  verdict = function(m, p)\n"
		"    if p.n == 9 then return end\n"
		"    return p.n == 1 and m.counters.SQ_WAVES or \"n is \" .. p.n\n  end }\n");
	assert_int_equal(experiment_find_x_metric(x), 0);
	assert_true(x->metrics[0].log && !x->metrics[0].line && x->metrics[1].line && !x->metrics[1].log);
	json_t *point = json_pack("{s:[]}", "seconds");
	fixture_values(x, values);
	assert_true(experiment_eval_verdict(x, values, point, text, sizeof text, &e));
	assert_string_equal(text, "n is 3");
	values[0] = 9;
	assert_true(experiment_eval_verdict(x, values, point, text, sizeof text, &e));
	assert_string_equal(text, "");
	values[0] = 1; /* a missing reading */
	assert_true(experiment_eval_verdict(x, values, point, text, sizeof text, &e));
	assert_string_equal(text, "");
	json_decref(point);
	experiment_free(x);
	fixture_refused(
		"return { title = \"T\", formula = true, params = {},\n  metrics = { { \"a\", axis = \"x\", function() return 1 end },\n"
		"              { \"b\", axis = \"x\", function() return 1 end } } }\n",
		3, "only one metric can be on the x axis; a already is");
	fixture_refused(
		"return { title = \"T\", formula = true, params = {},\n  metrics = { { \"a\", line = 1, function() return 1 end } } }\n",
		2, "boolean");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_syntax_error_has_a_hint),
		cmocka_unit_test(counters_and_launches_per_sample),
		cmocka_unit_test(tolerances_per_buffer),
		cmocka_unit_test(metrics_read_differences),
		cmocka_unit_test(metrics_read_the_code),
		cmocka_unit_test(steps_of_copies_and_launches),
		cmocka_unit_test(formulas_launch_nothing),
		cmocka_unit_test(compile_only_points),
		cmocka_unit_test(device_needs),
		cmocka_unit_test(presets_set_parameters),
		cmocka_unit_test(work_amounts),
		cmocka_unit_test(points_of_another_experiment),
		cmocka_unit_test(x_axis_lines_and_verdict),
	};
	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
