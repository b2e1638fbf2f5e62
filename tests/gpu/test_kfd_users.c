/* Processes on a GPU of AMD, from a folder like the kernel driver's: which use this GPU, and which of them are not
 * ours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "gpu/backends/smi/kfd_users.h"
#include "gpu/backends/smi/other_processes.h"
#include "tests/scratch.h"

static char folder[SCRATCH_PATH];
static const struct device_info here = {.pci_bus = 3}, elsewhere = {.pci_domain = 1, .pci_bus = 3};

/* --- a folder like the driver's --- */
static void write_file(const char *path, const char *text)
{
	char command[512];
	snprintf(command, sizeof command, "f=%s/%s; mkdir -p \"${f%%/*}\" && printf '%s\\n' >\"$f\"", folder, path,
		text);
	assert_int_equal(system(command), 0);
}

static void add_queue(unsigned pid, const char *queue, const char *gpu)
{
	char path[64];
	snprintf(path, sizeof path, "proc/%u/queues/%s/gpuid", pid, queue);
	write_file(path, gpu);
}

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(scratch_path(folder, "kfd-users-XXXXXX")))
		return -1;
	write_file("nodes/0/gpu_id", "0");
	write_file("nodes/0/properties", "location_id 768");
	write_file("nodes/1/gpu_id", "29287");
	write_file("nodes/1/properties", "location_id 768\\ndomain 0");
	write_file("nodes/2/gpu_id", "500");
	write_file("nodes/2/properties", "location_id 1536\\ndomain 0");
	write_file("nodes/3/gpu_id", "600"); /* two partitions */
	write_file("nodes/3/properties", "location_id 768\\ndomain 1");
	write_file("nodes/4/gpu_id", "601");
	write_file("nodes/4/properties", "location_id 769\\ndomain 1");
	return 0;
}

static int remove_folder(void **state)
{
	char command[SCRATCH_PATH + 8];
	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command);
}

static int remove_processes(void **state)
{
	char command[SCRATCH_PATH + 16];
	(void)state;
	snprintf(command, sizeof command, "rm -rf %s/proc", folder);
	return system(command);
}

static size_t list_users(const struct device_info *gpu, unsigned *pids, size_t max)
{
	char nodes[SCRATCH_PATH + 8], processes[SCRATCH_PATH + 8];
	snprintf(nodes, sizeof nodes, "%s/nodes", folder);
	snprintf(processes, sizeof processes, "%s/proc", folder);
	kfd_users_find(nodes, gpu);
	return kfd_users_list(processes, pids, max);
}

static unsigned count_others(void)
{
	unsigned pids[8];
	size_t count = list_users(&here, pids, 8);
	return count_other_processes(pids, count);
}

/* --- who uses it --- */
static void users_have_a_queue_on_this_gpu(void **state)
{
	(void)state;
	unsigned pids[4];
	add_queue(40, "0", "500");
	add_queue(41, "0", "500");
	add_queue(41, "1", "29287");
	write_file("proc/42/vram_29287", "4096"); /* without a queue */
	add_queue(43, "0", "99");                 /* a GPU that a container does not show */
	assert_int_equal(list_users(&here, pids, 4), 1);
	assert_int_equal(pids[0], 41);
	assert_int_equal(list_users(&here, pids, 0), 0);
}

static void users_of_a_partition_use_the_gpu(void **state)
{
	(void)state;
	unsigned pids[4];
	add_queue(40, "0", "600");
	add_queue(41, "0", "601");
	add_queue(42, "0", "29287");
	assert_int_equal(list_users(&elsewhere, pids, 4), 2);
	assert_int_equal(pids[0] + pids[1], 40 + 41);
	assert_int_equal(list_users(&elsewhere, pids, 1), 1);
}

static void nothing_is_found_without_files(void **state)
{
	(void)state;
	unsigned pids[4];
	assert_int_equal(list_users(&here, pids, 4), 0); /* no folder */
	write_file("proc/40/pasid", "32769");            /* an old driver */
	write_file("proc/41/queues/0/size", "4096");
	write_file("proc/42/queues/0/gpuid", "text");
	assert_int_equal(list_users(&here, pids, 4), 0);
	add_queue(43, "0", "29287");
	assert_int_equal(list_users(&(struct device_info){.pci_bus = 9}, pids, 4), 0);
}

/* --- which are others --- */
/* A child with a child of its own; *grandchild is its number. */
static pid_t start_family(pid_t *grandchild)
{
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	if (!child) {
		pid_t own = fork();
		if (own && write(ends[1], &own, sizeof own) != sizeof own)
			_exit(1);
		for (;;)
			pause();
	}
	assert_int_equal(read(ends[0], grandchild, sizeof *grandchild), sizeof *grandchild);
	close(ends[0]);
	close(ends[1]);
	return child;
}

static void own_processes_are_no_others(void **state)
{
	(void)state;
	pid_t grandchild, child = start_family(&grandchild);
	add_queue((unsigned)getpid(), "0", "29287");
	assert_int_equal(count_others(), 0);
	add_queue((unsigned)child, "0", "29287");
	add_queue((unsigned)grandchild, "0", "29287");
	assert_int_equal(count_others(), 0);
	kill(grandchild, SIGKILL);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void others_are_counted(void **state)
{
	(void)state;
	add_queue((unsigned)getpid(), "0", "29287");
	add_queue((unsigned)getppid(), "0", "500");
	assert_int_equal(count_others(), 0); /* on another GPU */
	add_queue((unsigned)getppid(), "1", "29287");
	add_queue(1, "0", "29287");
	assert_int_equal(count_others(), getppid() == 1 ? 1 : 2);
}

static void ended_processes_are_no_others(void **state)
{
	(void)state;
	pid_t child = fork();
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	add_queue((unsigned)getpid(), "0", "29287");
	add_queue((unsigned)child, "0", "29287");
	assert_int_equal(count_others(), 0);
}

/* In a container the driver has the numbers of the host, also that of this process. */
static void one_of_foreign_numbers_is_ours(void **state)
{
	(void)state;
	assert_int_equal(count_other_processes((const unsigned[]){0}, 0), 0);
	assert_int_equal(count_other_processes((const unsigned[]){1u << 30}, 1), 0);
	assert_int_equal(count_other_processes((const unsigned[]){1u << 30, (1u << 30) + 1, (1u << 30) + 2}, 3), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(users_have_a_queue_on_this_gpu, remove_processes),
		cmocka_unit_test_teardown(users_of_a_partition_use_the_gpu, remove_processes),
		cmocka_unit_test_teardown(nothing_is_found_without_files, remove_processes),
		cmocka_unit_test_teardown(own_processes_are_no_others, remove_processes),
		cmocka_unit_test_teardown(others_are_counted, remove_processes),
		cmocka_unit_test_teardown(ended_processes_are_no_others, remove_processes),
		cmocka_unit_test(one_of_foreign_numbers_is_ours),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
