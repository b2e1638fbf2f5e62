/* The user's folders: from XDG variables, from HOME, from the user database; never in a folder that others share. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/paths.h"

static int forget_folders(void **state)
{
	(void)state;
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_DATA_HOME");
	unsetenv("XDG_CACHE_HOME");
	return 0;
}

static void expect_config(const char *home)
{
	char *want = xasprintf("%s/.config/wavedeck/config", home), *got = path_user_config("config");
	assert_string_equal(got, want);
	free(want);
	free(got);
}

static void home_comes_from_the_environment(void **state)
{
	(void)state;
	setenv("HOME", "/home/someone", 1);
	expect_config("/home/someone");
	setenv("XDG_CONFIG_HOME", "/etc/other", 1);
	char *got = path_user_config("config");
	assert_string_equal(got, "/etc/other/wavedeck/config");
	free(got);
	unsetenv("XDG_CONFIG_HOME");
}

static void without_home_the_user_database_knows(void **state)
{
	(void)state;
	const struct passwd *user = getpwuid(getuid());
	if (!user || *user->pw_dir != '/')
		skip();
	static const char *const useless[] = {NULL, "", "relative"};
	for (int i = 0; i < 3; i++) {
		if (useless[i])
			setenv("HOME", useless[i], 1);
		else
			unsetenv("HOME");
		expect_config(user->pw_dir);
	}
}

/* In a child process: this user is not in the database. */
static int try_without_user(void)
{
	struct err e = {0};
	unsetenv("HOME");
	if (setuid(54321) || getpwuid(54321))
		return 77;
	char *config = path_user_config("config"), *cache = path_user_cache("kernels");
	bool ok = !path_home() && !strncmp(config, "/nonexistent/", 13) && !strncmp(cache, "/nonexistent/", 13) &&
		!path_make_directories(cache, &e) && strstr(e.text, "no home folder; set HOME");
	free(config);
	free(cache);
	return ok ? 0 : 1;
}

static void without_any_home_nothing_is_shared(void **state)
{
	(void)state;
	int status;
	pid_t child = fork();
	if (!child)
		_exit(try_without_user());
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip(); /* only root can become another user */
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_any_home_nothing_is_shared), /* first: the answer is kept */
		cmocka_unit_test(home_comes_from_the_environment),
		cmocka_unit_test(without_home_the_user_database_knows),
	};
	return cmocka_run_group_tests(tests, forget_folders, NULL);
}
