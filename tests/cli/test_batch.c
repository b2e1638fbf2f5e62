/* Batches on a cluster: chunks, the folder and its starts, the comparison of nodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/batch/batch_folder.h"
#include "cli/batch/fleet_table.h"
#include "cli/batch/slurm_client.h"
#include "tests/scratch.h"

static json_t *describe(int points, int chunk)
{
	json_t *values = json_array();
	for (int i = 0; i < points; i++)
		json_array_append_new(values, json_integer(i));
	return json_pack("{s:s, s:i, s:s, s:{s:{s:s, s:o}}, s:i, s:i, s:[]}", "type", "batch", "schema", 1,
		"experiment", "e", "plan", "sweep", "param", "p", "values", values, "points", points, "chunk", chunk,
		"sbatch");
}

/* --- chunks --- */

static void chunks_cover_each_point_once(void **state)
{
	(void)state;
	for (int points = 1; points < 40; points++)
		for (int chunk = 1; chunk <= points; chunk++) {
			struct batch b = {.description = describe(points, chunk)};
			int next = 0;
			for (int i = 0; i < batch_task_count(&b); i++) {
				struct point_range r = batch_task_range(&b, i);
				assert_int_equal(r.first, next);
				assert_true(r.count >= 1 && r.count <= chunk);
				next += r.count;
			}
			assert_int_equal(next, points);
			batch_free(&b);
		}
}

static void each_node_of_a_fleet_measures_all_points(void **state)
{
	(void)state;
	struct batch b = {.description = describe(7, 2)};
	assert_false(batch_is_fleet(&b));
	json_object_set_new(b.description, "nodes", json_pack("[s, s]", "n1", "n2"));
	assert_true(batch_is_fleet(&b));
	assert_int_equal(batch_task_count(&b), 2);
	assert_int_equal(batch_task_range(&b, 1).first, 0);
	assert_int_equal(batch_task_range(&b, 1).count, 7);
	assert_string_equal(batch_task_member(&b, 1), "n2");
	batch_free(&b);
}

static void the_latest_job_of_a_task_counts(void **state)
{
	(void)state;
	struct batch b = {.description = describe(6, 2)};
	assert_string_equal(batch_task_job(&b, 0), "");
	batch_add_job(&b, "12", (bool[]){true, true, true});
	batch_add_job(&b, "15", (bool[]){false, true, false});
	assert_string_equal(batch_task_job(&b, 0), "12");
	assert_string_equal(batch_task_job(&b, 1), "15");
	assert_string_equal(batch_task_job(&b, 2), "12");
	batch_free(&b);
}

/* --- the folder --- */

static void remove_start(const struct batch *b, int task, int start)
{
	char *path = batch_session_path(b, task, start);
	assert_int_equal(unlink(path), 0);
	free(path);
}

static void every_start_has_a_file_of_its_own(void **state)
{
	(void)state;
	char path[SCRATCH_PATH];
	struct batch b = {0}, read;
	struct err e = {0};
	assert_true(batch_folder_create(scratch_path(path, "batch"), &b.folder, &e));
	b.description = describe(6, 2);
	assert_true(batch_write(&b, &e));
	assert_true(batch_read(&read, path, &e));
	assert_true(json_equal(read.description, b.description));
	assert_int_equal(batch_count_starts(&b, 1), 0);
	assert_int_equal(batch_claim_start(&b, 1, &e), 0);
	assert_int_equal(batch_claim_start(&read, 1, &e), 1); /* another process */
	assert_int_equal(batch_claim_start(&b, 2, &e), 0);
	assert_int_equal(batch_count_starts(&b, 1), 2);
	remove_start(&b, 1, 0);
	assert_int_equal(batch_count_starts(&b, 1), 2); /* the second one still counts */
	assert_int_equal(batch_claim_start(&b, 1, &e), 2);
	remove_start(&b, 1, 2);
	char *again = NULL;
	assert_false(batch_folder_create(path, &again, &e));
	assert_non_null(strstr(e.text, "it is not empty"));
	assert_null(again);
	remove_start(&b, 1, 1);
	remove_start(&b, 2, 0);
	char *description = batch_file_path(&b, "batch.json");
	assert_int_equal(unlink(description), 0);
	free(description);
	assert_int_equal(rmdir(path), 0);
	batch_free(&b);
	batch_free(&read);
}

/* Descriptions by other people: names that lead out of the folder, points that the plan does not have, no file. */
static void a_description_stays_in_its_folder_and_its_plan(void **state)
{
	(void)state;
	char path[SCRATCH_PATH];
	struct batch b = {.folder = scratch_path(path, "foreign")}, read;
	struct err e = {0};
	static const char *const members[][2] = {{"experiment", "\"../outside\""}, {"experiment", "\"a\\u001bb\""},
		{"experiment", "\"\""}, {"experiment", "\"..\""}, {"definition", "\"../x.lua\""}, {"points", "7"},
		{"points", "50000000"}, {"points", "2147483647"},
		{"plan", "{\"sweep\":[{\"values\":[1,2,3]},{\"values\":[1]}]}"}, {"plan", "5"}};
	assert_int_equal(mkdir(path, 0777), 0);
	char *file = batch_file_path(&b, "batch.json");
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		b.description = describe(6, 1);
		json_object_set_new(b.description, members[i][0], json_loads(members[i][1], JSON_DECODE_ANY, NULL));
		assert_true(batch_write(&b, &e));
		json_decref(b.description);
		if (batch_read(&read, path, &e))
			fail_msg("%s: %s is accepted", members[i][0], members[i][1]);
		assert_non_null(strstr(e.text, "does not describe a batch"));
	}
	assert_int_equal(unlink(file), 0);
	assert_int_equal(mkfifo(file, 0600), 0);
	assert_false(batch_read(&read, path, &e));
	assert_int_equal(unlink(file), 0);
	assert_int_equal(rmdir(path), 0);
	free(file);
}

static void other_folders_and_newer_ones_are_refused(void **state)
{
	(void)state;
	char path[SCRATCH_PATH];
	struct batch b = {0}, read;
	struct err e = {0};
	assert_true(batch_folder_create(scratch_path(path, "other"), &b.folder, &e));
	assert_false(batch_read(&read, path, &e));
	assert_non_null(strstr(e.text, "name a folder that `wavedeck batch`"));
	b.description = describe(6, 0); /* no chunk: no task */
	assert_true(batch_write(&b, &e));
	assert_false(batch_read(&read, path, &e));
	assert_non_null(strstr(e.text, "does not describe a batch"));
	json_object_set_new(b.description, "schema", json_integer(BATCH_SCHEMA + 1));
	assert_true(batch_write(&b, &e));
	assert_false(batch_read(&read, path, &e));
	assert_non_null(strstr(e.text, "newer wavedeck"));
	char *description = batch_file_path(&b, "batch.json");
	unlink(description);
	free(description);
	rmdir(path);
	batch_free(&b);
}

static void a_percent_sign_in_the_folder_is_no_pattern_of_sbatch(void **state)
{
	(void)state;
	struct batch b = {.folder = "/data/50%a"};
	char *pattern = batch_log_pattern(&b), *log = batch_log_path(&b, 7);
	assert_string_equal(pattern, "/data/50%%a/task-%4a.log");
	assert_string_equal(log, "/data/50%a/task-0007.log");
	free(pattern);
	free(log);
}

/* --- fleets --- */

enum { FLEET_POINTS = 3, FLEET_MOST = 8 };

/* Values of node k: base of the point times factor[k]; 0: the node has no point. */
static void make_joins(struct session_join *joins, const double *factors, int count)
{
	for (int k = 0; k < count; k++) {
		session_join_init(&joins[k], FLEET_POINTS, NULL);
		if (factors[k] == 0)
			continue;
		joins[k].header =
			json_pack("{s:{s:s, s:{s:i}}, s:{s:[{s:s}]}}", "device", "device", "hip:0", "properties",
				"compute_units", factors[k] < 0.5 ? 32 : 64, "columns", "metrics", "id", "latency");
		for (int i = 0; i < FLEET_POINTS; i++) {
			json_t *point = json_pack(
				"{s:s, s:{s:f}}", "status", "ok", "metrics", "latency", 100.0 * (i + 1) * factors[k]);
			point_list_set_record(&joins[k].points, (size_t)i, point);
			json_decref(point);
			joins[k].from[i] = xstrdup("f");
		}
	}
}

static void make_table(struct fleet_table *t, struct session_join *joins, const double *factors, int count)
{
	static const char *const nodes[FLEET_MOST] = {"n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7"};
	struct err e = {0};
	make_joins(joins, factors, count);
	assert_true(fleet_table_make(t, joins, nodes, count, NULL, &e));
	assert_string_equal(t->metric, "latency");
}

static void free_table(struct fleet_table *t, struct session_join *joins, int count)
{
	fleet_table_free(t);
	for (int k = 0; k < count; k++)
		session_join_free(&joins[k]);
}

static void the_node_that_is_slow_is_first(void **state)
{
	(void)state;
	struct session_join joins[FLEET_MOST];
	struct fleet_table t;
	make_table(&t, joins, (double[]){1, 1, 0.4, 1, 0}, 5);
	assert_string_equal(t.rows[0].node, "n2");
	assert_true(fabs(t.rows[0].median - 0.4) < 1e-12);
	assert_int_equal(t.rows[0].points, FLEET_POINTS);
	assert_true(t.rows[0].outlier);
	assert_non_null(strstr(t.rows[0].differs, "compute_units 32 instead of 64"));
	for (int i = 1; i < 4; i++) {
		assert_true(t.rows[i].median == 1 && !t.rows[i].outlier);
		assert_null(t.rows[i].differs);
	}
	assert_string_equal(t.rows[4].node, "n4"); /* nothing measured */
	assert_int_equal(t.rows[4].points, 0);
	assert_true(fabs(t.spread - 0.6) < 1e-12);
	free_table(&t, joins, 5);
}

static void noise_is_not_an_outlier(void **state)
{
	(void)state;
	struct session_join joins[FLEET_MOST];
	struct fleet_table t;
	make_table(&t, joins, (double[]){1, 1, 1.009, 1}, 4); /* below 1 % */
	assert_false(t.rows[0].outlier);
	free_table(&t, joins, 4);
	make_table(&t, joins, (double[]){0.96, 0.98, 1, 1.02, 1.05}, 5); /* MAD 2 %: the limit is 8.9 % */
	for (int i = 0; i < t.count; i++)
		assert_false(t.rows[i].outlier);
	free_table(&t, joins, 5);
	make_table(&t, joins, (double[]){0.96, 0.98, 1, 1.02, 1.2}, 5);
	assert_true(t.rows[0].outlier && !t.rows[1].outlier);
	free_table(&t, joins, 5);
}

static void a_fleet_without_values_is_an_error(void **state)
{
	(void)state;
	struct session_join joins[2];
	struct fleet_table t;
	struct err e = {0};
	make_joins(joins, (double[]){1, 1}, 2);
	assert_false(fleet_table_make(&t, joins, (const char *const[]){"a", "b"}, 2, "nosuch", &e));
	assert_non_null(strstr(e.text, "no point has a value of 'nosuch'"));
	free_table(&t, joins, 2);
}

static void states_of_slurm_have_words(void **state)
{
	(void)state;
	assert_string_equal(slurm_state_words("NODE_FAIL"), "node failed");
	assert_string_equal(slurm_state_words("CANCELLED by 1000"), "cancelled");
	assert_string_equal(slurm_state_words("NEW_STATE"), "NEW_STATE");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chunks_cover_each_point_once),
		cmocka_unit_test(each_node_of_a_fleet_measures_all_points),
		cmocka_unit_test(the_latest_job_of_a_task_counts),
		cmocka_unit_test(every_start_has_a_file_of_its_own),
		cmocka_unit_test(a_description_stays_in_its_folder_and_its_plan),
		cmocka_unit_test(other_folders_and_newer_ones_are_refused),
		cmocka_unit_test(a_percent_sign_in_the_folder_is_no_pattern_of_sbatch),
		cmocka_unit_test(the_node_that_is_slow_is_first),
		cmocka_unit_test(noise_is_not_an_outlier),
		cmocka_unit_test(a_fleet_without_values_is_an_error),
		cmocka_unit_test(states_of_slurm_have_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
