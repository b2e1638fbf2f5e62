/* --via and the file of hosts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/host/temporary_folder.h"
#include "gpu/remote/worker_places.h"
#include "tests/scratch.h"

static char folder[SCRATCH_PATH];
static struct worker_places places;
static struct err e;

static void write_hosts(const char *text)
{
	char path[400];
	snprintf(path, sizeof path, "%s/wavedeck", folder);
	mkdir(path, 0755);
	snprintf(path, sizeof path, "%s/wavedeck/hosts", folder);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static bool parse(const char *one, const char *two)
{
	const char *texts[] = {one, two};
	worker_places_free(&places);
	e = (struct err){.text = ""};
	return worker_places_parse(texts, two ? 2 : 1, "soft:mi25", &places, &e);
}

static void refused(const char *text, const char *why)
{
	assert_false(parse(text, NULL));
	assert_int_equal(e.status, ST_REQUEST);
	if (!strstr(e.text, why))
		print_error("'%s' lacks '%s'\n", e.text, why);
	assert_non_null(strstr(e.text, why));
}

static void a_command_is_one_worker_or_several(void **state)
{
	(void)state;
	assert_true(parse("ssh node7", " srun -p gpu -N1 -n1 *3 "));
	assert_int_equal(places.count, 4);
	assert_string_equal(places.list[0].via, "ssh node7");
	assert_string_equal(places.list[0].device, "soft:mi25");
	for (int i = 1; i < 4; i++)
		assert_string_equal(places.list[i].via, "srun -p gpu -N1 -n1");
}

static void an_asterisk_inside_is_part_of_the_command(void **state)
{
	(void)state;
	assert_true(parse("docker run -i me/wavedeck:0.1 x*y", NULL));
	assert_int_equal(places.count, 1);
	assert_string_equal(places.list[0].via, "docker run -i me/wavedeck:0.1 x*y");
}

static void local_is_this_machine(void **state)
{
	(void)state;
	assert_true(parse("local*2", "ssh node7"));
	assert_int_equal(places.count, 3);
	assert_null(places.list[0].via);
	assert_null(places.list[1].via);
	assert_string_equal(places.list[2].via, "ssh node7");
}

static void hosts_have_names(void **state)
{
	(void)state;
	write_hosts("# the lab\nnode7 = ssh -p 2222 node7\nbig = ssh big*4\n");
	assert_true(parse("node7*2", "big"));
	assert_int_equal(places.count, 6);
	assert_string_equal(places.list[1].via, "ssh -p 2222 node7");
	assert_string_equal(places.list[5].via, "ssh big");
	assert_true(parse("big*2", NULL)); /* the number of the command line counts */
	assert_int_equal(places.count, 2);
	assert_string_equal(places.list[0].via, "ssh big");
	char **names;
	assert_int_equal(worker_hosts_list(&names), 2);
	assert_string_equal(names[1], "big");
	for (int i = 0; i < 2; i++)
		free(names[i]);
	free(names);
}

static void an_unknown_name_is_an_error_with_a_remedy(void **state)
{
	(void)state;
	write_hosts("node7 = ssh node7\n");
	refused("nodee7", "unknown host 'nodee7'; did you mean 'node7'?");
	refused("locl", "did you mean 'local'?");
	refused("quite-another", "write a command, --via 'ssh quite-another', or name it in ");
}

static void a_mistake_in_the_file_names_its_line(void **state)
{
	(void)state;
	write_hosts("node7 = ssh node7\nnode8\n");
	refused("node8", "/wavedeck/hosts:2: write NAME = COMMAND, for example node7 = ssh node7");
	assert_true(parse("node7", NULL)); /* the other lines count */
	write_hosts("a b = ssh x\n");
	refused("a", "hosts:1: 'a b' cannot be the name of a host");
	write_hosts("local = ssh x\nnode7 = ssh node7\nnode7 = ssh other\n");
	refused("none", "hosts:1: 'local' is this machine; choose another name");
	write_hosts("x = ssh x*99\n");
	refused("x", "must be 1 to 64");
}

static void numbers_are_checked(void **state)
{
	(void)state;
	refused("ssh node7*0", "'ssh node7*0': the number of workers after * must be 1 to 64");
	refused("ssh node7*65", "must be 1 to 64");
	refused("*4", "has no command");
	refused("  ", "has no command");
	assert_false(parse("ssh node7*64", "ssh node8"));
	assert_non_null(strstr(e.text, "more than 64 workers"));
}

static void a_device_name_must_survive_a_shell(void **state)
{
	(void)state;
	const char *via[] = {"ssh node7", "local"};
	worker_places_free(&places);
	assert_false(worker_places_parse(via, 1, "replay:/tmp/a b.wbs", &places, &e));
	assert_non_null(strstr(e.text, "a shell on another machine would change"));
	worker_places_free(&places);
	assert_false(worker_places_parse(via, 1, "soft:$(id)", &places, &e));
	worker_places_free(&places);
	assert_true(worker_places_parse(via + 1, 1, "replay:/tmp/a b.wbs", &places, &e));
	worker_places_free(&places);
	assert_true(worker_places_parse(via, 2, "soft:mi25,l1_bytes=65536", &places, &e));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_is_one_worker_or_several),
		cmocka_unit_test(an_asterisk_inside_is_part_of_the_command),
		cmocka_unit_test(local_is_this_machine),
		cmocka_unit_test(hosts_have_names),
		cmocka_unit_test(an_unknown_name_is_an_error_with_a_remedy),
		cmocka_unit_test(a_mistake_in_the_file_names_its_line),
		cmocka_unit_test(numbers_are_checked),
		cmocka_unit_test(a_device_name_must_survive_a_shell),
	};
	if (!mkdtemp(scratch_path(folder, "XXXXXX")))
		return 1;
	setenv("XDG_CONFIG_HOME", folder, 1);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	worker_places_free(&places);
	temporary_folder_remove(folder);
	return failed;
}
