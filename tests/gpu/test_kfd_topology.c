/* GPUs of the kernel driver's topology: their order and their targets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "gpu/backends/kfd_topology.h"
#include "tests/scratch.h"

static char folder[SCRATCH_PATH];

static void write_file(const char *node, const char *name, const char *text)
{
	char path[SCRATCH_PATH + 64];
	snprintf(path, sizeof path, "%s/%s", folder, node);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/%s/%s", folder, node, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int make_topology(void **state)
{
	(void)state;
	if (!mkdtemp(scratch_path(folder, "kfd-XXXXXX")))
		return -1;
	write_file("0", "gpu_id", "0\n");
	write_file("10", "gpu_id", "51966\n");
	write_file("10", "properties", "cpu_cores_count 0\nsimd_count 192\ngfx_target_version 110000\n");
	write_file("2", "gpu_id", "47806\n");
	write_file("2", "properties", "gfx_target_version 90010\nsimd_count 256\n");
	write_file("3", "gpu_id", "1\n");
	return 0;
}

static int remove_topology(void **state)
{
	char command[SCRATCH_PATH + 8];
	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command);
}

static void gpus_are_in_the_order_of_their_nodes(void **state)
{
	(void)state;
	struct kfd_gpu list[4];
	assert_int_equal(kfd_list_gpus(folder, list, 4), 3);
	assert_int_equal(list[0].node, 2);
	assert_string_equal(list[0].arch, "gfx90a");
	assert_string_equal(list[1].arch, "");
	assert_int_equal(list[2].node, 10);
	assert_string_equal(list[2].arch, "gfx1100");
	assert_int_equal(kfd_list_gpus("/nonexistent", list, 4), 0);
}

static void versions_have_names(void **state)
{
	(void)state;
	static const struct {
		unsigned version;
		const char *name;
	} rows[] = {{90000, "gfx900"}, {90006, "gfx906"}, {90402, "gfx942"}, {100300, "gfx1030"}, {110003, "gfx1103"},
		{0, ""}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char name[DEVICE_ARCH];
		kfd_format_arch(rows[i].version, name);
		assert_string_equal(name, rows[i].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gpus_are_in_the_order_of_their_nodes),
		cmocka_unit_test(versions_have_names),
	};
	return cmocka_run_group_tests(tests, make_topology, remove_topology);
}
