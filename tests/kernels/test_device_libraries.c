/* Device libraries that are older than the target: complete ones are used as they are, others get the target's number.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/host/child_program.h"
#include "base/host/temporary_folder.h"
#include "kernels/compile/device_libraries.h"

static char *folder; /* for libraries and links to them */

static void make_file(const char *name)
{
	char *path = xasprintf("%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(name, f);
	fclose(f);
	free(path);
}

static int open_folder(void **state)
{
	(void)state;
	folder = temporary_folder_create(NULL);
	make_file("ocml.bc");
	make_file("oclc_isa_version_900.bc");
	return !folder;
}

static int close_folder(void **state)
{
	(void)state;
	temporary_folder_remove(folder);
	free(folder);
	return 0;
}

static struct toolchain with_libraries(char *bitcode)
{
	struct toolchain t = *toolchain_find();
	t.bitcode = bitcode;
	return t;
}

static void complete_libraries_stay(void **state)
{
	(void)state;
	struct toolchain t = with_libraries(folder);
	char *temporary = temporary_folder_create(NULL), *chosen = device_libraries_folder(&t, "gfx900", temporary);
	assert_string_equal(chosen, folder);
	free(chosen);
	chosen = device_libraries_folder(&t, "gfx1030", temporary); /* clang says what is missing */
	assert_string_equal(chosen, folder);
	free(chosen);
	temporary_folder_remove(temporary);
	free(temporary);
}

static bool has_text(char *const *argv, const char *text)
{
	struct buf log = {0};
	bool found = child_succeeds(argv, &log) && strstr(log.data, text);
	buf_free(&log);
	return found;
}

static void a_newer_target_gets_its_number(void **state)
{
	(void)state;
	struct toolchain t = with_libraries(folder);
	char *temporary = temporary_folder_create(NULL),
	     *chosen = device_libraries_folder(&t, "gfx1100:xnack-", temporary);
	assert_string_not_equal(chosen, folder);
	char *number = xasprintf("%s/oclc_isa_version_1100.bc", chosen), *ocml = xasprintf("%s/ocml.bc", chosen);
	char *read[] = {"cat", ocml, NULL},
	     *print[] = {t.clang, "-x", "ir", "-target", "amdgcn-amd-amdhsa", "-nogpulib", "-S", "-emit-llvm", "-o",
		     "-", number, NULL};
	assert_true(has_text(read, "ocml.bc"));
	assert_true(has_text(print, "@__oclc_ISA_version"));
	assert_true(has_text(print, "i32 11000"));
	temporary_folder_remove(temporary);
	assert_int_equal(access(folder, R_OK), 0); /* the links are removed, not what they point to */
	char *original = xasprintf("%s/ocml.bc", folder);
	assert_int_equal(access(original, R_OK), 0);
	free(original);
	free(number);
	free(ocml);
	free(chosen);
	free(temporary);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(complete_libraries_stay),
		cmocka_unit_test(a_newer_target_gets_its_number),
	};
	return cmocka_run_group_tests(tests, open_folder, close_folder);
}
