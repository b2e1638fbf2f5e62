/* Temporary folders go away with all that is in them, however deep. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/host/temporary_folder.h"

enum { DEPTH = 700 /* too long for one path, too deep for the descriptors below */, BRANCHES = 3, FILES_MAX = 40 };

static void make_file(int folder, const char *name)
{
	int fd = openat(folder, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	close(fd);
}

/* Folders in folders, with a file in each. */
static void make_branch(const char *path, const char *name)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (int i = 0; i < DEPTH; i++) {
		assert_int_equal(mkdirat(folder, name, 0700), 0);
		int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		assert_true(inner >= 0);
		make_file(inner, "a-file");
		close(folder);
		folder = inner;
	}
	close(folder);
}

static void a_deep_folder_is_removed(void **state)
{
	(void)state;
	struct rlimit files, few;
	struct err e;
	char *folder = temporary_folder_create(&e), name[40];
	assert_non_null(folder);
	for (int i = 0; i < BRANCHES; i++) {
		snprintf(name, sizeof name, "deep-%08x", i); /* also names that the removal uses */
		make_branch(folder, name);
	}
	int top = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	make_file(top, "deep-00000003");
	close(top);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
	few = files;
	few.rlim_cur = FILES_MAX;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	temporary_folder_remove(folder);
	setrlimit(RLIMIT_NOFILE, &files);
	assert_int_equal(access(folder, F_OK), -1);
	free(folder);
}

/* As another user's folder would be; root may remove anything. */
static void what_cannot_be_removed_stays(void **state)
{
	(void)state;
	struct err e;
	char *folder = temporary_folder_create(&e), path[300];
	assert_non_null(folder);
	make_branch(folder, "inner");
	snprintf(path, sizeof path, "%s/inner/inner", folder);
	assert_int_equal(chmod(path, 0500), 0);
	temporary_folder_remove(folder); /* it ends */
	chmod(path, 0700);
	temporary_folder_remove(folder);
	assert_int_equal(access(folder, F_OK), -1);
	free(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_deep_folder_is_removed),
		cmocka_unit_test(what_cannot_be_removed_stays),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
