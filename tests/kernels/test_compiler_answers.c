/* Answers of compilers in the user's cache: kept while the file is the same; never those of scripts, nor failures.
 * Copies of small programs stand for compilers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/compile/compiler_answers.h"
#include "tests/scratch.h"

static char folder[SCRATCH_PATH], compiler[SCRATCH_PATH + 16];

static void shell(const char *format, const char *a, const char *b)
{
	char command[512];
	snprintf(command, sizeof command, format, a, b);
	assert_int_equal(system(command), 0);
}

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(scratch_path(folder, "answers-XXXXXX")))
		return 1;
	snprintf(compiler, sizeof compiler, "%s/compiler", folder);
	return setenv("XDG_CACHE_HOME", folder, 1);
}

static int drop_folder(void **state)
{
	(void)state;
	shell("rm -rf '%s'%s", folder, "");
	return 0;
}

static int count_kept(void)
{
	char command[256];
	int n = -1;
	snprintf(command, sizeof command, "find '%s' -path '*/compilers/*' -type f | wc -l", folder);
	FILE *f = popen(command, "r");
	assert_int_equal(fscanf(f, "%d", &n), 1);
	pclose(f);
	return n;
}

static void answers(const char *expected)
{
	struct buf b = {0};
	assert_true(compiler_ask((char *[]){compiler, "one", NULL}, NULL, &b));
	assert_string_equal(b.data, expected);
	buf_free(&b);
}

static void an_answer_is_kept_until_the_file_changes(void **state)
{
	(void)state;
	shell("cp /bin/echo '%s'%s", compiler, "");
	answers("one\n");
	assert_int_equal(count_kept(), 1);
	shell("for f in '%s'%s/compilers/*; do printf 'ok\\nkept\\n' >$f; done", folder, "/wavedeck");
	answers("kept\n"); /* from the cache */
	shell("for f in '%s'%s/compilers/*; do : >$f; done", folder, "/wavedeck");
	answers("one\n"); /* an empty file does not count */
	shell("for f in '%s'%s/compilers/*; do printf 'ok\\nkept\\n' >$f; done", folder, "/wavedeck");
	shell("touch -d '1 hour ago' '%s'%s", compiler, "");
	answers("one\n"); /* another file */
	assert_int_equal(count_kept(), 2);
}

static void scripts_and_failures_are_not_kept(void **state)
{
	(void)state;
	int before = count_kept();
	shell("rm '%s' && printf '#!/bin/sh\\necho $1\\n' >'%s'", compiler, compiler);
	shell("chmod +x '%s'%s", compiler, "");
	answers("one\n");
	shell("rm '%s' && cp /bin/false '%s'", compiler, compiler);
	assert_false(compiler_ask((char *[]){compiler, "one", NULL}, NULL, NULL));
	assert_int_equal(count_kept(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_is_kept_until_the_file_changes),
		cmocka_unit_test(scripts_and_failures_are_not_kept),
	};

	return cmocka_run_group_tests_name("compiler answers", tests, make_folder, drop_folder);
}
