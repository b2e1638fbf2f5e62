/* Experiments of captures that anybody may have made: each definition loads, or the capture is refused in one line. */
#include "tests/captures/capture_samples.h"

#include <jansson.h>

#include "base/paths.h"
#include "captures/capture_experiments.h"
#include "captures/capture_file.h"
#include "experiments/definition/definition.h"
#include "experiments/definition/default_values.h"
#include "experiments/definition/experiment.h"

#define HOSTILE "\"]]\n--[[\\\033[2J\177 \xc3\xa9'..os.exit(1)..'"

/* A launch as `capture` describes it. */
static json_t *make_launch(int number, const char *kernel, const char *name)
{
	char file[40];
	snprintf(file, sizeof file, "launches/1-%d.launch", number);
	return json_pack("{s:s, s:s, s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:i, s:[iii], s:[iii], s:i, s:i, s:f, s:i, "
			 "s:i, s:i, s:s}",
		"file", file, "kernel", kernel, "readable_name", name, "number", number, "model", "mi25", "arch",
		"gfx900", "code_object", "1.co", "reason", "", "utc", "", "status", 0, "grid", 64, 1, 1, "workgroup",
		64, 1, 1, "lds_bytes", 0, "cycles", 1000, "duration", 1e-6, "waves", 1, "instructions", 10,
		"memory_bytes", 4096, "source", "sources/a.hip");
}

static json_t *make_capture(void)
{
	return json_pack("{s:i, s:s, s:[s], s:[]}", CAPTURE_FORMAT_MEMBER, 1, "utc", "2026-01-01T00:00:00Z", "command",
		"./app", "launches");
}

/* The experiment number `launch` of a capture with one launch. */
static json_t *make_one(void)
{
	json_t *capture = make_capture();
	json_array_append_new(json_object_get(capture, "launches"), make_launch(0, "_Z3sumPf", "sum(float*)"));
	return capture;
}

static void pack_capture(const json_t *capture)
{
	struct err e;
	const char *folder = at("folder");
	make_folders(folder);
	char *head = json_dumps(capture, 0);
	write_text(at("folder/" CAPTURE_HEAD_NAME), head);
	write_text(at("folder/code/1.co"), "code");
	write_text(at("folder/launches/1-0.launch"), "launch");
	write_text(at("folder/sources/a.hip"), "source");
	assert_true(pack(folder, at("app.wbc"), &e));
	temporary_folder_remove(at("folder"));
	free(head);
}

/* Takes the capture. False with a one-line error. */
static bool open_capture(json_t *capture, struct opened_capture *out, struct err *e)
{
	*e = (struct err){0};
	pack_capture(capture);
	json_decref(capture);
	bool ok = capture_open(at("app.wbc"), out, e);
	if (!ok)
		assert_one_line(e);
	return ok;
}

/* Loads the definitions of all kernels; returns their number. */
static int load_all(const struct opened_capture *c)
{
	int count;
	struct captured_kernel *list = capture_list_kernels(c->capture, &count);
	for (int i = 0; i < count; i++) {
		struct err e = {0};
		char *path = xasprintf("%s/%s.lua", c->folder, list[i].id);
		struct experiment *x = experiment_load(path, &e);
		assert_string_equal(e.text, "");
		assert_non_null(x);
		experiment_free(x);
		free(path);
		for (int k = 0; k < i; k++)
			assert_string_not_equal(list[i].id, list[k].id);
	}
	free(list);
	return count;
}

/* --- tests --- */
static void test_hostile_texts(void **state)
{
	struct opened_capture c;
	struct err e;
	(void)state;
	json_t *capture = make_capture(), *launches = json_object_get(capture, "launches");
	json_array_append_new(launches, make_launch(0, "a", HOSTILE));
	json_array_append_new(launches, make_launch(1, "b", "x::y<'\"'>(int)"));
	json_array_append_new(launches, make_launch(2, "c", "(*)"));
	json_array_append_new(launches, make_launch(3, "d", "../../x"));
	json_array_append_new(json_object_get(capture, "command"), json_string(HOSTILE));
	if (!open_capture(capture, &c, &e))
		fail_msg("%s", e.text);
	assert_int_equal(load_all(&c), 4);
	capture_close(&c);
}

/* Names that are equal, or equal as far as an id goes; ids that others have after "-2" is added. */
static void test_unique_ids(void **state)
{
	static const char long_name[] = "a_name_of_more_than_fifty_characters_which_is_cut_for_the_id";
	struct opened_capture c;
	struct err e;
	(void)state;
	json_t *capture = make_capture(), *launches = json_object_get(capture, "launches");
	for (int i = 0; i < 30; i++) {
		char symbol[40], name[120];
		snprintf(symbol, sizeof symbol, "symbol%d", i);
		snprintf(name, sizeof name, "%s%s(int)", i % 3 ? long_name : "sum", i % 3 == 1 ? "_b" : "");
		json_array_append_new(launches, make_launch(i, symbol, name));
	}
	assert_true(open_capture(capture, &c, &e));
	assert_int_equal(load_all(&c), 30);
	capture_close(&c);
}

/* The experiment of the kernel at this choice of its launches runs this file. */
static void assert_runs(const struct opened_capture *c, const char *id, const char *choice, const char *file)
{
	struct err e = {0};
	char *path = xasprintf("%s/%s.lua", c->folder, id);
	struct experiment *x = experiment_load(path, &e);
	double values[PARAMS_MAX];
	struct evaluation got = {0};
	assert_non_null(x);
	experiment_default_values(x, true, "gfx900", values);
	int param = experiment_find_param(x, "launch");
	assert_int_equal(param >= 0, *choice != 0);
	if (param >= 0)
		assert_true(param_parse(&x->params[param], choice, &values[param], &e));
	assert_true(definition_evaluate(x, values, &got, &e));
	assert_string_equal(got.captured, file);
	experiment_free(x);
	free(path);
}

/* Each choice that a launch of the only kernel has runs that launch. Returns their number. */
static int check_choices(const struct opened_capture *c)
{
	const json_t *launches = json_object_get(c->capture, "launches");
	char choice[CAPTURE_CHOICE_NAME];
	int count, found = 0;
	struct captured_kernel *k = capture_list_kernels(c->capture, &count);
	assert_int_equal(count, 1);
	for (size_t i = 0; i < json_array_size(launches); i++) {
		const json_t *launch = json_array_get(launches, i);
		if (!capture_find_choice(c->capture, k, launch, choice))
			continue;
		found++;
		assert_runs(c, k->id, choice, json_string_value(json_object_get(launch, "file")));
	}
	free(k);
	return found;
}

/* Two processes, and more launches than a parameter has choices; the default is the slowest. */
static void test_equal_numbers(void **state)
{
	struct opened_capture c;
	struct err e;
	(void)state;
	json_t *capture = make_capture(), *launches = json_object_get(capture, "launches");
	for (int i = 0; i < 100; i++) {
		json_t *launch = make_launch(i, "_Z3sumPf", "sum(float*)");
		json_object_set_new(launch, "number", json_integer(i % 50));
		json_object_set_new(launch, "duration", json_real(1e-6 * (i + 1)));
		json_array_append_new(launches, launch);
	}
	assert_true(open_capture(capture, &c, &e));
	assert_int_equal(load_all(&c), 1);
	assert_int_equal(check_choices(&c), CAPTURE_CHOICES_MAX);
	capture_close(&c);
}

static void test_one_launch(void **state)
{
	struct opened_capture c;
	struct err e;
	(void)state;
	assert_true(open_capture(make_one(), &c, &e));
	assert_int_equal(check_choices(&c), 1);
	capture_close(&c);
}

/* As many launches of different kernels as a head has room for. */
static void test_many_kernels(void **state)
{
	struct opened_capture c;
	struct err e;
	(void)state;
	json_t *capture = make_capture(), *launches = json_object_get(capture, "launches");
	for (int i = 0; i < CAPTURE_FILES_MAX; i++) {
		char symbol[24];
		snprintf(symbol, sizeof symbol, "s%d", i);
		json_array_append_new(launches, make_launch(i, symbol, "sum(float*)"));
	}
	assert_true(open_capture(capture, &c, &e));
	capture_close(&c);
}

/* A member that is wrong: each is refused, and nothing is unpacked. */
static void test_wrong_members(void **state)
{
	static const struct {
		const char *member, *value; /* JSON; NULL: missing */
	} wrong[] = {
		{"file", "\"launches/../../x.launch\""},
		{"file", "\"/etc/passwd\""},
		{"file", "\"code/1.co\""},
		{"file", "17"},
		{"file", NULL},
		{"code_object", "\"../1.co\""},
		{"code_object", "\"/1.co\""},
		{"code_object", "null"},
		{"source", "\"../../.ssh/id_rsa\""},
		{"source", "\"sources/../x\""},
		{"source", "[]"},
		{"kernel", "\"\""},
		{"kernel", "{}"},
		{"kernel", "\"a b\""},
		{"kernel", "\"]]\\n\""},
		{"readable_name", NULL},
		{"model", "\"mi25\\\" or\""},
		{"model", "\"\""},
		{"number", "-1"},
		{"number", "1.5"},
		{"number", "\"1\""},
		{"duration", "-1"},
		{"duration", "1e300"},
		{"duration", "\"now\""},
		{"grid", "[64, 1]"},
		{"grid", "[4294967296, 1, 1]"},
		{"grid", "64"},
		{"workgroup", "[-1, 1, 1]"},
		{"cycles", "true"},
		{"instructions", "null"},
		{"memory_bytes", "-4"},
		{"reason", "{}"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct opened_capture c;
		struct err e;
		json_t *capture = make_one(), *launch = json_array_get(json_object_get(capture, "launches"), 0);
		if (wrong[i].value)
			json_object_set_new(launch, wrong[i].member, json_loads(wrong[i].value, JSON_DECODE_ANY, NULL));
		else
			json_object_del(launch, wrong[i].member);
		assert_false(open_capture(capture, &c, &e));
		assert_non_null(strstr(e.text, wrong[i].member));
	}
}

static void test_wrong_heads(void **state)
{
	static const char *const wrong[][2] = {{"launches", "{}"}, {"launches", "[3]"}, {"launches", NULL},
		{"command", "\"./app\""}, {"command", "[3]"}, {"utc", "3"}};
	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct opened_capture c;
		struct err e;
		json_t *capture = make_one();
		if (wrong[i][1])
			json_object_set_new(capture, wrong[i][0], json_loads(wrong[i][1], JSON_DECODE_ANY, NULL));
		else
			json_object_del(capture, wrong[i][0]);
		assert_false(open_capture(capture, &c, &e));
		assert_non_null(strstr(e.text, wrong[i][0]));
	}
}

/* The folder of all captures in the cache has nothing of those that were refused. */
static void test_refused_are_not_unpacked(void **state)
{
	struct opened_capture c;
	struct err e;
	(void)state;
	char *all = path_user_cache("captures");
	temporary_folder_remove(all);
	json_t *capture = make_one();
	json_object_set_new(json_array_get(json_object_get(capture, "launches"), 0), "file", json_string("../x"));
	assert_false(open_capture(capture, &c, &e));
	assert_int_equal(access(all, F_OK), -1);
	assert_true(open_capture(make_one(), &c, &e));
	assert_int_equal(count_names(all), 1);
	capture_close(&c);
	free(all);
}

static int set_up_cache(void **state)
{
	return set_up(state) || setenv("XDG_CACHE_HOME", at("cache"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_hostile_texts, set_up_cache, tear_down),
		cmocka_unit_test_setup_teardown(test_unique_ids, set_up_cache, tear_down),
		cmocka_unit_test_setup_teardown(test_equal_numbers, set_up_cache, tear_down),
		cmocka_unit_test_setup_teardown(test_one_launch, set_up_cache, tear_down),
		cmocka_unit_test_setup_teardown(test_many_kernels, set_up_cache, tear_down),
		cmocka_unit_test_setup_teardown(test_wrong_members, set_up_cache, tear_down),
		cmocka_unit_test_setup_teardown(test_wrong_heads, set_up_cache, tear_down),
		cmocka_unit_test_setup_teardown(test_refused_are_not_unpacked, set_up_cache, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
