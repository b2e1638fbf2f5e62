/* Definitions: what is read, which errors are reported with which lines, and that untrusted files can only compute. */
#include "tests/experiments/engine_fixture.h"

#include <time.h>

#include "gpu/protocol/record.h"

/* --- valid definitions --- */
static void a_definition_is_read_completely(void **state)
{
	(void)state;
	struct experiment *x = fixture_load(fixture_text);
	assert_string_equal(x->id, "stride");
	assert_string_equal(x->chapter, "own");
	assert_string_equal(x->title, "Stride");
	assert_int_equal(x->param_count, 5);
	assert_int_equal(x->x, 0);
	assert_false(x->verified);
	const struct param *stride = &x->params[0], *size = &x->params[1], *unroll = &x->params[2],
			   *form = &x->params[3], *variant = &x->params[4];
	assert_true(stride->kind == PARAM_STEP_MULTIPLY && stride->step == 2 && stride->low == 16 &&
		stride->high == 65536 && stride->whole);
	assert_true(size->value == 0x1p30 && size->soft == 0x1p26);
	assert_true(unroll->kind == PARAM_STEP_ADD && unroll->step == 1 && unroll->soft == 1);
	assert_true(form->kind == PARAM_STEP_CHOICE && form->choice_count == 2 && form->value == 1);
	assert_string_equal(variant->id, "variant");
	assert_string_equal(variant->choices[0], "published");
	assert_true(variant->value == 0);
	assert_int_equal(x->metric_count, 3);
	assert_string_equal(x->metrics[0].unit, "cycles");
	assert_int_equal(x->metrics[1].axis, 1);
	assert_int_equal(x->metrics[2].axis, -1);
	experiment_free(x);
}

static json_t *job_of(struct experiment *x, double stride, double variant)
{
	double values[PARAMS_MAX];
	struct err e = {.text = ""};
	fixture_values(x, values);
	values[0] = stride;
	values[4] = variant;
	json_t *job = experiment_build_job(x, values, false, "", true, &e);
	if (!job)
		fail_msg("%s", e.text);
	return job;
}

static void a_chase_becomes_a_fill(void **state)
{
	(void)state;
	struct experiment *x = fixture_load_changed("fill = 1", "fill = function(p) return { chase = p.stride } end");
	json_t *job = job_of(x, 256, 0),
	       *fill = json_object_get(json_array_get(json_object_get(job, "buffers"), 0), "fill");
	assert_true(json_number_value(json_object_get(fill, "chase")) == 256);
	json_decref(job);
	experiment_free(x);
}

static void so_does_one_with_addresses(void **state)
{
	(void)state;
	struct experiment *x =
		fixture_load_changed("fill = 1", "fill = { addresses = function(p) return p.stride end }");
	json_t *job = job_of(x, 256, 0),
	       *fill = json_object_get(json_array_get(json_object_get(job, "buffers"), 0), "fill");
	assert_true(json_number_value(json_object_get(fill, "addresses")) == 256);
	json_decref(job);
	experiment_free(x);
}

static void a_point_becomes_a_job(void **state)
{
	(void)state;
	struct experiment *x = fixture_load(fixture_text);
	json_t *job = job_of(x, 128, 0),
	       *expected = json_pack("{s:s, s:s, s:{s:i, s:i, s:i, s:s, s:s}}", "type", "job", "experiment", "stride",
		       "params", "stride", 128, "size", 1 << 30, "unroll", 1, "form", "far", "variant", "published");
	const char *rest =
		"{\"defaults\":{\"stride\":64,\"size\":1073741824,\"unroll\":1,\"form\":\"far\",\"variant\":\"published\"},"
		"\"args\":[{\"name\":\"buf\",\"type\":\"const int *\",\"buffer\":\"buf\",\"line\":17},"
		"{\"name\":\"stride\",\"type\":\"int\",\"value\":32,\"line\":17},"
		"{\"name\":\"reads\",\"type\":\"unsigned int\",\"value\":2097152,\"line\":17},"
		"{\"name\":\"scale\",\"type\":\"float\",\"value\":0.5,\"line\":17},"
		"{\"name\":\"out\",\"type\":\"int *\",\"buffer\":\"out\",\"line\":17}],"
		"\"buffers\":[{\"name\":\"buf\",\"type\":\"int\",\"count\":268435456,\"fill\":1},{\"name\":\"out\",\"type\":\"int\",\"count\":1,\"fill\":0}],"
		"\"grid\":[1,2,1],\"block\":[64,1,1],\"dynamic_lds\":0,\"reference\":null,\"verify\":false,"
		"\"samples\":{\"min\":3,\"max\":9,\"target\":0.005,\"seconds\":2},"
		"\"contract\":[{\"isa\":\"gfx9\",\"instruction\":\"global_load_dword\",\"where\":\"hot_loop\",\"count\":1},"
		"{\"isa\":\"gfx9\",\"instruction\":\"s_load_dword\",\"where\":\"hot_loop\",\"count\":0},"
		"{\"isa\":\"gfx9\",\"instruction\":\"s_endpgm\",\"where\":\"kernel\"}]}";
	json_t *more = json_loads(rest, 0, NULL), *kernel = json_object_get(job, "kernel");
	char *own = xasprintf("%s/chase.hip", fixture_folder);
	assert_string_equal(record_get_text(kernel, "file"), own); /* next to the definition: the full path */
	assert_string_equal(record_get_text(kernel, "entry"), "chase_published");
	assert_string_equal(record_get_text(kernel, "defines"), "");
	json_object_del(job, "kernel");
	const json_t *definition = json_object_get(job, "definition");
	assert_string_equal(record_get_text(definition, "file"), x->path);
	assert_int_equal(json_integer_value(json_object_get(definition, "args_line")), 17);
	json_object_del(job, "definition");
	json_object_update(expected, more);
	if (!json_equal(job, expected))
		fail_msg("%s", json_dumps(job, JSON_SORT_KEYS));
	json_decref(job);
	job = job_of(x, 128, 1);
	assert_string_equal(record_get_text(json_object_get(job, "kernel"), "entry"), "chase");
	assert_string_equal(record_get_text(json_object_get(job, "kernel"), "defines"), "-DUNROLL=1");
	json_decref(job);
	json_decref(expected);
	json_decref(more);
	free(own);
	experiment_free(x);
}

static void variants_as_a_map_and_short_contracts(void **state)
{
	(void)state;
	/* variants as a map keep the order of the text; a contract in the short form */
	char *text = fixture_changed("variants = { { \"published\", entry = \"chase_published\" },\n",
		"variants = { zebra = { entry = \"z\" },\n");
	char *at = strstr(text, "{ \"compiled\", defines");
	memcpy(at, "mid =       { defines", strlen("mid =       { defines"));
	struct experiment *x = fixture_load(text);
	assert_string_equal(x->params[4].choices[0], "zebra");
	assert_string_equal(x->params[4].choices[1], "mid");
	experiment_free(x);
	free(text);
	x = fixture_load_changed("{ { \"global_load_dword\", count = 1 }, { \"s_load_dword\", count = 0 } }",
		"{ loads = \"global_load_dword\" }");
	json_t *job = job_of(x, 64, 0), *line = json_array_get(json_object_get(job, "contract"), 0);
	assert_string_equal(record_get_text(line, "instruction"), "global_load_dword");
	assert_null(json_object_get(line, "count")); /* at least one */
	json_decref(job);
	experiment_free(x);
}

static void a_contract_for_each_instruction_set(void **state)
{
	(void)state;
	struct experiment *x = fixture_load_changed(
		"{ hot_loop = { { \"global_load_dword\", count = 1 }, { \"s_load_dword\", count = 0 } }, kernel = { \"s_endpgm\" } }",
		"{ { hot_loop = { \"v_fma_f32\" } }, { isa = \"gfx11\", hot_loop = { { \"v_dual_fmac_f32\" } } } }");
	json_t *job = job_of(x, 64, 0), *lines = json_object_get(job, "contract");
	assert_int_equal(json_array_size(lines), 2);
	assert_string_equal(record_get_text(json_array_get(lines, 0), "isa"), "gfx9");
	assert_string_equal(record_get_text(json_array_get(lines, 1), "isa"), "gfx11");
	assert_string_equal(record_get_text(json_array_get(lines, 1), "instruction"), "v_dual_fmac_f32");
	json_decref(job);
	experiment_free(x);
}

static void default_sweeps(void **state)
{
	(void)state;
	struct experiment *x = fixture_load_changed("sweep = true", "sweep = { 16, \"1 KiB\" }");
	assert_true(x->params[0].sweep_low == 16 && x->params[0].sweep_high == 1024 && !x->params[0].sweep_list_count);
	experiment_free(x);
	x = fixture_load_changed("sweep = true", "sweep = { 16, 48, \"1 KiB\" }");
	assert_int_equal(x->params[0].sweep_list_count, 3);
	assert_true(x->params[0].sweep_list[1] == 48 && x->params[0].sweep_list[2] == 1024);
	experiment_free(x);
	x = fixture_load_changed("sweep = true", "sweep = function(p) return { 16, p.size // 65536, 65536 } end");
	assert_int_equal(x->params[0].sweep_list_count, 3);
	assert_true(x->params[0].sweep_list[1] == 0x1p30 / 65536);
	experiment_free(x);
	x = fixture_load_changed("default = 64, sweep = true", "default = 64");
	assert_int_equal(x->x, -1);
	experiment_free(x);
}

/* --- errors, with their lines --- */
static void wrong_fields_are_reported_with_their_line(void **state)
{
	(void)state;
	static const struct {
		const char *from, *to;
		int line;
		const char *phrase;
	} cases[] = {
		{"question =", "qestion  =", 4, "did you mean 'question'"},
		{"return v.reads / m.seconds end", "return v.reads / m.second end", 23,
			"unknown reading 'second' in m; did you mean 'seconds'"},
		{"title    = \"Stride\",", "title    = \"Stride\"", 4, "a comma may be missing before it"},
		{"step = \"x2\"", "step = \"*2\"", 10, "'*2' is not a step; write \"x2\" to double, \"+16\" to add 16"},
		{"sweep = true", "sweep = function(p) return p.size end", 10, "params[1].sweep: expected a table"},
		{"sweep = true", "sweep = function(p) end", 10,
			"params[1].sweep: returned nil; return a list of values"},
		{"sweep = true", "sweep = function(p) return { 16 } end", 10,
			"params[1].sweep: returned 1 values; return 2 to 64"},
		{"sweep = true", "sweep = function(p) return { 16, 8 } end", 10,
			"params[1].sweep[2]: 8 B is out of range; min is 16 B, max is 64 KiB"},
		{"sweep = true", "sweep = function(p) return { 16, 32.5 } end", 10,
			"params[1].sweep[2]: not a whole number; divide with //"},
		{"sweep = true", "sweep = function(p) return p.size < 1 << 30 and { 16, 32, 64 } or { 16, 32 } end", 10,
			"params[1].sweep: returned 2 values, and 3 for other defaults; return as many for all"},
		{"choices = { \"near\", \"far\" },",
			"choices = { \"near\", \"far\" }, sweep = function(p) return { 1, 2 } end,", 13,
			"params[4].sweep: a function returns numbers, but this parameter has choices; write a list"},
		{"title    = \"Stride\",", "", 2, "title: missing"},
		{"title    = \"Stride\"", "title    = 3", 3, "text"},
		{"title    = \"Stride\"", "title    = \"a\\27[2Jb\"", 3, "control character"},
		{"title    = \"Stride\"", "title    = \"a\\255b\"", 3, "not valid UTF-8"},
		{"file = \"chase.hip\"", "file = \"chaze.hip\"", 6, "kernel file 'chaze.hip' not found"},
		{"file = \"chase.hip\"", "file = \"../chase.hip\"", 6, "give only the name"},
		{"entry = \"chase\" }", "entri = \"chase\" }", 6, "did you mean 'entry'"},
		{", entry = \"chase\" }", " }", 8, "missing entry"},
		{"\"published\", entry", "\"compiled\", entry", 8, "duplicate variant"},
		{"\"published\", entry", "\"published\", on = \"nvidia\", entry", 7,
			"variants[1].on: invalid; name the beginning of a target"},
		{"\"-DUNROLL=\"", "\"-include /etc/passwd -DX=\"", 0, "invalid define"},
		{"min = 16, max", "mim = 16, max", 10, "did you mean 'min'"},
		{"min = 16, max", "max", 10, "params[1].min: missing"},
		{"max = \"64 KiB\"", "max = \"64 threads\"", 10, "unit 'threads'"},
		{"max = \"64 KiB\"", "max = 8", 10, "below min"},
		{"default = 64, sweep", "default = 8, sweep", 10,
			"params[1].default: 8 B is out of range; min is 16 B"},
		{"default = 64, sweep", "sweep", 10, "default: missing"},
		{"step = \"x2\", default = 64", "step = \"x1\", default = 64", 10, "too small to advance"},
		{"sweep = true", "sweep = \"yes\"", 10, "sweep"},
		{"sweep = true", "sweep = true, means = \"strides\"", 10, "unknown meaning 'strides'"},
		{"\"unroll\", min", "\"unroll\", means = \"stride\", min", 12, "requires unit"},
		{"soft = \"64 MiB\"", "soft = \"64 MiB\", sweep = true", 11, "'stride' already is"},
		{"soft = \"64 MiB\"", "soft = \"64 KiB\"", 11, "out of range"},
		{"soft = \"64 MiB\"", "on = { gfx11 = 1024 }", 11, "on.gfx11: 1 KiB is out of range"},
		{"soft = \"64 MiB\"", "on = { \"1 MiB\" }", 11, "give at most 4 targets: on = { gfx11 = 48 }"},
		{"soft = \"64 MiB\"", "soft_on = { gfx11 = 1024 }", 11, "soft_on.gfx11: 1 KiB is out of range"},
		{"soft = \"64 MiB\"", "soft_on = { gfx8 = 1, gfx9 = 1, gfx10 = 1, gfx11 = 1, gfx12 = 1 }", 11,
			"soft_on"},
		{"\"unroll\", min", "\"stride\", min", 12, "duplicate id 'stride'; a parameter"},
		{"\"unroll\", min", "\"un roll\", min", 12, "invalid id"},
		{"default = \"far\"", "default = \"fur\"", 13, "did you mean 'far'"},
		{"default = \"far\"", "min = 0, default = \"far\"", 13, "not allowed with choices"},
		{"buf = { type = \"int\"", "buf = { type = \"imt\"", 15, "buffers.buf.type"},
		{"count = function(p) return p.size / 4 end", "count = function(p) return p.size / 3 end", 15,
			"whole number"},
		{"fill = 1", "fill = \"ones\"", 15, "unknown fill 'ones'"},
		{"fill = 1", "fill = { chase = 128, from = 1 }", 15,
			"buffers.buf.fill.from: unknown field; known fields: chase"},
		{"fill = 1", "fill = { chases = 128 }", 15, "did you mean 'chase'"},
		{"fill = 1", "fill = { addresses = 128, chase = 128 }", 15,
			"buffers.buf.fill.chase: unknown field; known fields: addresses"},
		{"fill = 1", "fill = {}", 15, "buffers.buf.fill.chase: missing"},
		{"fill = 1", "fill = function(p) return { chase = \"x\" } end", 15, "buffers.buf.fill.chase"},
		{"fill = 1", "fill = { chase = 96 }", 15, "cannot be divided into lines of 96 bytes"},
		{"fill = 1", "fill = { chase = function(p) return p.size * 2 end }", 15,
			"1073741824 bytes cannot be divided into lines of 2147483648 bytes"},
		{"out = { type = \"int\", count = 1 }", "out = { type = \"int\" }", 16, "buffers.out.count: missing"},
		{"\"int *out\"", "\"int *outt\"", 17, "unknown buffer 'outt'; did you mean 'out'"},
		{"\"int stride\"", "\"int\"", 17, "not a declaration"},
		{"\"int stride\"", "\"imt stride\"", 17, "imt"},
		{"\"int stride\"", "\"int lines\"", 17, "no value for 'lines'"},
		{"\"unsigned int reads\"", "\"signed char reads\"", 18,
			"values.reads: 4194304 does not fit 'signed char reads'"},
		{"p.stride // 4, reads", "p.stride / 48, reads", 18, "is not a whole number"},
		{"p.stride // 4, reads", "p.strde // 4, reads", 18, "unknown parameter 'strde'; did you mean 'stride'"},
		{"p.stride // 4, reads", "tostring(1), reads", 18, "expected a number"},
		{"{ p.unroll, 2 }", "{ p.unroll, 0 }", 19, "launch.grid: invalid size 0 in y"},
		{"block = 64", "block = { 64, 32 }", 19, "64 x 32 x 1 = 2048 threads"},
		{"block = 64", "blocks = 64", 19, "did you mean 'block'"},
		{"lds = 0", "lds = 70000", 19, "launch.lds"},
		{"buf = v.stride * v.reads }", "buf = p.size }", 20,
			"would access element 1073741824 of 'buf', which has 268435456 elements"},
		{"buf = v.stride * v.reads }", "but = 1 }", 20, "did you mean 'buf'"},
		{"axis = \"right\"", "axis = \"top\"", 23, "unknown axis 'top'"},
		{"\"rate\", unit", "\"latency\", unit", 23, "duplicate id 'latency'; a metric"},
		{"\"rate\", unit", "\"size\", unit", 23, "duplicate id 'size'; a parameter"},
		{"count = 0 }", "counts = 0 }", 26, "did you mean 'count'"},
		{"min = 3", "min = 0", 27, "samples.min"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		fixture_refused_changed(cases[i].from, cases[i].to, cases[i].line, cases[i].phrase);
}

static void wrong_files_are_reported(void **state)
{
	(void)state;
	struct err e;
	fixture_refused("", 0, "returns nothing");
	fixture_refused("return 3", 1, "it must return a table");
	fixture_refused("x = = 3", 1, "unexpected symbol");
	fixture_refused("\n\nreturn {", 3, "expected");
	fixture_refused("\nlocal t = nil\nreturn t.x", 3, "nil");
	fixture_refused("error(\"own\\27[31mtext\")", 1, "own?[31mtext");
	fixture_refused("error({})", 0, "without a message");
	assert_null(experiment_load("/proc/none/x.lua", &e));
	assert_non_null(strstr(e.text, "cannot open /proc/none/x.lua"));
	assert_null(experiment_load("/dev/zero", &e));
	assert_non_null(strstr(e.text, ".lua"));
	char *path = xasprintf("%s/folder.lua", fixture_folder), *link = xasprintf("%s/zero.lua", fixture_folder);
	assert_int_equal(symlink("/dev/zero", link), 0);
	assert_null(experiment_load(link, &e));
	assert_non_null(strstr(e.text, "not a regular file"));
	free(path);
	free(link);
}

/* Truncated and random text gives an error or an experiment, never a crash. */
static void mangled_files_do_not_crash(void **state)
{
	(void)state;
	struct err e;
	unsigned seed = 12345;
	for (size_t cut = 0; cut < sizeof fixture_text - 1; cut += 7) {
		struct experiment *x = fixture_load_bytes(fixture_text, cut, &e);
		assert_true(x || *e.text);
		experiment_free(x);
	}
	for (int round = 0; round < 300; round++) {
		char text[sizeof fixture_text];
		memcpy(text, fixture_text, sizeof text);
		for (int k = 0; k < 3; k++) {
			seed = seed * 1664525 + 1013904223;
			text[(seed >> 8) % (sizeof text - 1)] =
				round & 1 ? (char)(seed >> 3) : " {}()[]\"'=,.-0x"[(seed >> 4) % 15];
		}
		struct experiment *x = fixture_load_bytes(text, sizeof text - 1, &e);
		assert_true(x || *e.text);
		experiment_free(x);
	}
}

/* --- the sandbox --- */
static double seconds_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void unsafe_functions_are_missing(void **state)
{
	(void)state;
	static const char *const absent[] = {"load", "loadstring", "dofile", "loadfile", "require", "os", "io",
		"package", "debug", "coroutine", "utf8", "collectgarbage", "pcall", "xpcall", "setmetatable",
		"getmetatable", "rawget", "rawset", "_G", "warn", "string.dump", "string.find", "string.match",
		"string.gmatch", "string.gsub", "string.pack", "math.random", "math.randomseed", "table.move",
		"_ENV._G"};
	for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
		char *text = xasprintf("assert(%s == nil, \"there it is\")\n%s", absent[i], fixture_text);
		experiment_free(fixture_load(text));
		free(text);
	}
}

static void safe_functions_work(void **state)
{
	(void)state;
	char *text = xasprintf(
		"assert((\"ab\"):rep(3, \"-\") == \"ab-ab-ab\" and (\"x\"):upper() == \"X\" and string.format(\"%%5.2f\", 1) == \" 1.00\")\n"
		"local t = { 3, 1, 2 } table.sort(t) table.insert(t, 4) table.insert(t, 1, 0) assert(table.concat(t, \",\") == \"0,1,2,3,4\")\n"
		"assert(table.remove(t) == 4 and table.remove(t, 1) == 0 and #t == 3 and select(\"#\", table.unpack(t)) == 3)\n"
		"assert(table.remove({}) == nil and math.floor(2.5) == 2 and math.max(1, 3) == 3 and tonumber(\"0x10\") == 16)\n"
		"for _, n in ipairs(t) do print(n) end for k in pairs(t) do assert(k) end\n%s",
		fixture_text);
	experiment_free(fixture_load(text));
	free(text);
}

/* Each must end soon, with an error. */
static void endless_code_is_stopped(void **state)
{
	(void)state;
	static const struct {
		const char *code, *phrase;
	} bombs[] = {
		{"while true do end", "runs too long"},
		{"for i = 1, 1 << 62 do end", "runs too long"},
		{"repeat local t = {} until false", "runs too long"},
		{"local function f() return f() end f()", "runs too long"},
		{"local function f() return 1 + f() end f()", ""},
		{"local t = {} for i = 1, 1e9 do t[i] = i end", "memory"},
		{"local s = \"x\" while true do s = s .. s end", "memory"},
		{"local s = (\"x\"):rep(1 << 40)", "string.rep"},
		{"local s = (\"\"):rep(1 << 62)", "string.rep"},
		{"local s = (\"x\"):rep(1 << 19) for i = 1, 3 do s = s .. s end while true do local b = s .. \"y\" end",
			""},
		{"local a = (\"x\"):rep(1 << 19) local b = (\"x\"):rep(1 << 19) a = a .. \"y\" b = b .. \"y\" while a <= b do end",
			"runs too long"},
		{"local t = {} for i = 0, 29 do t[1 << i] = 1 end table.sort(t)", ""},
		{"table.unpack({}, 1, 1 << 62)", "limited to 1000"},
		{"table.unpack({}, -(1 << 62), 1 << 62)", "limited to 1000"},
		{"table.concat({}, \"\", 1, 1 << 62)", "invalid value"},
		{"table.sort({ 3, 2, 1 }, function() while true do end end)", "runs too long"},
		{"string.byte((\"x\"):rep(1 << 20), 1, -1)", ""},
		{"string.format(\"%999d\", 1)", ""},
		{"assert(false, (\"x\"):rep(1 << 20))", ""},
		{"local t = {} t[1] = t print(t) local s = string.format(\"%s\", t) error(s)", "table"},
	};
	for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++) {
		double start = seconds_now();
		fixture_refused(bombs[i].code, 0, bombs[i].phrase);
		if (seconds_now() - start > 20) /* enough for sanitizers and a busy machine */
			fail_msg("%s took %.1f s", bombs[i].code, seconds_now() - start);
	}
}

/* The length of such a table is 2^62: Lua's own table.insert would loop over all of it. */
static void tables_with_holes_are_stopped(void **state)
{
	(void)state;
	static const char *const uses[] = {
		"table.insert(t, 1, 2)", "table.remove(t, 1)", "table.unpack(t)", "table.concat(t)", "table.sort(t)"};
	for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
		struct buf b = {0};
		buf_puts(&b, "local t = {");
		for (int bit = 0; bit <= 62; bit++)
			buf_printf(&b, "[1 << %d] = 1,", bit);
		buf_printf(&b, "} assert(#t >= 1 << 62) %s", uses[i]);
		double start = seconds_now();
		fixture_refused(b.data, 1, "");
		assert_true(seconds_now() - start < 10);
		buf_free(&b);
	}
}

static void binary_chunks_are_rejected(void **state)
{
	(void)state;
	struct err e;
	assert_null(fixture_load_bytes("\x1bLua\x54\x00\x19\x93\r\n\x1a\n", 12, &e));
	assert_non_null(strstr(e.text, "binary chunk"));
	assert_null(fixture_load_bytes("\0\0\0", 3, &e));
	assert_true(*e.text);
}

/* A call has two million instructions of Lua; a trip of an empty loop is one. */
static void a_call_has_two_million_instructions(void **state)
{
	(void)state;
	double values[PARAMS_MAX];
	struct err e;
	struct reading out[METRICS_MAX];
	struct experiment *x = fixture_load_changed(
		"return v.reads / m.seconds end", "for i = 1, p.unroll * 1000000 do end return 1 end");
	json_t *point = json_pack("{s:[f]}", "seconds", 0.5);
	fixture_values(x, values);
	values[2] = 1;
	assert_true(fixture_eval_metrics(x, values, point, out, &e));
	values[2] = 4;
	assert_false(fixture_eval_metrics(x, values, point, out, &e));
	assert_non_null(strstr(e.text, "runs too long"));
	json_decref(point);
	experiment_free(x);
}

/* Calls are limited like loading, and the definition still works afterwards. */
static void calls_are_limited(void **state)
{
	(void)state;
	double values[PARAMS_MAX];
	struct err e;
	struct reading out[METRICS_MAX];
	struct experiment *x =
		fixture_load_changed("return v.reads / m.seconds end", "while p.unroll > 1 do end return 1 end");
	json_t *point = json_pack("{s:[f]}", "seconds", 0.5);
	fixture_values(x, values);
	assert_true(fixture_eval_metrics(x, values, point, out, &e));
	assert_true(out[1].valid);
	values[2] = 2;
	assert_false(fixture_eval_metrics(x, values, point, out, &e));
	assert_non_null(strstr(e.text, "stride.lua:23: runs too long"));
	assert_false(out[1].valid);
	values[2] = 1;
	assert_true(fixture_eval_metrics(x, values, point, out, &e));
	assert_true(out[1].valid);
	json_decref(point);
	experiment_free(x);
}

/* --- metrics --- */
static void metrics_of(struct experiment *x, const char *record, struct reading *out)
{
	double values[PARAMS_MAX];
	struct err e = {.text = ""};
	json_t *point = json_loads(record, 0, NULL);
	fixture_values(x, values);
	if (!fixture_eval_metrics(x, values, point, out, &e))
		fail_msg("%s", e.text);
	json_decref(point);
}

static void metrics_from_readings(void **state)
{
	(void)state;
	struct reading out[METRICS_MAX];
	struct experiment *x = fixture_load(fixture_text);
	metrics_of(x, "{\"seconds\":[3,1,2],\"sclk_mhz\":1500,\"counters\":{\"SQ_WAVES\":16}}", out);
	assert_true(out[0].valid && out[0].value == 2 * 1500e6 / 4194304);
	assert_true(out[1].valid && out[1].value == 4194304 / 2.0);
	assert_true(out[2].valid && out[2].value == 16);
	/* without clock and counters, only the metrics that need them are invalid */
	metrics_of(x, "{\"seconds\":[3,1,2],\"sclk_mhz\":null}", out);
	assert_false(out[0].valid);
	assert_true(out[1].valid);
	assert_false(out[2].valid);
	metrics_of(x, "{\"seconds\":[]}", out);
	assert_false(out[0].valid || out[1].valid || out[2].valid);
	experiment_free(x);
}

static void metric_errors_are_reported(void **state)
{
	(void)state;
	static const struct {
		const char *to, *phrase;
	} cases[] = {
		{"return v.raeds end", "stride.lua:23: unknown value 'raeds'; did you mean 'reads'"},
		{"return \"much\" end", "expected a number, not a string"},
		{"return 1 / 0 end", "returned infinity"},
		{"return 0 / 0 end", "returned NaN"},
		{"return os.time() end", "stride.lua:23: os is not available in the sandbox; use math"},
		{"return nil + 1 end", "nil"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double values[PARAMS_MAX];
		struct reading out[METRICS_MAX];
		struct err e = {.text = ""};
		struct experiment *x = fixture_load_changed("return v.reads / m.seconds end", cases[i].to);
		json_t *point = json_pack("{s:[f]}", "seconds", 1.0);
		fixture_values(x, values);
		assert_false(fixture_eval_metrics(x, values, point, out, &e));
		if (!strstr(e.text, cases[i].phrase))
			fail_msg("'%s' lacks '%s'", e.text, cases[i].phrase);
		assert_false(out[1].valid);
		json_decref(point);
		experiment_free(x);
	}
}

/* A point whose parameters access memory outside the buffers is rejected, although the defaults do not. */
static void accesses_outside_of_buffers_are_rejected(void **state)
{
	(void)state;
	double values[PARAMS_MAX];
	struct err e;
	struct experiment *x =
		fixture_load_changed("buf = v.stride * v.reads }", "buf = v.stride * v.reads * p.unroll }");
	fixture_values(x, values);
	values[2] = 4;
	assert_null(experiment_build_job(x, values, false, "", true, &e));
	assert_non_null(strstr(e.text, "would access element"));
	assert_int_equal(e.status, ST_REQUEST);
	experiment_free(x);
}

/* --- the catalog --- */
static void note_bad(void *ctx, const char *line)
{
	struct buf *b = ctx;
	buf_printf(b, "%s\n", line);
}

static void a_catalog_loads_a_folder(void **state)
{
	(void)state;
	struct catalog c;
	struct err e;
	struct buf bad = {0};
	char command[600], *folder = xasprintf("%s/catalog", fixture_folder),
			   *own = xasprintf("%s/stride.lua", fixture_folder);
	fixture_write("stride.lua", fixture_text, strlen(fixture_text));
	snprintf(command, sizeof command,
		"cd %s && mkdir -p catalog/zoo catalog/memory catalog/launch && for f in zoo/a memory/b memory/a-first launch/z; do "
		"cp stride.lua catalog/$f.lua; cp chase.hip catalog/$f.hip; cp chase.hip catalog/${f%%/*}/; done && echo 'return 1' >catalog/zoo/broken.lua "
		"&& cp stride.lua catalog/zoo/z.lua",
		fixture_folder);
	assert_int_equal(system(command), 0);
	assert_true(catalog_load(folder, &c, note_bad, &bad, &e));
	static const char *const order[] = {"z", "a-first", "b", "a"};
	assert_int_equal(c.count, 4);
	for (int i = 0; i < 4; i++)
		assert_string_equal(c.list[i]->id, order[i]);
	assert_string_equal(c.list[3]->chapter, "zoo");
	assert_non_null(strstr(bad.data, "broken.lua:1:"));
	assert_non_null(strstr(bad.data, "duplicate experiment 'z'"));
	assert_ptr_equal(catalog_find(&c, "b", &e), c.list[2]);
	assert_null(catalog_find(&c, "a-fist", &e));
	assert_non_null(strstr(e.text, "did you mean 'a-first'"));
	struct experiment *x = catalog_find(&c, own, &e);
	assert_non_null(x);
	assert_string_equal(x->chapter, "own");
	assert_ptr_equal(catalog_find(&c, own, &e), x);
	assert_int_equal(c.count, 5);
	catalog_free(&c);
	/* Step by step: a requested experiment loads early, once; a broken one is reported then or later. */
	buf_clear(&bad);
	assert_true(catalog_open(folder, &c, note_bad, &bad, &e));
	assert_int_equal(c.count, 0);
	assert_true(catalog_contains(&c, "a-first") && !catalog_contains(&c, "a-fist"));
	x = catalog_find(&c, "a-first", &e);
	assert_non_null(x);
	assert_int_equal(c.count, 1);
	assert_null(catalog_find(&c, "a-fist", &e));
	assert_non_null(strstr(e.text, "did you mean 'a-first'"));
	assert_null(catalog_find(&c, "broken", &e));
	assert_non_null(strstr(e.text, "broken.lua:1:"));
	while (catalog_load_next(&c))
		assert_true(catalog_contains(&c, "a"));
	assert_int_equal(c.count, 4);
	assert_ptr_equal(c.list[1], x);
	assert_non_null(strstr(bad.data, "duplicate experiment 'z'"));
	catalog_free(&c);
	assert_false(catalog_load("/proc/none", &c, NULL, NULL, &e));
	assert_null(catalog_find(&c, "x", &e));
	buf_free(&bad);
	free(folder);
	free(own);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_definition_is_read_completely),
		cmocka_unit_test(a_point_becomes_a_job),
		cmocka_unit_test(a_chase_becomes_a_fill),
		cmocka_unit_test(so_does_one_with_addresses),
		cmocka_unit_test(variants_as_a_map_and_short_contracts),
		cmocka_unit_test(a_contract_for_each_instruction_set),
		cmocka_unit_test(default_sweeps),
		cmocka_unit_test(wrong_fields_are_reported_with_their_line),
		cmocka_unit_test(wrong_files_are_reported),
		cmocka_unit_test(mangled_files_do_not_crash),
		cmocka_unit_test(unsafe_functions_are_missing),
		cmocka_unit_test(safe_functions_work),
		cmocka_unit_test(endless_code_is_stopped),
		cmocka_unit_test(tables_with_holes_are_stopped),
		cmocka_unit_test(binary_chunks_are_rejected),
		cmocka_unit_test(a_call_has_two_million_instructions),
		cmocka_unit_test(calls_are_limited),
		cmocka_unit_test(metrics_from_readings),
		cmocka_unit_test(metric_errors_are_reported),
		cmocka_unit_test(accesses_outside_of_buffers_are_rejected),
		cmocka_unit_test(a_catalog_loads_a_folder),
	};
	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
